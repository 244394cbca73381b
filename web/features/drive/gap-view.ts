import type { KeptLap } from './kept-tracks.ts';

/** The bar is full at this gap. */
const FULL_MS = 1_000;
/** Bar and figure stand still for this long after a line, so that they can be read. */
export const HOLD_AFTER_LINE_MS = 3_000;
/** The figure changes this often; a number that changes at every position cannot be read. */
export const FIGURE_EVERY_MS = 500;

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

/** Returns the words above the bar: the direction, and against whom. */
export function describeGap(gapMs: number, reference: KeptLap | null): { direction: string; of: string } {
  const whose = nameReference(reference);
  return gapMs <= 0 ? { direction: 'Ahead', of: `of ${whose}` } : { direction: 'Behind', of: whose };
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
