import { lowerBound } from '../binary-search.ts';
import { at } from '../fix-columns.ts';
import type { ReceiverAccuracy } from '../lap-file.ts';
import { median } from '../statistics.ts';

/** Describes what the receiver claims of its positions, next to what it usually claims in this recording. */
export type TraceAccuracy = ReceiverAccuracy & { usualMeters: number };

/** Adds what the receiver usually claims; null where it claims nothing. */
export function toTraceAccuracy(accuracy: ReceiverAccuracy | null): TraceAccuracy | null {
  const usualMeters = accuracy === null ? null : median([...accuracy.meters]);
  return accuracy !== null && usualMeters !== null && usualMeters > 0 ? { ...accuracy, usualMeters } : null;
}

/**
 * Returns how many times worse than usual the receiver says its positions are at a moment; 1 at least, and 1 where it
 * says nothing. The noise and drift of a trace are measured over the whole of it; under trees or bridges the receiver
 * knows that it is worse.
 */
export function accuracyFactor(accuracy: TraceAccuracy | null, timeMs: number): number {
  if (accuracy === null) return 1;
  const { timesMs, meters, usualMeters } = accuracy;
  const after = lowerBound(timesMs, timeMs);
  const near = [after - 1, after].filter((index) => Math.abs(at(timesMs, index) - timeMs) <= NEAR_MS);
  return Math.max(1, ...near.map((index) => at(meters, index) / usualMeters));
}

/** Claims about positions farther away say nothing about a crossing. */
export const NEAR_MS = 2000;
