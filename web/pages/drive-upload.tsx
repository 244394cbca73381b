import { useEffect } from 'react';
import { create, useStore } from 'zustand';
import type { TrackId } from '#contract/ids.ts';
import { pluralize } from '#web/ui/format.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { ShownLap, UploadProgress } from '#web/features/drive/after-drive.tsx';
import { useIsOnline } from '#web/features/drive/device-state.ts';
import type { DriveSession } from '#web/features/drive/drive-session.ts';
import type { KeptRecording } from '#web/features/drive/drive-state.ts';
import { findLapFile } from '#web/features/drive/storage/kept-recordings.ts';
import { markSent } from '#web/features/drive/storage/mark-sent.ts';
import { keepLapFile } from '#web/features/upload/keep-lap-file.ts';
import type { TrackTiming } from '#web/features/upload/upload-answers.ts';
import { findProgress, timeWaitingFiles, type FileProgress } from '#web/features/upload/upload-recording.ts';
import { useUpload } from '#web/features/upload/use-upload.ts';
import { loginPath } from '#web/shell/return-path.ts';

/** Says what became of a file: it is in the uploads, this browser has no space for it there, or cannot read it. */
type Kept = 'kept' | 'no-space' | 'unreadable';

export type DriveUpload = {
  file: File | null;
  fileProgress: FileProgress;
  isSignedIn: boolean;
  progress: UploadProgress;
  timed: readonly ShownLap[] | null;
  /** Puts a recording into the uploads, and sends it. */
  send: (recording: Pick<KeptRecording, 'id' | 'startedAtMs' | 'trackId'>) => Promise<Kept>;
};

type Sent = {
  id: string;
  file: File | null;
  trackId: TrackId | null;
  kept: Kept;
};

// The file stays with the upload while the driver is on another page.
const useSent = create<Sent | null>(() => null);

/** Puts a recording into the uploads; the server times it as soon as there is a network and a sign-in. */
async function send({ id, startedAtMs, trackId }: Parameters<DriveUpload['send']>[0]): Promise<Kept> {
  const file = await findLapFile({ id, startedAtMs });
  const kept = file === null ? 'unreadable' : (await keepLapFile(file)) ? 'kept' : 'no-space';
  useSent.setState({ id, file, trackId, kept });
  return kept;
}

/** Follows the file of a drive on its way to the board. */
export function useDriveUpload({ store }: DriveSession): DriveUpload {
  const phase = useStore(store, (drive) => drive.phase);
  const recordingId = useStore(store, ({ recording }) => recording?.id);
  const upload = useUpload();
  const state = useStore(upload.store);
  const userId = useCurrentUser().user?.id ?? null;
  const isOnline = useIsOnline();
  const sent = useSent();
  useEffect(() => {
    if (sent !== null && userId !== null && isOnline) void timeWaitingFiles(upload, userId, sent.trackId);
  }, [upload, sent, userId, isOnline]);

  const shown = phase === 'before' || sent?.id === recordingId ? sent : null;
  const file = shown?.file ?? null;
  const fileProgress: FileProgress = file === null ? { step: 'waiting' } : findProgress(state, file);
  useMarkSent(fileProgress, sent);
  const isSignedIn = userId !== null;
  return {
    file,
    fileProgress,
    isSignedIn,
    progress: describe(fileProgress, { kept: shown?.kept ?? null, isOnline, isSignedIn }),
    timed: fileProgress.step === 'timed' ? fileProgress.timing.laps.map(showTimedLap) : null,
    send,
  };
}

function useMarkSent({ step }: FileProgress, sent: Sent | null): void {
  const fileName = sent?.file?.name;
  useEffect(() => {
    if (step === 'stored' && fileName !== undefined) void markSent([fileName]);
  }, [step, fileName]);
}

/** `kept` is null as long as the file is written. */
type Conditions = { kept: Kept | null; isOnline: boolean; isSignedIn: boolean };

const KEPT = 'Kept on this device until the server has it.';

const NO_SPACE =
  'This browser has no space for the file. Save it, make space, and choose it on the upload page.';

const UNREADABLE = 'This browser cannot read the file of this drive.';

const STEPS = {
  sending: { heading: 'Sending and timing…', note: KEPT, doneSteps: 1, share: 0.5 },
  sent: { heading: 'Sent', note: 'Choose the track, and the laps are timed.', doneSteps: 2, share: 0 },
  stored: { heading: 'On the board', note: 'The server has timed and stored it.', doneSteps: 4, share: 0 },
};

function describe(progress: FileProgress, conditions: Conditions): UploadProgress {
  if (progress.step === 'waiting') return describeWaiting(conditions);
  if (progress.step === 'refused') {
    return { heading: 'Not timed', note: progress.sentence, doneSteps: 1, share: 0, isRefused: true };
  }
  if (progress.step === 'stored' && !progress.counts) {
    return { heading: 'Stored', note: 'None of its laps counts.', doneSteps: 3, share: 0 };
  }
  if (progress.step !== 'timed') return STEPS[progress.step];
  return {
    heading: `Timed: ${pluralize(progress.timing.lapCount, 'lap')}`,
    note:
      progress.timing.bestLapTimeMs === null
        ? 'None of them counts.'
        : 'Car, tires and a video link are missing.',
    doneSteps: 3,
    share: 0,
  };
}

function describeWaiting({ kept, isOnline, isSignedIn }: Conditions): UploadProgress {
  if (kept === null)
    return { heading: 'Sealing the file…', note: 'Keep this page open.', doneSteps: 0, share: 0.5 };
  if (kept === 'unreadable')
    return { heading: 'No file', note: UNREADABLE, doneSteps: 0, share: 0, isRefused: true };
  if (kept === 'no-space') return { heading: 'Not in your uploads', note: NO_SPACE, doneSteps: 1, share: 0 };
  const heading = isSignedIn ? 'Waits in your uploads' : 'Waits for your sign-in';
  if (!isOnline) return { heading: 'Waits for a network', note: KEPT, doneSteps: 1, share: 0 };
  return { heading, note: KEPT, doneSteps: 1, share: 0 };
}

function showTimedLap({ number, lapTimeMs, status, reasons }: TrackTiming['laps'][number]): ShownLap {
  const part = reasons.includes('out_lap') ? 'Out lap' : reasons.includes('in_lap') ? 'In lap' : '';
  const note = reasons.includes('gap_in_data') ? 'Hole' : status === 'rejected' ? 'Does not count' : '';
  const isHollow = status === 'rejected' || status === 'incomplete';
  return { number, lapTimeMs, note: part === '' ? note : part, isHollow };
}

/** Shows the one thing that is left to do on the way to the board. */
export function NextStep({ upload: { file, fileProgress, isSignedIn } }: { upload: DriveUpload }) {
  const isOnline = useIsOnline();
  if (!isOnline || file === null) return null;
  if (fileProgress.step === 'stored') {
    return (
      <ButtonLink
        href={`/track/${encodeURIComponent(fileProgress.trackId)}`}
        variant="primary"
        size="large"
        wide
      >
        See the board
      </ButtonLink>
    );
  }
  if (!isSignedIn) {
    return (
      <ButtonLink href={loginPath('/upload')} variant="primary" size="large" wide>
        Sign in to upload
      </ButtonLink>
    );
  }
  return (
    <ButtonLink href="/upload" variant="primary" size="large" wide>
      {fileProgress.step === 'timed' ? 'Add car and tires' : 'Open your uploads'}
    </ButtonLink>
  );
}
