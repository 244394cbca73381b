import { useCallback, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useCurrentUser, useCurrentUserAgain } from '#web/api/current-user.ts';
import { AfterDrive } from '#web/features/drive/after-drive.tsx';
import { BeforeDrive } from '#web/features/drive/before-drive.tsx';
import { getDriveSession, type DriveSession } from '#web/features/drive/drive-session.ts';
import { loadDriveSettings, useDriveSettings } from '#web/features/drive/drive-settings.ts';
import { DrivingScreen } from '#web/features/drive/driving-screen.tsx';
import type { KeptRecording } from '#web/features/drive/drive-state.ts';
import { KeptTrackList } from '#web/features/drive/kept-track-list.tsx';
import { listKeptTracks, type KeptTrack } from '#web/features/drive/kept-tracks.ts';
import { useIsBright } from '#web/features/drive/light-sensor.ts';
import { canReadMemory, openMemory } from '#web/features/drive/receivers/memory.ts';
import { SOURCES } from '#web/features/drive/receivers/sources.ts';
import { ReadMemory } from '#web/features/drive/read-memory.tsx';
import { CutRecordings, RecordingList } from '#web/features/drive/recording-list.tsx';
import column from '#web/features/drive/column.module.css';
import { saveFile } from '#web/ui/save-file.ts';
import { UNREADABLE } from '#web/features/drive/signal-messages.ts';
import { finishCut, listRecordings } from '#web/features/drive/storage/kept-recordings.ts';
import { useLineSignals } from '#web/features/drive/use-line-signals.ts';
import { keepLapFile } from '#web/features/upload/keep-lap-file.ts';
import { pluralize } from '#web/ui/format.ts';
import { keepDrivePage } from '#web/shell/service-worker.ts';
import { Page as PageColumn } from '#web/ui/page.tsx';
import { showToast, type Toast } from '#web/ui/toasts.ts';
import { useBrowserAnswer, useBrowserValue } from '#web/ui/use-browser-value.ts';
import { ShareLive, useShareDrive } from './drive-share.tsx';
import { NextStep, useDriveUpload, type DriveUpload } from './drive-upload.tsx';

/** Records a drive on this device, times it while it is driven, and sends it. It works without a network once it was opened. */
export function Page() {
  const session = getDriveSession();
  // Every position changes the state; the parts of the screen that show it follow it themselves.
  const phase = useStore(session.store, (state) => state.phase);
  const { ground } = useDriveSettings();
  const isBright = useIsBright(ground === 'light');
  const upload = useDriveUpload(session);
  useEffect(loadDriveSettings, []);
  useLineSignals(session);
  useShareDrive(session);
  useCurrentUserAgain();

  if (phase === 'driving') {
    return (
      <DrivingScreen
        session={session}
        isDay={ground === 'day' || isBright}
        onEnd={() => void session.end().then(async (ended) => ended && upload.send(ended))}
      />
    );
  }
  return (
    <PageColumn>
      {phase === 'before' ? (
        <Before session={session} upload={upload} />
      ) : (
        <After session={session} upload={upload} />
      )}
    </PageColumn>
  );
}

type PartProps = { session: DriveSession; upload: DriveUpload };

function After({ session, upload }: PartProps) {
  const state = useStore(session.store);
  const { file } = upload;
  return (
    <AfterDrive
      state={state}
      timed={upload.timed}
      progress={upload.progress}
      next={<NextStep upload={upload} />}
      onAgain={() => session.prepareNext()}
      onSave={file === null ? null : () => saveFile(file)}
    />
  );
}

function Before({ session, upload }: PartProps) {
  const source = useStore(session.store, (state) => state.source);
  const track = useStore(session.store, (state) => state.track);
  const { tracks, recordings, reload } = useKeptThings();
  // Kept for times without a network.
  const isOffline = useBrowserAnswer(keepDrivePage, false);
  const readsMemory = useBrowserValue(canReadMemory, null) !== false;
  const lists = useRef<HTMLDivElement>(null);
  const send = async (recording: KeptRecording) => {
    showToast(SENT[await upload.send(recording)]);
    reload();
  };
  return (
    <BeforeDrive
      session={session}
      sources={SOURCES}
      tracks={tracks}
      isOffline={isOffline}
      cut={
        <CutRecordings
          recordings={recordings}
          connectedKind={source?.kind ?? null}
          onContinue={async (recording) => {
            if (!(await session.resume(recording))) showToast(UNREADABLE);
          }}
          onFinish={(recording) => finishCut(recording).then(() => send(recording))}
          focusAfter={lists}
        />
      }
      share={<ShareLive trackId={track?.track.id ?? null} />}
    >
      <ReadMemory open={openMemory} isSupported={readsMemory} onFiles={keepFiles} />
      <div ref={lists} tabIndex={-1} className={column['column']}>
        <KeptTrackList tracks={tracks} onChanged={reload} focusAfter={lists} />
        <RecordingList recordings={recordings} onUpload={send} onChanged={reload} focusAfter={lists} />
      </div>
    </BeforeDrive>
  );
}

const SENT: Record<Awaited<ReturnType<DriveUpload['send']>>, Toast> = {
  kept: { title: 'In your uploads', description: 'Open Upload to add car and tires.' },
  'no-space': {
    destructive: true,
    title: 'Not in your uploads',
    description: 'This browser has no space for the file. The recording is still in the list below.',
  },
  unreadable: UNREADABLE,
};

/** Puts the lap files of a receiver's memory into the uploads, as far as this browser has space for them. */
async function keepFiles(files: readonly File[]): Promise<void> {
  let keptCount = 0;
  for (const file of files) if (await keepLapFile(file)) keptCount += 1;
  if (keptCount < files.length) {
    showToast({
      destructive: true,
      title: 'Not all kept',
      description: `This browser has space for ${keptCount} of ${pluralize(files.length, 'lap file')}. The others are still in the receiver: make space and read them again.`,
    });
    return;
  }
  showToast({
    title: 'In your uploads',
    description: `${pluralize(files.length, 'lap file')} of the receiver: open Upload to time them.`,
  });
}

/** Reads what this browser keeps for drives, and fetches the tracks again where there is a network. */
function useKeptThings() {
  const { user } = useCurrentUser();
  const [tracks, setTracks] = useState<readonly KeptTrack[]>([]);
  const [recordings, setRecordings] = useState<readonly KeptRecording[]>([]);
  const reload = useCallback(() => {
    void listKeptTracks().then(setTracks);
    void listRecordings().then(setRecordings);
  }, []);
  useEffect(reload, [reload]);
  const userId = user?.id ?? null;
  useEffect(() => {
    // Another driver has another best lap.
    if (!navigator.onLine || userId === undefined) return;
    void import('#web/features/drive/fetch-track.ts')
      .then(({ refreshKeptTracks }) => refreshKeptTracks())
      .then(setTracks)
      .catch(() => undefined);
  }, [userId]);
  return { tracks, recordings, reload };
}
