import { useEffect, useState } from 'react';
import { create } from 'zustand';
import type { LiveCode } from '#contract/live/code.ts';
import type { LiveSharing } from '#contract/live/schemas.ts';
import type { LiveVisibility } from '#contract/live/labels.ts';
import type { TrackId } from '#contract/ids.ts';
import { describeError } from '#web/api/api-error.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { useIsOnline } from '#web/features/drive/device-state.ts';
import type { DriveSession } from '#web/features/drive/drive-session.ts';
import { sendFixes, sendNow, startSharing, stopSharing } from '#web/features/live/live-sender.ts';
import { ShareLiveDialog } from '#web/features/live/share-live-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { isLiveCode } from '#web/ui/url-ids.ts';
import { showToast } from '#web/ui/toasts.ts';
import styles from './drive-share.module.css';

// Off until the driver switches it on, for one drive.
const useSharing = create<{ sharing: LiveSharing | null }>(() => ({ sharing: null }));

async function begin(trackId: TrackId, visibility: LiveVisibility): Promise<void> {
  const code = findJoinedCode();
  const sharing = await startSharing({ trackId, visibility, ...(code && { code }) }, (state) => {
    if (state === 'ended') useSharing.setState({ sharing: null });
  });
  useSharing.setState({ sharing });
}

/** Returns the code of the live session that led to this page with `?live=`. The server says whether it is on this track. */
function findJoinedCode(): LiveCode | null {
  const code = new URLSearchParams(window.location.search).get('live');
  return isLiveCode(code) ? code : null;
}

async function end(): Promise<void> {
  if (useSharing.getState().sharing === null) return;
  useSharing.setState({ sharing: null });
  // Without a network it ends by itself at the server, because nothing comes any more.
  await stopSharing().catch(() => undefined);
}

/** The last positions are on their way for this long. */
const LAST_BATCH_MS = 2_000;

/** Sends the positions of a drive to those who watch, as long as it lasts. */
export function useShareDrive(session: DriveSession): void {
  useEffect(() => {
    const stopListening = session.listen((fix) => {
      if (useSharing.getState().sharing !== null && session.state.phase === 'driving') sendFixes([fix]);
    });
    const unsubscribe = session.store.subscribe(({ phase, live }, before) => {
      if (live.linesPassed > before.live.linesPassed) sendNow();
      if (phase !== 'after' || before.phase !== 'driving') return;
      sendNow();
      window.setTimeout(() => void end(), LAST_BATCH_MS);
    });
    return () => {
      stopListening();
      unsubscribe();
    };
  }, [session]);
}

/** Lets the driver share one drive live. */
export function ShareLive({ trackId }: { trackId: TrackId | null }) {
  const { user } = useCurrentUser();
  const isOnline = useIsOnline();
  const { sharing } = useSharing();
  const [visibility, setVisibility] = useState<LiveVisibility>('link');
  const [isBusy, setIsBusy] = useState(false);
  const [showsLink, setShowsLink] = useState(false);
  const isOn = sharing !== null;
  const lacks = findLack({ isSignedIn: user !== null, isOnline, hasTrack: trackId !== null });

  async function change(isWanted: boolean): Promise<void> {
    setIsBusy(true);
    try {
      if (!isWanted) await end();
      else if (trackId !== null) await begin(trackId, visibility);
    } catch (error) {
      const description = describeError(
        error,
        'The server could not be reached. The drive is recorded all the same.',
      );
      showToast({ title: 'Not shared', description, destructive: true });
    } finally {
      setIsBusy(false);
    }
  }

  return (
    <div className={styles['share']}>
      <Switch
        label="Share live"
        hint={isOn ? describeSharing(sharing) : (lacks ?? 'Off. Only you see this drive.')}
        checked={isOn}
        disabled={isBusy || (!isOn && lacks !== null)}
        onChange={({ target }) => void change(target.checked)}
      />
      {!isOn && lacks === null && (
        <SelectField
          label="Who may watch"
          value={visibility}
          onChange={({ target }) => setVisibility(target.value === 'everybody' ? 'everybody' : 'link')}
        >
          <option value="link">Who has the link</option>
          <option value="everybody">Everybody on this Pitboard</option>
        </SelectField>
      )}
      {isOn && (
        <Button size="small" onClick={() => setShowsLink(true)}>
          Show the link
        </Button>
      )}
      {isOn && showsLink && <ShareLiveDialog code={sharing.code} onClose={() => setShowsLink(false)} />}
    </div>
  );
}

type Conditions = { isSignedIn: boolean; isOnline: boolean; hasTrack: boolean };

function findLack({ isSignedIn, isOnline, hasTrack }: Conditions): string | null {
  if (!isSignedIn) return 'Off. Sign in to share.';
  if (!isOnline) return 'Off. There is no network to share over.';
  return hasTrack ? null : 'Off. Choose a track to share.';
}

function describeSharing({ visibility, showsLine }: LiveSharing): string {
  const who = visibility === 'link' ? 'Who has the link sees' : 'Everybody sees';
  const what = showsLine ? 'your laps, sectors and place on the track' : 'your laps and sectors';
  return `On, until this drive ends. ${who} ${what}.`;
}
