import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatClock, formatDuration, formatLocalDate, pluralize } from '#web/ui/format.ts';
import type { KeptRecording } from './drive-state.ts';
import { saveFile } from '#web/ui/save-file.ts';
import { deleteRecording, readLapFile } from './storage/kept-recordings.ts';
import styles from './before.module.css';

const STATES: Record<KeptRecording['state'], string> = {
  cut: 'Cut off',
  kept: 'Waits for its upload',
  sent: 'Uploaded',
};

type RecordingListProps = {
  recordings: readonly KeptRecording[];
  onUpload: (recording: KeptRecording) => void;
  onChanged: () => void;
};

/** Lists the recordings on this device until the driver removes them. */
export function RecordingList({ recordings, onUpload, onChanged }: RecordingListProps) {
  const [removed, setRemoved] = useState<KeptRecording | null>(null);
  const ended = recordings.filter(({ state }) => state !== 'cut');
  if (ended.length === 0) return null;
  return (
    <section>
      <h2 className={styles['caption']}>Recordings on this device</h2>
      <Card padded={false} className={styles['rows']}>
        {ended.map((recording) => (
          <div key={recording.id} className={styles['row']}>
            <span>
              <b>{describeMoment(recording)}</b>
              <span className={styles['second']}>
                {[recording.trackName, STATES[recording.state]].filter(Boolean).join(', ')}
              </span>
            </span>
            <span className={styles['buttons']}>
              {recording.state === 'kept' && (
                <Button size="small" onClick={() => onUpload(recording)}>
                  Upload
                </Button>
              )}
              <Button size="small" onClick={() => void readLapFile(recording).then(saveFile)}>
                Save
              </Button>
              <Button size="small" variant="quiet" onClick={() => setRemoved(recording)}>
                Remove
              </Button>
            </span>
          </div>
        ))}
      </Card>
      {removed !== null && (
        <ConfirmDialog
          title="Remove this recording?"
          confirmText="Remove"
          onConfirm={() => deleteRecording(removed.id)}
          onDone={onChanged}
          onClose={() => setRemoved(null)}
        >
          <p>
            {removed.state === 'sent'
              ? 'It was uploaded. If you have deleted its session since, this is the only copy.'
              : 'The server does not have it yet: its laps would be lost.'}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

type CutRecordingsProps = {
  recordings: readonly KeptRecording[];
  /** The kind of the receiver that is connected; only with the same one a recording goes on. */
  connectedKind: KeptRecording['kind'] | null;
  onContinue: (recording: KeptRecording) => void;
  onFinish: (recording: KeptRecording) => void;
};

/** Offers recordings that were cut off: by a closed tab, a reload or an empty battery. */
export function CutRecordings({ recordings, connectedKind, onContinue, onFinish }: CutRecordingsProps) {
  return recordings
    .filter(({ state }) => state === 'cut')
    .map((recording) => (
      <section key={recording.id} className={styles['cut']} aria-label="Recording that was cut off">
        <div>
          <h2>
            Recording of {formatClock(recording.startedAtMs)}, {describeLength(recording)}
          </h2>
          <p className={styles['explained']}>
            It was cut off; nothing up to then is lost.{' '}
            {connectedKind === recording.kind ? '' : 'To go on with it, connect the same receiver first.'}
          </p>
        </div>
        <div className={styles['buttons']}>
          {connectedKind === recording.kind && (
            <Button onClick={() => onContinue(recording)}>Continue</Button>
          )}
          <Button variant="primary" onClick={() => onFinish(recording)}>
            Finish
          </Button>
        </div>
      </section>
    ));
}

function describeMoment({ startedAtMs, endedAtMs, laps }: KeptRecording): string {
  const day = `${formatLocalDate(startedAtMs)}, ${formatClock(startedAtMs)}`;
  const length = endedAtMs === null ? '' : `, ${formatDuration(endedAtMs - startedAtMs)}`;
  return `${day}${length}${laps.length > 0 ? `, ${pluralize(laps.length, 'lap')}` : ''}`;
}

function describeLength({ startedAtMs, endedAtMs }: KeptRecording): string {
  return formatDuration(Math.max(0, (endedAtMs ?? startedAtMs) - startedAtMs));
}
