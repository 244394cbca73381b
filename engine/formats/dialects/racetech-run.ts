/**
 * The recording of Race Technology's loggers (DL1, DL2, AX22): `.RUN`. Facts: the maker's pages on its serial data format and its messages,
 * and TrackDataAnalysis. No real recording was at hand.
 *
 * - The file is the stream of the logger: messages of a kind, its data and the sum of all bytes before it. The kind decides the length; there
 *   is no mark, so that after damage messages are found again by their sums.
 * - Kind 7 is the GPS time in milliseconds of the week and comes before the position (10) and the speed (11) of the same moment. The maker's
 *   two pages give the time stamp (9) 5 and 6 bytes; those that show the whole message have 5.
 * - A position has longitude first, big-endian as all but lap markers, and its accuracy in millimetres. Latitude 90 and longitude 0 are none.
 * - Kind 55 is the date in UTC, which tells the week. Files without it know only the time since the week began.
 * - Kind 4 is written at every marker, with the time of the run in milliseconds, or with that of the GPS week; nothing says which. Marker 0
 *   is the start/finish line.
 */
import { UnreadableLapFileError, type Clock, type LoggerLap } from '../../lap-file.ts';
import { median } from '../../statistics.ts';
import { AccuracyRecorder } from '../binary/accuracy-recorder.ts';
import { viewBytes, type BinaryLapFileFormat } from '../binary/binary-format.ts';
import { gpsTimeToUtcMs, nearestGpsWeek } from '../binary/gps-time.ts';
import { LapFileRecorder } from '../rows/lap-file-format.ts';
import { roundingBetween } from '../rows/lap-rounding.ts';

/** Reads what loggers of Race Technology store: `.run`. */
export const racetechRun: BinaryLapFileFormat = {
  format: 'racetech-run',
  name: 'Race Technology RUN',
  recognise: (bytes) => {
    let [inARow, expectedAt] = [0, 0];
    const beginning = bytes.subarray(0, BEGINNING_BYTES);
    return readMessages(beginning, (_, at, length) => {
      inARow = at === expectedAt ? inARow + 1 : 1;
      expectedAt = at + length;
      return inARow < MESSAGES_TO_RECOGNISE;
    });
  },
  read: readRun,
};

const BEGINNING_BYTES = 4096;
/** One message in 256 is right by chance. */
const MESSAGES_TO_RECOGNISE = 16;

const [LAP_MARKER, GPS_TIME, TIME_STAMP, POSITION, SPEED, DATE] = [4, 7, 9, 10, 11, 55];
/** Maps kinds to the bytes of their messages, kind and sum included; kind 3 has its length behind it. */
const MESSAGE_BYTES: ReadonlyMap<number, number> = new Map([
  ...[1, 104].map((kind) => [kind, 9] as const),
  ...[2, 53].map((kind) => [kind, 11] as const),
  ...[6, GPS_TIME, 8, 90, 94, 217, 228].map((kind) => [kind, 6] as const),
  ...[TIME_STAMP, 18, 72, 74, 91, 93, 95].map((kind) => [kind, 5] as const),
  ...[SPEED, DATE, 56, 57, 85, 96].map((kind) => [kind, 10] as const),
  ...[12, 63, 71, 77].map((kind) => [kind, 3] as const),
  ...Array.from({ length: 32 }, (_, index) => [20 + index, 4] as const),
  [LAP_MARKER, 12],
  [5, 21],
  [POSITION, 14],
  [65, 30],
  [76, 24],
  [92, 4],
  [97, 8],
]);
const TEXT = 3;

/** Calls back for every message with a right sum until it answers false. Returns whether it has. */
function readMessages(
  bytes: Uint8Array,
  onMessage: (kind: number, at: number, length: number) => boolean,
): boolean {
  const sums = sumsBefore(bytes);
  const isRight = (at: number, sumAt: number) =>
    sumAt < bytes.length && (((sums[sumAt] ?? 0) - (sums[at] ?? 0)) & 0xff) === bytes[sumAt];
  for (let at = 0; at < bytes.length;) {
    const kind = bytes[at] ?? 0;
    const length = kind === TEXT ? 3 + (bytes[at + 1] ?? 0) : MESSAGE_BYTES.get(kind);
    if (length === undefined || !isRight(at, at + length - 1)) at += 1;
    else {
      if (!onMessage(kind, at, length)) return true;
      at += length;
    }
  }
  return false;
}

/** Returns the sums of all bytes before each place, so that a long message that is none costs no more than a short one. */
function sumsBefore(bytes: Uint8Array): Uint8Array {
  const sums = new Uint8Array(bytes.length + 1);
  let sum = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    sum = (sum + (bytes[index] ?? 0)) & 0xff;
    sums[index + 1] = sum;
  }
  return sums;
}

function readRun(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const recording = new RunRecording(bytes);
  readMessages(bytes, (kind, at) => {
    recording.see(kind, at + 1);
    return true;
  });
  return recording.finish();
}

