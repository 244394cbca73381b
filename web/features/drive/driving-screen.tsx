import BatteryMedium from 'lucide-react/icons/battery-medium';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { formatLapTime } from '#engine/lap-time.ts';
import { classNames } from '#web/ui/class-names.ts';
import { UnloadGuard } from '#web/ui/use-unsaved-changes-guard.ts';
import { formatClock, formatLength, roundSpeed, speedUnit } from '#web/ui/format.ts';
import type { DriveState, LiveView } from './drive-state.ts';
import type { DriveSession } from './drive-session.ts';
import { barShare, describeGap, formatGap, gapDecimals } from './gap-view.ts';
import { HoldButton } from './hold-button.tsx';
import { NO_SIGNAL_AFTER_MS, describeProblem } from './signal-messages.ts';
import { useBattery } from './device-state.ts';
import { useHeldGap } from './use-held-gap.ts';
import { useNow } from './use-now.ts';
import styles from './driving-screen.module.css';

type DrivingScreenProps = { session: DriveSession; isDay: boolean; onEnd: () => void };

/** Fills the screen while the car moves: nothing on it reacts but the button that is held. */
export function DrivingScreen({ session, isDay, onEnd }: DrivingScreenProps) {
  useAloneOnScreen();
  return createPortal(
    <section className={classNames(styles['screen'], isDay && styles['day'])} aria-label="Driving">
      <StatusLine session={session} />
      <div className={styles['grid']}>
        <Gap session={session} />
        <div className={styles['side']}>
          <Figures session={session} />
          <HoldButton label="Hold to end" onHeld={onEnd} />
        </div>
      </div>
    </section>,
    document.body,
  );
}

/** Takes the rest of the page out of reach, and keeps it from scrolling. */
function useAloneOnScreen(): void {
  useEffect(() => {
    const root = document.getElementById('root');
    root?.toggleAttribute('inert', true);
    document.documentElement.classList.add(styles['alone'] ?? '');
    // Going back by a gesture would leave the page: an entry more takes it.
    const stay = () => history.pushState(history.state, '', window.location.href);
    stay();
    window.addEventListener('popstate', stay);
    const guard = new UnloadGuard();
    guard.set(true);
    return () => {
      root?.toggleAttribute('inert', false);
      document.documentElement.classList.remove(styles['alone'] ?? '');
      window.removeEventListener('popstate', stay);
      guard.set(false);
    };
  }, []);
}

function StatusLine({ session }: { session: DriveSession }) {
  const now = useNow();
  const battery = useBattery();
  // Every position changes the state, and few of them these words.
  const status = useStore(session.store, (state) => describeStatus(state, now));
  const isStopped = useStore(session.store, ({ recording }) => (recording?.problem ?? null) !== null);
  return (
    <div className={styles['status']}>
      <output className={styles['recording']} data-stopped={isStopped}>
        <i aria-hidden="true" />
        {status}
      </output>
      <span className="num">{formatClock(now)}</span>
      {battery !== null && (
        <span className={classNames('num', styles['battery'])}>
          <BatteryMedium size={22} aria-hidden="true" />
          <span className="visually-hidden">Battery of this phone:</span> {Math.round(battery * 100)} %
        </span>
      )}
    </div>
  );
}

function describeStatus({ signal, source, recording }: DriveState, now: number): string {
  if (recording !== null && recording.problem !== null) return describeProblem(recording.problem);
  const silentMs = now - Math.max(signal.lastFixAtMs ?? 0, recording?.startedAtMs ?? 0);
  const lost = source === null ? 'No receiver' : source.connection === 'lost' ? 'Receiver lost' : 'No signal';
  if (silentMs >= NO_SIGNAL_AFTER_MS) return `${lost} ${Math.floor(silentMs / 1000)} s`;
  return signal.accuracyMeters === null
    ? 'Recording'
    : `Recording, ±${formatLength(signal.accuracyMeters, 1)}`;
}

function Gap({ session }: { session: DriveSession }) {
  const live = useStore(session.store, (state) => state.live);
  const reference = useStore(session.store, (state) => state.reference);
  const decimals = useStore(session.store, ({ signal }) => gapDecimals(signal.rateHz));
  const now = useNow();
  const isSilent = useStore(
    session.store,
    ({ signal }) => signal.lastFixAtMs === null || now - signal.lastFixAtMs >= NO_SIGNAL_AFTER_MS,
  );
  const { barMs, figureMs } = useHeldGap(session);
  const { speedMetersPerSecond } = live.state;
  if (isSilent) return <Figure word="" of="" figure="—" />;
  if (barMs !== null && figureMs !== null) {
    const { direction, of } = describeGap(figureMs, decimals, reference);
    const figure = formatGap(figureMs, decimals);
    return <Figure word={direction} of={of} figure={figure} share={barShare(barMs)} />;
  }
  return showsSpeed(live) && speedMetersPerSecond !== null ? (
    <Figure word="Speed" of={speedUnit()} figure={String(roundSpeed(3.6 * speedMetersPerSecond))} />
  ) : (
    <Figure word="" of="" figure="—" />
  );
}

/** Until there is a lap to compare with, the speed stands in for the gap. After a hole nothing does. */
function showsSpeed({ state: { phase, bestLapTimeMs } }: LiveView): boolean {
  return phase === 'waiting' || phase === 'out-lap' || (phase === 'timed' && bestLapTimeMs === null);
}

function Figure({ word, of, figure, share }: { word: string; of: string; figure: string; share?: number }) {
  return (
    <div className={styles['gap']}>
      <p className={styles['word']}>
        {word} <em>{of}</em>
      </p>
      <div className={styles['bar']} data-empty={share === undefined} aria-hidden="true">
        {share !== undefined && (
          <i
            data-side={share > 0 ? 'behind' : 'ahead'}
            style={
              share > 0
                ? { left: '50%', width: `${share * 50}%` }
                : { right: '50%', width: `${-share * 50}%` }
            }
          />
        )}
        <u style={{ left: '25%' }} />
        <u style={{ left: '75%' }} />
        <u className={styles['zero']} style={{ left: '50%' }} />
      </div>
      <div className={styles['scale']} data-empty={share === undefined} aria-hidden="true">
        <span>−1 s</span>
        <span>0</span>
        <span>+1 s</span>
      </div>
      <p
        className={styles['figure']}
        data-length={figure === '—' ? 'none' : figure.length > 5 ? 'long' : undefined}
      >
        {figure}
      </p>
    </div>
  );
}

function Figures({ session }: { session: DriveSession }) {
  const lastLap = useStore(session.store, ({ live }) => live.state.lastLap);
  const lapNumber = useStore(session.store, ({ live }) => live.state.lapNumber);
  return (
    <>
      <div className={styles['part']}>
        <p className={styles['label']}>Last lap</p>
        <p className={styles['time']}>{lastLap === null ? '—' : formatLapTime(lastLap.lapTimeMs)}</p>
      </div>
      <div className={styles['part']}>
        <p className={styles['label']}>Lap</p>
        <p className={classNames(styles['time'], styles['number'])}>{lapNumber === 0 ? 'Out' : lapNumber}</p>
      </div>
    </>
  );
}
