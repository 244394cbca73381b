import { useEffect, useState } from 'react';
import type { DriveSession } from './drive-session.ts';
import { holdGap, type HeldGap } from './gap-view.ts';

/** Returns the gap of the bar, which follows every position, and of the figure, which changes twice a second. Both stand still after a line. */
export function useHeldGap({ store }: DriveSession): Pick<HeldGap, 'barMs' | 'figureMs'> {
  const [held, setHeld] = useState<HeldGap>(() => {
    const { state, linesPassed } = store.getState().live;
    return { barMs: state.gapMs, figureMs: state.gapMs, linesPassed, heldUntilMs: 0, figureAtMs: 0 };
  });
  useEffect(
    () =>
      store.subscribe(({ live }, before) => {
        if (live === before.live) return;
        const now = performance.now();
        setHeld((shown) => holdGap(shown, live, now));
      }),
    [store],
  );
  return held;
}
