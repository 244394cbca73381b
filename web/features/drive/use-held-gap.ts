import { useEffect, useRef, useState } from 'react';
import type { LiveView } from './drive-state.ts';
import { FIGURE_EVERY_MS, HOLD_AFTER_LINE_MS } from './gap-view.ts';

type Held = { barMs: number | null; figureMs: number | null };

/** Returns the gap of the bar, which follows every position, and of the figure, which changes twice a second. Both stand still after a line. */
export function useHeldGap({ state: { gapMs }, linesPassed }: LiveView): Held {
  const [held, setHeld] = useState<Held>({ barMs: gapMs, figureMs: gapMs });
  const line = useRef({ passed: linesPassed, heldUntilMs: 0 });
  const figureAtMs = useRef(0);
  useEffect(() => {
    const now = performance.now();
    const isNewLine = line.current.passed !== linesPassed;
    if (isNewLine) line.current = { passed: linesPassed, heldUntilMs: now + HOLD_AFTER_LINE_MS };
    else if (now < line.current.heldUntilMs && gapMs !== null) return;
    const isDue = isNewLine || gapMs === null || now - figureAtMs.current >= FIGURE_EVERY_MS;
    if (isDue) figureAtMs.current = now;
    setHeld((before) => ({
      barMs: gapMs,
      figureMs: isDue || before.figureMs === null ? gapMs : before.figureMs,
    }));
  }, [gapMs, linesPassed]);
  return held;
}
