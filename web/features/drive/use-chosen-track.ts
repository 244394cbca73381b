import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { DriveSession } from './drive-session.ts';
import { findTrack } from './find-track.ts';
import type { KeptTrack } from './kept-tracks.ts';

/** Chooses the track at the position of the receiver, until the driver chooses one. */
export function useChosenTrack(
  session: DriveSession,
  tracks: readonly KeptTrack[],
): { isFound: boolean; isOwnChoice: boolean; choose: (track: KeptTrack | null) => void } {
  const [isOwnChoice, setIsOwnChoice] = useState(false);
  const { track: chosen, reference, signal } = useStore(session.store);
  const found = signal.position === null ? null : findTrack(tracks, signal.position);
  const foundTrack = found?.kept ?? null;
  useEffect(() => {
    if (isOwnChoice || foundTrack === null || foundTrack === chosen) return;
    // The same track, fetched again, keeps the lap that the driver has chosen.
    const isSame = foundTrack.track.id === chosen?.track.id;
    const same = foundTrack.laps.find(({ kind }) => kind === reference?.kind);
    session.chooseTrack(foundTrack, isSame ? (same ?? null) : (foundTrack.laps[0] ?? null));
  }, [session, isOwnChoice, foundTrack, chosen, reference]);
  return {
    isFound: !isOwnChoice && foundTrack !== null,
    isOwnChoice,
    choose: (track) => {
      setIsOwnChoice(true);
      session.chooseTrack(track, track?.laps[0] ?? null);
    },
  };
}
