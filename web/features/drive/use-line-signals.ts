import { useEffect } from 'react';
import type { DriveSession } from './drive-session.ts';
import { useDriveSettings } from './drive-settings.ts';
import { signalLine } from './line-signals.ts';

/** Sounds and vibrates at every line of the drive, as the driver wants it. */
export function useLineSignals(session: DriveSession): void {
  useEffect(
    () =>
      session.store.subscribe(({ phase, live }, before) => {
        if (phase !== 'driving' || live.linesPassed <= before.live.linesPassed) return;
        // The gap at the line is the one before it: at the start of a lap there is none.
        signalLine(live.state.gapMs ?? before.live.state.gapMs, useDriveSettings.getState());
      }),
    [session],
  );
}
