import CloudOff from 'lucide-react/icons/cloud-off';
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { Card } from '#web/ui/card.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { useBrowserValue } from '#web/ui/use-browser-value.ts';
import { useStoresRecordings } from './device-state.ts';
import type { DriveSession } from './drive-session.ts';
import { changeDriveSettings, useDriveSettings } from './drive-settings.ts';
import type { KeptTrack } from './kept-tracks.ts';
import { readsLight } from './light-sensor.ts';
import { allowTones } from './line-signals.ts';
import type { ReceiverSource } from './receivers/receiver.ts';
import { explainProblem } from './signal-messages.ts';
import { SourceCard } from './source-card.tsx';
import { CompareWith, TrackChoice } from './track-choice.tsx';
import { useChosenTrack } from './use-chosen-track.ts';
import styles from './before.module.css';
import column from './column.module.css';

type BeforeDriveProps = {
  session: DriveSession;
  sources: readonly ReceiverSource[];
  tracks: readonly KeptTrack[];
  /** True once the page opens without a network. */
  isOffline: boolean;
  /** Shows what is left of earlier drives. */
  cut: ReactNode;
  /** Lets the driver choose who watches. */
  share: ReactNode;
  children: ReactNode;
};

/** Shows the questions before a drive in their order, and starts it. */
export function BeforeDrive({ session, sources, tracks, isOffline, cut, share, children }: BeforeDriveProps) {
  const { signal, track, reference } = useStore(session.store);
  const { isFound, isOwnChoice, choose } = useChosenTrack(session, tracks);
  const isStorable = useStoresRecordings();

  return (
    <div className={column['column']}>
      <Head isOffline={isOffline} />
      {cut}
      {!isStorable && (
        <p role="alert" className={styles['warning']}>
          {explainProblem('unsupported')}
        </p>
      )}
      <SourceCard session={session} sources={sources} />
      <TrackChoice
        tracks={tracks}
        chosen={track}
        isFound={isFound}
        isOwnChoice={isOwnChoice}
        position={signal.position}
        onChoose={choose}
      />
      {track !== null && (
        <CompareWith
          laps={track.laps}
          chosen={reference}
          onChoose={(lap) => session.chooseTrack(track, lap)}
        />
      )}
      {share}
      <Start session={session} isStorable={isStorable} />
      <WhileDriving />
      {children}
    </div>
  );
}

function Head({ isOffline }: { isOffline: boolean }) {
  return (
    <div className={column['head']}>
      <PageTitle>Drive</PageTitle>
      {isOffline && (
        <span className={styles['offline']}>
          <CloudOff size={14} aria-hidden="true" /> Works offline
        </span>
      )}
    </div>
  );
}

/** Starts the drive once there is a receiver, and says what else a start needs. */
function Start({ session, isStorable }: Pick<BeforeDriveProps, 'session'> & { isStorable: boolean }) {
  const { source } = useStore(session.store);

  function start(): void {
    if (!isStorable) {
      showToast({ title: 'No storage', description: explainProblem('unsupported'), destructive: true });
      return;
    }
    if (source === null) {
      showToast({ title: 'No receiver yet', description: 'Choose where your positions come from first.' });
      return;
    }
    allowTones();
    session.start();
  }

  return (
    <div className={styles['go']} data-ready={source !== null && isStorable}>
      <button
        type="button"
        className={styles['start']}
        aria-disabled={source === null || !isStorable}
        onClick={start}
      >
        Start
      </button>
      <p className={styles['safe']}>
        <TriangleAlert size={16} aria-hidden="true" /> For closed courses. Mount the phone.
      </p>
    </div>
  );
}

function WhileDriving() {
  const { ground, hasTone, hasVibration } = useDriveSettings();
  const hasSensor = useBrowserValue(readsLight, null) === true;
  const vibrates = useBrowserValue(() => typeof navigator.vibrate === 'function', null) === true;
  return (
    <section>
      <h2 className={styles['caption']}>While driving</h2>
      <Card className={styles['card']}>
        <SelectField
          label="Ground of the screen"
          value={ground}
          onChange={({ target }) =>
            changeDriveSettings({
              ground: target.value === 'day' || target.value === 'light' ? target.value : 'night',
            })
          }
        >
          <option value="night">Black, for night and shade</option>
          <option value="day">White, for sunlight</option>
          {hasSensor && <option value="light">By the light around the phone</option>}
        </SelectField>
        <Switch
          label="Tone at every line"
          hint="High when you are ahead, low when behind."
          checked={hasTone}
          onChange={({ target }) => changeDriveSettings({ hasTone: target.checked })}
        />
        {vibrates && (
          <Switch
            label="Vibrate at every line"
            hint="Once when you are ahead, twice when behind."
            checked={hasVibration}
            onChange={({ target }) => changeDriveSettings({ hasVibration: target.checked })}
          />
        )}
      </Card>
    </section>
  );
}
