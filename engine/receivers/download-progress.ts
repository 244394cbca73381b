/** Describes how far a download has come. */
export type DownloadProgress = {
  phase: 'waiting' | 'running' | 'done' | 'failed';
  /** Counts what has come, parts that were kept before included; in the unit of `total`. */
  received: number;
  /** Null until the device has said it. */
  total: number | null;
  /** Bytes a second over the last seconds; null before the first. */
  bytesPerSecond: number | null;
  /** Null where it is unknown yet. */
  remainingSeconds: number | null;
  /** Says what went wrong, in a sentence for the driver. */
  problem: string | null;
};

const WINDOW_MS = 4000;
/** One mark for every so much time is enough. */
const MARK_EVERY_MS = 200;

/** Measures the rate of a download over the last seconds. */
export class DownloadRate {
  #marks: { atMs: number; bytes: number; units: number }[] = [];
  #bytes = 0;
  #units = 0;

  /** Counts what has come at a moment: bytes, and units such as records. */
  add(atMs: number, bytes: number, units: number): void {
    this.#bytes += bytes;
    this.#units += units;
    const last = this.#marks.at(-1);
    if (last !== undefined && atMs - last.atMs < MARK_EVERY_MS) return;
    this.#marks.push({ atMs, bytes: this.#bytes, units: this.#units });
    this.#marks = this.#marks.filter((mark) => atMs - mark.atMs <= WINDOW_MS);
  }

  get bytesPerSecond(): number | null {
    return this.#perSecond('bytes');
  }

  /** Returns how long so many more units take at this rate. */
  remainingSeconds(units: number | null): number | null {
    const rate = this.#perSecond('units');
    return rate === null || rate === 0 || units === null ? null : Math.max(0, units) / rate;
  }

  #perSecond(what: 'bytes' | 'units'): number | null {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    if (first === undefined || last === undefined || last.atMs <= first.atMs) return null;
    return (1000 * (last[what] - first[what])) / (last.atMs - first.atMs);
  }
}
