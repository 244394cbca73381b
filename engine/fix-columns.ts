import { mapChannels, type Channels } from './channels.ts';

/**
 * Holds timed GPS positions, one column per quantity. Columns rather than objects, because a lap file can hold a
 * million rows: this way an hour at 25 Hz takes 3 MB instead of 13. Every column has `length` entries, always.
 */
export type FixColumns = {
  length: number;
  /** Milliseconds, fractions included, on the clock of the lap file. */
  timesMs: Float64Array;
  /** Degrees, WGS 84. */
  lats: Float64Array;
  lons: Float64Array;
  /** Ground speed measured by the receiver; NaN where it gave none. */
  speedsMetersPerSecond: Float64Array;
  /** Values of the logger's other sensors at the moment of every fix; absent where it recorded none. */
  channels?: Channels;
};

/**
 * Reads one entry of a column. The caller's loop keeps `index` in range; outside of it the answer is NaN, and a single such
 * read makes V8 read all columns half as fast from then on. Asking for the range here would cost a quarter.
 */
export function at(column: Float64Array, index: number): number {
  return column[index] ?? Number.NaN;
}

/** Makes a column of values by their index, several times as fast as `Float64Array.from`. */
export function columnOf(length: number, value: (index: number) => number): Float64Array<ArrayBuffer> {
  const column = new Float64Array(length);
  for (let index = 0; index < length; index += 1) column[index] = value(index);
  return column;
}

export function pickFixes(fixes: FixColumns, rows: Int32Array): FixColumns {
  const pick = (column: Float64Array): Float64Array => {
    const picked = new Float64Array(rows.length);
    for (let index = 0; index < rows.length; index += 1) picked[index] = at(column, rows[index] ?? 0);
    return picked;
  };
  return {
    length: rows.length,
    timesMs: pick(fixes.timesMs),
    lats: pick(fixes.lats),
    lons: pick(fixes.lons),
    speedsMetersPerSecond: pick(fixes.speedsMetersPerSecond),
    ...(fixes.channels && { channels: mapChannels(fixes.channels, pick) }),
  };
}

/** Collects fixes whose number is not known beforehand. */
export class FixRecorder {
  #length = 0;
  #timesMs = new Float64Array(FIRST_CAPACITY);
  #lats = new Float64Array(FIRST_CAPACITY);
  #lons = new Float64Array(FIRST_CAPACITY);
  #speedsMetersPerSecond = new Float64Array(FIRST_CAPACITY);

  get length(): number {
    return this.#length;
  }

  /** Adds one fix at the end: degrees, metres per second, NaN for an unknown speed. Takes every value as it is. */
  add(timeMs: number, lat: number, lon: number, speedMetersPerSecond: number): void {
    const index = this.#length;
    if (index === this.#timesMs.length) this.#grow();
    this.#timesMs[index] = timeMs;
    this.#lats[index] = lat;
    this.#lons[index] = lon;
    this.#speedsMetersPerSecond[index] = speedMetersPerSecond;
    this.#length = index + 1;
  }

  /** Returns the fixes so far, in columns of exactly that length; later additions do not change them. */
  finish(): FixColumns {
    const length = this.#length;
    return {
      length,
      timesMs: this.#timesMs.slice(0, length),
      lats: this.#lats.slice(0, length),
      lons: this.#lons.slice(0, length),
      speedsMetersPerSecond: this.#speedsMetersPerSecond.slice(0, length),
    };
  }

  #grow(): void {
    this.#timesMs = twiceAsLong(this.#timesMs);
    this.#lats = twiceAsLong(this.#lats);
    this.#lons = twiceAsLong(this.#lons);
    this.#speedsMetersPerSecond = twiceAsLong(this.#speedsMetersPerSecond);
  }
}

// The smallest files that people upload have seven minutes at 10 Hz.
const FIRST_CAPACITY = 4096;

function twiceAsLong(column: Float64Array): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(2 * column.length);
  longer.set(column);
  return longer;
}
