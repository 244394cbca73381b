import { useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { create } from 'zustand';
import type { LiveCode } from '#contract/live/code.ts';
import type { LiveSharing } from '#contract/live/schemas.ts';
import type { TrackId } from '#contract/ids.ts';
import { describeError } from '#web/api/api-error.ts';
import type { SharingOptions } from '#web/api/live-sharing.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { useIsOnline } from '#web/features/drive/device-state.ts';
import type { DriveSession } from '#web/features/drive/drive-session.ts';
import {
  resumeSharing,
  sendFixes,
  sendNow,
  type SharingState,
  startSharing,
  stopSharing,
} from '#web/features/live/live-sender.ts';
import { ShareLiveDialog } from '#web/features/live/share-live-dialog.tsx';
import { loginPath } from '#web/shell/return-path.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { isLiveCode } from '#web/ui/url-ids.ts';
import { showToast } from '#web/ui/toasts.ts';
import { ShareChoice } from './drive-share-choice.tsx';
import styles from './drive-share.module.css';

// Off until the driver switches it on, for one drive.
const useSharing = create<{ sharing: LiveSharing | null }>(() => ({ sharing: null }));

/** True while the server does not know yet that a sharing has ended. */
let mustEnd = false;

const forgetEnded = (state: SharingState): void => {
  if (state === 'ended') useSharing.setState({ sharing: null });
};

async function begin(choice: Omit<SharingOptions, 'code'>): Promise<void> {
  const code = findJoinedCode();
  const sharing = await startSharing({ ...choice, ...(code && { code }) }, forgetEnded);
  mustEnd = false;
  useSharing.setState({ sharing });
}

/** Returns the code of the live session that led to this page with `?live=`. The server says whether it is on this track. */
function findJoinedCode(): LiveCode | null {
  const code = new URLSearchParams(window.location.search).get('live');
  return isLiveCode(code) ? code : null;
}

async function end(): Promise<void> {
  useSharing.setState({ sharing: null });
  mustEnd = true;
  await stopSharing();
  mustEnd = false;
}

/** Takes over what the account shares already, after a reload of the page or from another device: the page says so, and can end it. */
async function takeOver(): Promise<void> {
  if (mustEnd) return await end();
  const sharing = await resumeSharing(forgetEnded);
  useSharing.setState({ sharing });
}

/** The last positions are on their way for this long. */
const LAST_BATCH_MS = 2_000;

/** Ends with the drive. Without a network the server hears of it later; nothing more comes to those who watch. */
function endSoon(ended: LiveSharing | null): void {
  sendNow();
  window.setTimeout(() => {
    // The driver may share the next drive already.
    if (ended !== null && useSharing.getState().sharing === ended) void end().catch(() => undefined);
  }, LAST_BATCH_MS);
}

/** Sends the positions of a drive to those who watch, as long as it lasts. */
export function useShareDrive(session: DriveSession): void {
  useEffect(() => {
    const stopListening = session.listen((fix) => {
      if (useSharing.getState().sharing !== null && session.state.phase === 'driving') sendFixes([fix]);
    });
    const unsubscribe = session.store.subscribe(({ phase, live }, before) => {
      if (live.linesPassed > before.live.linesPassed) sendNow();
      if (phase === 'after' && before.phase === 'driving') endSoon(useSharing.getState().sharing);
    });
    return () => {
      stopListening();
      unsubscribe();
    };
  }, [session]);
  const userId = useCurrentUser().user?.id ?? null;
  const isOnline = useIsOnline();
  useEffect(() => {
    if (userId !== null && isOnline) void takeOver().catch(() => undefined);
  }, [userId, isOnline]);
}

/** Lets the driver share one drive live. */
export function ShareLive({ trackId }: { trackId: TrackId | null }) {
  const { user } = useCurrentUser();
  const isOnline = useIsOnline();
  const { sharing } = useSharing();
  const [isBusy, setIsBusy] = useState(false);
  const [shown, setShown] = useState<'choice' | 'link' | null>(null);
  const lacks = findLack({ isSignedIn: user !== null, isOnline, hasTrack: trackId !== null });

  async function attempt(work: () => Promise<void>): Promise<void> {
    setIsBusy(true);
    try {
      await work();
      setShown(null);
    } catch (error) {
      const description = `${describeError(error)} The drive is recorded all the same.`;
      showToast({ title: sharing === null ? 'Not shared' : 'Not ended yet', description, destructive: true });
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <div className={styles['share']}>
      <Switch
        label="Share live"
        hint={sharing === null ? (lacks ?? 'Off. Only you see this drive.') : describeSharing(sharing)}
        checked={sharing !== null}
        disabled={isBusy || (sharing === null && lacks !== null)}
        onChange={({ target }) => (target.checked ? setShown('choice') : void attempt(end))}
      />
      <GuestSignIn isOnline={isOnline} />
      {sharing !== null && (
        <Button size="small" onClick={() => setShown('link')}>
          Show the link
        </Button>
      )}
      {sharing !== null && shown === 'link' && (
        <ShareLiveDialog code={sharing.code} onClose={() => setShown(null)} />
      )}
      {sharing === null && shown === 'choice' && trackId !== null && (
        <ShareChoice
          isBusy={isBusy}
          onChosen={(choice) => void attempt(() => begin({ ...choice, trackId }))}
          onClose={() => setShown(null)}
        />
      )}
    </div>
  );
}

/** Leads a guest to the sign-in and back. */
function GuestSignIn({ isOnline }: { isOnline: boolean }) {
  const { user } = useCurrentUser();
  const [path] = useLocation();
  const search = useSearch();
  if (user !== null || !isOnline) return null;
  return (
    <ButtonLink size="small" href={loginPath(path, search)}>
      Sign In
    </ButtonLink>
  );
}

type Conditions = { isSignedIn: boolean; isOnline: boolean; hasTrack: boolean };

function findLack({ isSignedIn, isOnline, hasTrack }: Conditions): string | null {
  if (!isOnline) return 'Off. There is no network to share over.';
  if (!isSignedIn) return 'Off. Sign in to share.';
  return hasTrack ? null : 'Off. Choose a track to share.';
}

function describeSharing({ visibility, showsLine }: LiveSharing): string {
  const who = visibility === 'link' ? 'Who has the link sees' : 'Everybody sees';
  const what = showsLine ? 'your laps, sectors and place on the track' : 'your laps and sectors';
  return `On, until this drive ends. ${who} ${what}.`;
}
