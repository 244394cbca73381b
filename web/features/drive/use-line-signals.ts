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
        signalLine(live.state.lineGapMs, useDriveSettings.getState());
      }),
    [session],
  );
}
