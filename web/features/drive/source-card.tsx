import Bluetooth from 'lucide-react/icons/bluetooth';
import Smartphone from 'lucide-react/icons/smartphone';
import Usb from 'lucide-react/icons/usb';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { lengthUnit, metersPerUnit } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { useBrowserValue } from '#web/ui/use-browser-value.ts';
import type { SignalState, SourceState } from './drive-state.ts';
import type { DriveSession } from './drive-session.ts';
import { useBattery, useRoomHours } from './device-state.ts';
import { ReceiverError, type Transport, type ReceiverSource } from './receivers/receiver.ts';
import { describeFix } from './signal-messages.ts';
import styles from './before.module.css';

type SourceCardProps = { session: DriveSession; sources: readonly ReceiverSource[] };

const SOURCE_ICONS: Record<Transport, ReactNode> = {
  bluetooth: <Bluetooth size={24} aria-hidden="true" />,
  serial: <Usb size={24} aria-hidden="true" />,
  phone: <Smartphone size={24} aria-hidden="true" />,
};

const SOURCE_TEXTS: Record<Transport, { title: string; what: string; missing: string }> = {
  bluetooth: {
    title: 'Bluetooth receiver',
    what: 'RaceBox and its clones, RaceChrono DIY, Qstarz, NMEA. Up to 25 Hz.',
    missing: 'This browser has no Web Bluetooth. Chrome and Edge have it, on Android and on desktops.',
  },
  serial: {
    title: 'Receiver on a serial port',
    what: 'Bluetooth Classic or USB, NMEA or UBX. Pair it in the settings of the phone first.',
    missing: 'This browser has no Web Serial. Chrome has it, on Android from version 138 and on desktops.',
  },
  phone: {
    title: 'This phone',
    what: 'Its own positions come about once a second: lap times are good to about ±0.06 s.',
    missing: 'This browser gives no position.',
  },
};

/** Shows where the positions come from, and whether the receiver sees the sky. */
export function SourceCard({ session, sources }: SourceCardProps) {
  const { source, signal } = useStore(session.store);
  const [isChanging, setIsChanging] = useState(false);
  const [problem, setProblem] = useState('');

  async function connect({ open }: ReceiverSource): Promise<void> {
    setProblem('');
    try {
      const receiver = await open();
      if (receiver === null) return;
      await session.use(receiver);
      setIsChanging(false);
    } catch (error) {
      if (!(error instanceof ReceiverError)) throw error;
      setProblem(error.message);
      // This card is not on the page while the car moves.
      if (session.state.phase === 'driving')
        showToast({ title: 'No receiver', description: error.message, destructive: true });
    }
  }

  return (
    <Card as="section" aria-label="Receiver" className={styles['card']}>
      {source === null || isChanging ? (
        <ChooseSource sources={sources} onConnect={connect}>
          {source !== null && (
            <Button variant="quiet" onClick={() => setIsChanging(false)}>
              Keep {source.name}
            </Button>
          )}
        </ChooseSource>
      ) : (
        <Source source={source} signal={signal} onChange={() => setIsChanging(true)} />
      )}
      {problem !== '' && (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <ThisPhone />
    </Card>
  );
}

type SourceProps = { source: SourceState; signal: SignalState; onChange: () => void };

function Source({ source, signal, onChange }: SourceProps) {
  const { text, isReady } = describeFix(source, signal);
  const isCoarse = source.transport === 'phone';
  return (
    <>
      <div className={styles['top']}>
        {SOURCE_ICONS[source.transport]}
        <div>
          <h2>{source.name}</h2>
          <output className={styles['state']} data-ready={isReady}>
            <i aria-hidden="true" />
            {text}
          </output>
        </div>
        <Button onClick={onChange}>Change</Button>
      </div>
      <dl className={styles['figures']}>
        <Figure label="Satellites" value={signal.satellites} />
        <Figure
          label="Accuracy"
          value={
            signal.accuracyMeters === null ? null : `±${(signal.accuracyMeters / metersPerUnit()).toFixed(1)}`
          }
          unit={lengthUnit()}
          isWarning={isCoarse}
        />
        <Figure label="Rate" value={signal.rateHz === null ? null : Math.round(signal.rateHz)} unit="Hz" />
        <Figure label="Battery" value={signal.batteryPercent} unit="%" />
      </dl>
      {source.description !== null && <p className={styles['explained']}>{source.description}</p>}
      {isCoarse && (
        <p className={styles['warning']}>
          The phone’s own positions are coarse: lap times are good to about ±0.06 s and rank with that. A
          receiver of 10 Hz or more is ten times better.
        </p>
      )}
    </>
  );
}

type FigureProps = { label: string; value: string | number | null; unit?: string; isWarning?: boolean };

function Figure({ label, value, unit, isWarning = false }: FigureProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={classNames('num', isWarning && styles['coarse'])}>
        {value === null ? '–' : value}
        {value !== null && unit !== undefined && <small>{unit}</small>}
      </dd>
    </div>
  );
}

type ChooseSourceProps = Pick<SourceCardProps, 'sources'> & {
  onConnect: (source: ReceiverSource) => Promise<void>;
  children: ReactNode;
};

function ChooseSource({ sources, onConnect, children }: ChooseSourceProps) {
  const [busy, setBusy] = useState<Transport | null>(null);
  const supported = useBrowserValue(() => listSupported(sources), null);

  async function connect(source: ReceiverSource): Promise<void> {
    setBusy(source.transport);
    await onConnect(source).finally(() => setBusy(null));
  }

  return (
    <>
      <h2 className={styles['question']}>Where do your positions come from?</h2>
      <ul className={styles['sources']}>
        {sources.map((source) => {
          const { transport } = source;
          const { title, what, missing } = SOURCE_TEXTS[transport];
          const isSupported = supported === null || supported.includes(transport);
          return (
            <li key={transport}>
              {SOURCE_ICONS[transport]}
              <div>
                <h3>{title}</h3>
                <p>{isSupported ? what : missing}</p>
              </div>
              {isSupported && (
                <Button
                  aria-label={`${transport === 'phone' ? 'Use' : 'Connect'} ${title.toLowerCase()}`}
                  disabled={supported === null}
                  pending={busy === transport}
                  onClick={() => void connect(source)}
                >
                  {transport === 'phone' ? 'Use' : 'Connect'}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {children}
    </>
  );
}

function listSupported(sources: readonly ReceiverSource[]): string {
  return sources
    .filter((source) => source.isSupported())
    .map(({ transport }) => transport)
    .join();
}

function ThisPhone() {
  const battery = useBattery();
  const hours = useRoomHours();
  const facts = [
    battery === null ? null : `${Math.round(battery * 100)} %`,
    hours === null ? null : hours < 1 ? 'room for less than an hour' : `room for ${hours} h`,
  ].filter((fact) => fact !== null);
  if (facts.length === 0) return null;
  return (
    <p className={styles['phone']} data-low={hours !== null && hours < 1}>
      <Smartphone size={16} aria-hidden="true" />
      This phone: {facts.join(', ')}
    </p>
  );
}
