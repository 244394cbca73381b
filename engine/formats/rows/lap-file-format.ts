import { at, FixRecorder, pickFixes, type FixColumns } from '../../fix-columns.ts';
import type { Channels } from '../../channels.ts';
import { isNullIsland, isOnEarth } from '../../geo.ts';
import {
  UnreadableLapFileError,
  type Clock,
  type DropCounts,
  type DropReason,
  type LapFile,
} from '../../lap-file.ts';
import { repairClock } from './clock-repair.ts';
import { findRowOrder, isInBlocks } from './row-order.ts';
import { findSpeedUnit, withSpeedUnit } from './speed-unit.ts';

/** Describes a file of text: its bytes without a byte-order mark (ASCII characters are single bytes), and its beginning as characters. */
export type LapFileText = { bytes: Uint8Array; head: string };

/** Describes one way in which loggers write lap files. */
export type LapFileFormat = {
  /** Stable name for machines: `racechrono-csv-v3`. */
  format: string;
  /** Name for people. */
  name: string;
  /** Returns true for a file of this format, by its content alone. */
  recognise: (text: LapFileText) => boolean;
  /** Throws UnreadableLapFileError where the file holds no timed position. */
  read: (text: LapFileText) => LapFileContent;
};

/** Describes what a format reads from a file. What only few formats can tell may be left out. */
export type LapFileContent = Omit<LapFile, 'format' | RareField> & Partial<Pick<LapFile, RareField>>;

type RareField = 'partStarts' | 'receiverRateHz' | 'startFinishLine' | 'accuracy' | 'isSimulated';

/** Collects the fixes of a lap file and counts the rows that do not become one. */
export class LapFileRecorder {
  readonly dropped: DropCounts = {};
  readonly #fixes = new FixRecorder();
  #hasRows = false;

  get length(): number {
    return this.#fixes.length;
  }

  /** Returns whether neither a fix nor a fault was recorded. */
  get isEmpty(): boolean {
    return this.#fixes.length === 0 && !this.#hasRows;
  }

  /**
   * Records one fix and answers true, or counts why it is none and answers false. A time or a coordinate that is not there is NaN.
   * A speed that is none, such as a negative one, is recorded as unknown.
   */
  add(timeMs: number, lat: number, lon: number, speedMetersPerSecond: number): boolean {
    if (Number.isNaN(lat) || Number.isNaN(lon)) return this.drop('no_position');
    if (!(Math.abs(timeMs) < LAST_TIME)) return this.drop('no_time');
    if (!isOnEarth(lat, lon)) return this.drop('out_of_range');
    if (isNullIsland(lat, lon)) return this.drop('no_position');
    if (this.#fixes.length === MOST_FIXES) {
      throw new UnreadableLapFileError(
        `This file holds more than ${MOST_FIXES.toLocaleString('en')} positions; split it into one file per session.`,
      );
    }
    this.#fixes.add(timeMs, lat, lon, speedMetersPerSecond >= 0 ? speedMetersPerSecond : Number.NaN);
    return true;
  }

  /** Records a row that holds neither a fix nor a fault. */
  pass(): void {
    this.#hasRows = true;
  }

  /** Returns the recorded times of the fixes so far. */
  times(): Float64Array {
    return this.#fixes.finish().timesMs;
  }

  /** Counts a row that does not become a fix; answers false. */
  drop(reason: DropReason): false {
    this.#hasRows = true;
    this.dropped[reason] = (this.dropped[reason] ?? 0) + 1;
    return false;
  }

  /**
   * Returns the recorded fixes, oldest first, on a clock that runs on, with the counts of the rows that became none; `isReordered`
   * where the file has them in another order. `toMilliseconds` turns the recorded times into milliseconds, in place, and answers what they count from;
   * `labelledSpeedUnit` is how many metres per second one of the recorded speeds is said to be, null where the file
   * does not say. `channels` have a value for every recorded fix. Throws UnreadableLapFileError where there is no fix.
   */
  finish(
    toMilliseconds: (times: Float64Array) => Clock,
    labelledSpeedUnit: number | null,
    channels: Channels = {},
  ): { fixes: FixColumns; clock: Clock; dropped: DropCounts; isReordered: boolean } {
    this.#requireFixes();
    let fixes: FixColumns = this.#fixes.finish();
    if (Object.keys(channels).length > 0) fixes.channels = channels;
    const clock = toMilliseconds(fixes.timesMs);
    const order = findRowOrder(fixes);
    if (order === 'newest-first') reverseFixes(fixes);
    else if (order === 'none') fixes = sortedByTime(fixes);
    repairClock(fixes, clock);
    const areBlocks = isInBlocks(fixes);
    if (areBlocks) fixes = sortedByTime(fixes);
    const speedUnit = findSpeedUnit(fixes, labelledSpeedUnit);
    return {
      fixes: withSpeedUnit(fixes, speedUnit),
      clock,
      dropped: this.dropped,
      isReordered: areBlocks || order !== 'by-time',
    };
  }

  #requireFixes(): void {
    if (this.#fixes.length > 0) return;
    if (!this.#hasRows) {
      throw new UnreadableLapFileError(
        'This file has no rows of data; check that the session was recorded, and export it again.',
      );
    }
    const { no_time: noTime = 0, no_position: noPosition = 0, out_of_range: outOfRange = 0 } = this.dropped;
    const { unreadable_row: unreadable = 0 } = this.dropped;
    if (noTime > 0 && noTime >= noPosition) {
      throw new UnreadableLapFileError(
        'This file has positions but no times that can be read, so laps cannot be timed.',
      );
    }
    if (outOfRange > noPosition) {
      throw new UnreadableLapFileError(
        'This file has positions that are not latitudes and longitudes in degrees.',
      );
    }
    if (unreadable > noPosition) {
      throw new UnreadableLapFileError(
        'This file has cells for its positions, but no numbers in them that can be read; export plain degrees with a point before the decimals.',
      );
    }
    throw new UnreadableLapFileError(
      'This file has no GPS positions in it; check that the logger had a GPS fix and that the export includes the position.',
    );
  }
}

function reverseFixes({ timesMs, lats, lons, speedsMetersPerSecond, channels = {} }: FixColumns): void {
  for (const column of [timesMs, lats, lons, speedsMetersPerSecond, ...Object.values(channels)])
    column.reverse();
}

function sortedByTime(fixes: FixColumns): FixColumns {
  const order = Int32Array.from(fixes.timesMs.keys());
  return pickFixes(
    fixes,
    order.toSorted((a, b) => at(fixes.timesMs, a) - at(fixes.timesMs, b) || a - b),
  );
}

// Nanoseconds since 1970, the largest numbers that loggers write, reach this in the year 2286.
const LAST_TIME = 1e19;

// The limit is eleven hours of the densest logger, three days at 25 Hz. It keeps a hostile file from claiming gigabytes
// of memory with rows of six bytes each.
const MOST_FIXES = 8_000_000;
