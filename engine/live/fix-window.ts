import type { TracedLap } from '../comparison/lap-trace.ts';
import { lowerBound } from '../binary-search.ts';
import { at, type FixColumns } from '../fix-columns.ts';
import type { MeasuredTrace } from '../timing/crossings.ts';
import { estimateNoise } from '../timing/position-noise.ts';
import { correctPeriodicOffsets } from '../trace/periodic-time-offsets.ts';
import { buildTrace } from '../trace/trace.ts';

/** The longest laps take ten minutes, 15,000 fixes at 25 Hz. */
const FIXES_MAX = 24_000;
const FIXES_KEPT = 18_000;
/** Enough to see how good speeds and positions are: over a minute at 25 Hz. */
const MEASURED_FIXES = 2000;

/** Holds the latest fixes of an unbroken stretch; the memory that it takes never grows. */
export class FixWindow {
  readonly #timesMs = new Float64Array(FIXES_MAX);
  readonly #lats = new Float64Array(FIXES_MAX);
  readonly #lons = new Float64Array(FIXES_MAX);
  readonly #speeds = new Float64Array(FIXES_MAX);
  #length = 0;
  /** Keeps what `measure` gave for the fixes so far. */
  #measured: MeasuredTrace | null = null;

  get length(): number {
    return this.#length;
  }

  /** Adds a fix that is later than those before; NaN for an unknown speed. */
  add(timeMs: number, lat: number, lon: number, speedMetersPerSecond: number): void {
    if (this.#length === FIXES_MAX) this.#dropOldest();
    const index = this.#length;
    this.#timesMs[index] = timeMs;
    this.#lats[index] = lat;
    this.#lons[index] = lon;
    this.#speeds[index] = speedMetersPerSecond;
    this.#length += 1;
    this.#measured = null;
  }

  clear(): void {
    this.#length = 0;
    this.#measured = null;
  }

  /** Returns the position so many fixes before the last one. */
  position(before: number): { lat: number; lon: number } {
    const index = this.#length - 1 - before;
    return { lat: at(this.#lats, index), lon: at(this.#lons, index) };
  }

  /** Returns the trace of the latest fixes, with the quality of its speeds and positions, as a lap file with nothing else would have it. */
  measure(): MeasuredTrace {
    if (this.#measured !== null) return this.#measured;
    const { trace, speeds } = correctPeriodicOffsets(
      buildTrace({
        format: 'live',
        fixes: this.#columns(Math.max(0, this.#length - MEASURED_FIXES)),
        partStarts: [0],
        clock: 'utc',
        dropped: {},
        loggerLaps: [],
        receiverRateHz: null,
        startFinishLine: null,
        accuracy: null,
        isSimulated: false,
      }),
    );
    this.#measured = { trace, speeds, noise: estimateNoise(trace, speeds) };
    return this.#measured;
  }

  /** Returns a lap that has just ended with its fixes; null where its beginning is not here any more. */
  cutLap(startTimeMs: number, lapTimeMs: number): TracedLap | null {
    if (this.#length === 0 || at(this.#timesMs, 0) > startTimeMs) return null;
    const first = lowerBound(this.#timesMs, startTimeMs, 0, this.#length - 1);
    const { trace, speeds, noise } = this.measure();
    const { intervalMs, receiverIntervalMs, timestampStepMs } = trace;
    return {
      trace: {
        fixes: this.#columns(Math.max(0, first - FIXES_BEFORE_LAP)),
        intervalMs,
        receiverIntervalMs,
        timestampStepMs,
      },
      lap: { startTimeMs, lapTimeMs, uncertaintyMs: 0 },
      noise,
      speeds,
    };
  }

  #columns(first: number): FixColumns {
    const cut = (column: Float64Array) => column.slice(first, this.#length);
    return {
      length: this.#length - first,
      timesMs: cut(this.#timesMs),
      lats: cut(this.#lats),
      lons: cut(this.#lons),
      speedsMetersPerSecond: cut(this.#speeds),
    };
  }

  #dropOldest(): void {
    for (const column of [this.#timesMs, this.#lats, this.#lons, this.#speeds])
      column.copyWithin(0, FIXES_MAX - FIXES_KEPT);
    this.#length = FIXES_KEPT;
  }
}

/** The curve through the positions needs some before the line. */
const FIXES_BEFORE_LAP = 50;
