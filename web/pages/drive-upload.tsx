import { useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { TrackId } from '#contract/ids.ts';
import { pluralize } from '#web/ui/format.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { ShownLap, UploadProgress } from '#web/features/drive/after-drive.tsx';
import { useIsOnline } from '#web/features/drive/device-state.ts';
import type { DriveState, KeptRecording } from '#web/features/drive/drive-state.ts';
import { readLapFile } from '#web/features/drive/storage/kept-recordings.ts';
import { markSent } from '#web/features/drive/storage/mark-sent.ts';
import { keepLapFile } from '#web/features/upload/keep-lap-file.ts';
import type { TrackTiming } from '#web/features/upload/upload-answers.ts';
import { findProgress, timeWaitingFiles, type FileProgress } from '#web/features/upload/upload-recording.ts';
import { useUpload } from '#web/features/upload/use-upload.ts';
import { loginPath } from '#web/shell/return-path.ts';

export type DriveUpload = {
  file: File | null;
  fileProgress: FileProgress;
  isSignedIn: boolean;
  progress: UploadProgress;
  timed: readonly ShownLap[] | null;
  /** Sends an earlier recording. */
  send: (recording: Pick<KeptRecording, 'id' | 'startedAtMs' | 'trackId'>) => Promise<void>;
};

type Sent = { file: File; trackId: TrackId | null };

/** Puts the file of a drive into the uploads as soon as it is whole, and lets the server time it as soon as there is a network and a sign-in. */
export function useDriveUpload({ phase, recording, track }: DriveState): DriveUpload {
  const upload = useUpload();
  const state = useStore(upload.store);
  const { user } = useCurrentUser();
  const isOnline = useIsOnline();
  const [sent, setSent] = useState<Sent | null>(null);
  const send = useCallback<DriveUpload['send']>(async (kept) => {
    const file = await readLapFile(kept);
    await keepLapFile(file);
    setSent({ file, trackId: kept.trackId });
  }, []);

  const id = phase === 'after' && recording?.isWhole ? recording.id : null;
  const startedAtMs = recording?.startedAtMs ?? 0;
  const trackId = track?.track.id ?? null;
  useEffect(() => {
    if (id === null) setSent(null);
    else void send({ id, startedAtMs, trackId });
  }, [id, startedAtMs, trackId, send]);

  const userId = user?.id ?? null;
  useEffect(() => {
    if (sent === null || userId === null || !isOnline) return;
    void timeWaitingFiles(upload, userId, sent.trackId);
  }, [upload, sent, userId, isOnline]);

  const fileProgress: FileProgress = sent === null ? { step: 'waiting' } : findProgress(state, sent.file);
  const isStored = fileProgress.step === 'stored';
  const fileName = sent?.file.name;
  useEffect(() => {
    if (isStored && fileName !== undefined) void markSent([fileName]);
  }, [isStored, fileName]);

  return {
    file: sent?.file ?? null,
    fileProgress,
    isSignedIn: userId !== null,
    progress: describe(fileProgress, { isWhole: id !== null, isOnline, isSignedIn: userId !== null }),
    timed: fileProgress.step === 'timed' ? fileProgress.timing.laps.map(showTimedLap) : null,
    send,
  };
}

type Conditions = { isWhole: boolean; isOnline: boolean; isSignedIn: boolean };

const KEPT = 'Kept on this device until the server has it.';

function describe(progress: FileProgress, { isWhole, isOnline, isSignedIn }: Conditions): UploadProgress {
  switch (progress.step) {
    case 'stored':
      return { heading: 'On the board', note: 'The server has timed and stored it.', doneSteps: 4, share: 0 };
    case 'timed':
      return {
        heading: `Timed: ${pluralize(progress.timing.lapCount, 'lap')}`,
        note: 'Car and tires are missing: then the laps are on the board.',
        doneSteps: 3,
        share: 0,
      };
    case 'refused':
      return { heading: 'Not timed', note: progress.sentence, doneSteps: 1, share: 0 };
    case 'sent':
      return { heading: 'Sent', note: 'Choose the track, and the laps are timed.', doneSteps: 2, share: 0 };
    case 'sending':
      return { heading: 'Sending and timing…', note: KEPT, doneSteps: 1, share: 0.5 };
    case 'waiting':
      return describeWaiting({ isWhole, isOnline, isSignedIn });
  }
}

function describeWaiting({ isWhole, isOnline, isSignedIn }: Conditions): UploadProgress {
  if (!isWhole)
    return { heading: 'Sealing the file…', note: 'Keep this page open.', doneSteps: 0, share: 0.5 };
  const heading = isOnline
    ? isSignedIn
      ? 'Waits in your uploads'
      : 'Waits for your sign-in'
    : 'Waits for a network';
  return { heading, note: KEPT, doneSteps: 1, share: 0 };
}

function showTimedLap({ number, lapTimeMs, status, reasons }: TrackTiming['laps'][number]): ShownLap {
  const part = reasons.includes('out_lap') ? 'Out lap' : reasons.includes('in_lap') ? 'In lap' : '';
  const note = reasons.includes('gap_in_data') ? 'Hole' : status === 'rejected' ? 'Does not count' : '';
  const isHollow = status === 'rejected' || status === 'incomplete';
  return { number, lapTimeMs, note: part === '' ? note : part, isHollow };
}

/** Shows the one thing that is left to do on the way to the board. */
export function NextStep({ upload: { fileProgress, isSignedIn } }: { upload: DriveUpload }) {
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
