import type { LiveView } from './drive-state.ts';
import type { KeptLap } from './kept-tracks.ts';

/** The bar is full at this gap. */
const FULL_MS = 1_000;
/** Bar and figure stand still for this long after a line, so that they can be read. */
const HOLD_AFTER_LINE_MS = 3_000;
/** The figure changes this often; a number that changes at every position cannot be read. */
const FIGURE_EVERY_MS = 500;

/** The gap of the bar, which follows every position, and that of the figure; with what they were held since. */
export type HeldGap = {
  barMs: number | null;
  figureMs: number | null;
  linesPassed: number;
  heldUntilMs: number;
  figureAtMs: number;
};

/** Returns the gaps to show after the next position: those at the line for a while after it, else those of the car. */
export function holdGap(
  before: HeldGap,
  { state: { phase, gapMs, lineGapMs }, linesPassed }: LiveView,
  nowMs: number,
): HeldGap {
  const heldUntilMs = linesPassed === before.linesPassed ? before.heldUntilMs : nowMs + HOLD_AFTER_LINE_MS;
  if (nowMs < heldUntilMs && lineGapMs !== null && phase !== 'hole')
    return { barMs: lineGapMs, figureMs: lineGapMs, linesPassed, heldUntilMs, figureAtMs: nowMs };
  const isDue = before.figureMs === null || gapMs === null || nowMs - before.figureAtMs >= FIGURE_EVERY_MS;
  return {
    barMs: gapMs,
    figureMs: isDue ? gapMs : before.figureMs,
    linesPassed,
    heldUntilMs,
    figureAtMs: isDue ? nowMs : before.figureAtMs,
  };
}

/** Returns the end of the bar from the middle, as a share of one side: left of it (ahead) below zero. */
export function barShare(gapMs: number): number {
  return Math.max(-1, Math.min(1, gapMs / FULL_MS));
}

/** Formats a gap with its sign: −0.31. A gap that rounds to zero has none. */
export function formatGap(gapMs: number, decimals: 1 | 2): string {
  const seconds = (Math.abs(gapMs) / 1000).toFixed(decimals);
  if (Number(seconds) === 0) return seconds;
  return `${gapMs < 0 ? '−' : '+'}${seconds}`;
}

/** The phone's own positions are too coarse for hundredths. */
export function gapDecimals(rateHz: number | null): 1 | 2 {
  return rateHz !== null && rateHz >= 4.5 ? 2 : 1;
}

/** Returns the words above the bar: the direction, as the figure below has it, and against whom. */
export function describeGap(
  gapMs: number,
  decimals: 1 | 2,
  reference: KeptLap | null,
): { direction: string; of: string } {
  const whose = nameReference(reference);
  if (Number((gapMs / 1000).toFixed(decimals)) === 0) return { direction: 'Level', of: `with ${whose}` };
  return gapMs < 0 ? { direction: 'Ahead', of: `of ${whose}` } : { direction: 'Behind', of: whose };
}

function nameReference(reference: KeptLap | null): string {
  if (reference === null) return 'this drive';
  if (reference.kind === 'own') return 'your best';
  return reference.kind === 'record' ? 'the record' : shorten(reference.driverName);
}

function shorten(name: string): string {
  const [first = name] = name.split(' ');
  return first.length > 12 ? `${first.slice(0, 11)}…` : first;
}