type Position = { timeMs: number; lat: number; lon: number; accuracyMeters: number };

class RunRecording {
  readonly #view: DataView;
  readonly #recorder = new LapFileRecorder();
  readonly #accuracies = new AccuracyRecorder();
  readonly #passesMs: number[] = [];
  #position: Position | null = null;
  #weekMs = Number.NaN;
  #runMs = Number.NaN;
  #dateMs = Number.NaN;
  /** Milliseconds from the time of the run to that of the week, by the first position. */
  #offsetMs = Number.NaN;

  constructor(bytes: Uint8Array) {
    this.#view = viewBytes(bytes);
  }

  see(kind: number, at: number): void {
    if (kind === POSITION) this.#readPosition(at);
    else if (kind === SPEED) this.#flush(this.#view.getInt32(at) / 100);
    else if (kind === GPS_TIME) this.#weekMs = this.#view.getUint32(at);
    else if (kind === TIME_STAMP) this.#runMs = 10 * (this.#view.getUint32(at - 1) & 0xff_ffff);
    else if (kind === DATE) this.#readDate(at);
    else if (kind === LAP_MARKER && this.#view.getUint8(at) === 0)
      this.#passesMs.push(this.#view.getUint32(at + 1, true));
  }

  #readPosition(at: number): void {
    this.#flush(Number.NaN);
    const [lon, lat] = [this.#view.getInt32(at) / 1e7, this.#view.getInt32(at + 4) / 1e7];
    if (lat === 90 && lon === 0) {
      this.#recorder.drop('no_position');
      return;
    }
    const accuracyMeters = this.#view.getUint32(at + 8) / 1000;
    this.#position = { timeMs: this.#weekMs, lat, lon, accuracyMeters };
    if (Number.isNaN(this.#offsetMs)) this.#offsetMs = this.#weekMs - this.#runMs;
  }

  /** Adds the position before with the speed of the same moment. */
  #flush(speedMetersPerSecond: number): void {
    if (this.#position === null) return;
    const { timeMs, lat, lon, accuracyMeters } = this.#position;
    if (this.#recorder.add(timeMs, lat, lon, speedMetersPerSecond)) this.#accuracies.add(accuracyMeters);
    this.#position = null;
  }

  #readDate(at: number): void {
    const [second = 0, minute = 0, hour = 0, day = 0, month = 0] = [0, 1, 2, 3, 4].map((place) =>
      this.#view.getUint8(at + place),
    );
    const year = this.#view.getUint16(at + 5);
    const dateMs = Date.UTC(year, month - 1, day, hour, minute, second);
    if (year >= EARLIEST_YEAR && month <= 12 && day <= 31) this.#dateMs = dateMs;
  }

  finish(): ReturnType<BinaryLapFileFormat['read']> {
    this.#flush(Number.NaN);
    if (this.#recorder.length === 0) {
      throw new UnreadableLapFileError(
        'This Race Technology recording holds no GPS positions with times; check that the logger had a fix.',
      );
    }
    const clock: Clock = Number.isNaN(this.#dateMs) ? 'elapsed' : 'utc';
    const toMs = (weekMs: number) =>
      clock === 'elapsed' ? weekMs : gpsTimeToUtcMs(nearestGpsWeek(weekMs, this.#dateMs), weekMs);
    const weekTimesMs = this.#recorder.times();
    const unsorted = weekTimesMs.map(toMs);
    const { fixes } = this.#recorder.finish((times) => {
      times.set(unsorted);
      return clock;
    }, 1);
    return {
      fixes,
      clock,
      dropped: this.#recorder.dropped,
      loggerLaps: this.#findLaps(toMs, weekTimesMs),
      accuracy: this.#accuracies.finish(unsorted),
    };
  }

  /** Finds the laps from pass to pass over the start/finish line; the first ends the out lap. */
  #findLaps(toMs: (weekMs: number) => number, weekTimesMs: Float64Array): LoggerLap[] {
    const sincePassesMs = (median(weekTimesMs) ?? 0) - (median(this.#passesMs) ?? 0);
    const areWeekTimes = Math.abs(sincePassesMs) < Math.abs(sincePassesMs - this.#offsetMs);
    const offsetMs = areWeekTimes ? 0 : this.#offsetMs;
    return this.#passesMs.slice(1).flatMap((passMs, index) => {
      const startMs = this.#passesMs[index] ?? passMs;
      const startTimeMs = toMs(startMs + offsetMs);
      if (!(passMs > startMs) || !Number.isFinite(startTimeMs)) return [];
      return [
        { number: index + 1, lapTimeMs: passMs - startMs, startTimeMs, roundingMs: MARKER_ROUNDING_MS },
      ];
    });
  }
}

const EARLIEST_YEAR = 2000;
const MARKER_ROUNDING_MS = roundingBetween(1, 1);
