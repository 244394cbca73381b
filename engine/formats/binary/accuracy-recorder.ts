import type { ReceiverAccuracy } from '../../lap-file.ts';

/** Collects how exactly the receiver itself claims to know each position, fix by fix. */
export class AccuracyRecorder {
  readonly #meters: number[] = [];

  /** Records the accuracy of the next fix: metres, NaN or 0 where the receiver does not say. */
  add(meters: number): void {
    this.#meters.push(meters > 0 && meters < UNKNOWN_METERS ? meters : Number.NaN);
  }

  /** Returns the column for the same fixes, in order of time; null where the receiver says nothing. */
  finish(timesMs: Float64Array): ReceiverAccuracy | null {
    const known = [...this.#meters.keys()].filter(
      (index) => !Number.isNaN(this.#meters[index]) && Number.isFinite(timesMs[index]),
    );
    if (known.length === 0) return null;
    known.sort((a, b) => (timesMs[a] ?? 0) - (timesMs[b] ?? 0) || a - b);
    return {
      timesMs: Float64Array.from(known, (index) => timesMs[index] ?? 0),
      meters: Float64Array.from(known, (index) => this.#meters[index] ?? 0),
    };
  }
}

/** Receivers write the largest number where they do not know. */
const UNKNOWN_METERS = 100_000;
