import { useState, type ComponentProps, type RefObject } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatClock, formatDuration, formatLocalDate, pluralize } from '#web/ui/format.ts';
import { showToast } from '#web/ui/toasts.ts';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import type { KeptRecording } from './drive-state.ts';
import { saveFile } from '#web/ui/save-file.ts';
import { UNREADABLE } from './signal-messages.ts';
import { deleteRecording, findLapFile } from './storage/kept-recordings.ts';
import styles from './before.module.css';

const STATES: Record<KeptRecording['state'], string> = {
  cut: 'Cut off',
  kept: 'Waits for its upload',
  sent: 'Uploaded',
};

type RecordingListProps = {
  recordings: readonly KeptRecording[];
  onUpload: (recording: KeptRecording) => Promise<void>;
  onChanged: () => void;
  /** Takes the focus where a row is gone. */
  focusAfter: RefObject<HTMLElement | null>;
};

/** Lists the recordings on this device until the driver removes them. */
export function RecordingList({ recordings, onUpload, onChanged, focusAfter }: RecordingListProps) {
  const [removed, setRemoved] = useState<KeptRecording | null>(null);
  const ended = recordings.filter(({ state }) => state !== 'cut');
  if (ended.length === 0) return null;
  return (
    <section>
      <h2 className={styles['caption']}>Recordings on this device</h2>
      <Card padded={false} className={styles['rows']}>
        {ended.map((recording) => (
          <Row
            key={recording.id}
            recording={recording}
            onUpload={onUpload}
            onRemove={() => setRemoved(recording)}
            focusAfter={focusAfter}
          />
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

type RowProps = Pick<RecordingListProps, 'onUpload' | 'focusAfter'> & {
  recording: KeptRecording;
  onRemove: () => void;
};

function Row({ recording, onUpload, onRemove, focusAfter }: RowProps) {
  useFocusAfter(focusAfter);
  return (
    <div className={styles['row']}>
      <span>
        <b>{describeMoment(recording)}</b>
        <span className={styles['second']}>
          {[recording.trackName, STATES[recording.state]].filter(Boolean).join(', ')}
        </span>
      </span>
      <span className={styles['buttons']}>
        {recording.state === 'kept' && (
          <FileButton size="small" work={() => onUpload(recording)}>
            Upload
          </FileButton>
        )}
        <FileButton size="small" work={() => save(recording)}>
          Save
        </FileButton>
        <Button size="small" variant="quiet" onClick={onRemove}>
          Remove
        </Button>
      </span>
    </div>
  );
}

async function save(recording: KeptRecording): Promise<void> {
  const file = await findLapFile(recording);
  if (file === null) showToast(UNREADABLE);
  else saveFile(file);
}

type FileButtonProps = ComponentProps<typeof Button> & { work: () => Promise<void> };

/** Does something with the file of a recording, once at a time. */
function FileButton({ work, ...props }: FileButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  async function run(): Promise<void> {
    setIsBusy(true);
    await work().finally(() => setIsBusy(false));
  }
  return <Button {...props} pending={isBusy} onClick={() => void run()} />;
}

type CutRecordingsProps = {
  recordings: readonly KeptRecording[];
  /** The kind of the receiver that is connected; only with the same one a recording goes on. */
  connectedKind: KeptRecording['kind'] | null;
  onContinue: (recording: KeptRecording) => Promise<void>;
  onFinish: (recording: KeptRecording) => Promise<void>;
  /** Takes the focus where a row is gone. */
  focusAfter: RefObject<HTMLElement | null>;
};

/** Offers recordings that were cut off: by a closed tab, a reload or an empty battery. */
export function CutRecordings({ recordings, ...row }: CutRecordingsProps) {
  return recordings
    .filter(({ state }) => state === 'cut')
    .map((recording) => <CutRecording key={recording.id} recording={recording} {...row} />);
}

type CutRecordingProps = Omit<CutRecordingsProps, 'recordings'> & { recording: KeptRecording };

function CutRecording({ recording, connectedKind, onContinue, onFinish, focusAfter }: CutRecordingProps) {
  useFocusAfter(focusAfter);
  return (
    <section className={styles['cut']} aria-label="Recording that was cut off">
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
          <FileButton work={() => onContinue(recording)}>Continue</FileButton>
        )}
        <FileButton variant="primary" work={() => onFinish(recording)}>
          Finish
        </FileButton>
      </div>
    </section>
  );
}

function describeMoment({ startedAtMs, endedAtMs, laps }: KeptRecording): string {
  const day = `${formatLocalDate(startedAtMs)}, ${formatClock(startedAtMs)}`;
  const length = endedAtMs === null ? '' : `, ${formatDuration(endedAtMs - startedAtMs)}`;
  return `${day}${length}${laps.length > 0 ? `, ${pluralize(laps.length, 'lap')}` : ''}`;
}

function describeLength({ startedAtMs, endedAtMs }: KeptRecording): string {
  return formatDuration(Math.max(0, (endedAtMs ?? startedAtMs) - startedAtMs));
}
