import { bestSectors } from '#engine/timing/best-sectors.ts';
import { compareLaps } from '#engine/comparison/compare-laps.ts';
import type { ComparedStretch } from '#engine/comparison/stretch-figures.ts';
import { at } from '#engine/fix-columns.ts';
import { hasAscii } from '#engine/formats/binary/binary-format.ts';
import { readIndex, type RangeReading } from '#engine/formats/camera/mp4-samples.ts';
import { readCameraVideo, type CameraRecording } from '#engine/formats/camera/read-camera-video.ts';
import { readPositions } from '#engine/formats/camera/read-positions.ts';
import { writeCameraCsv } from '#engine/formats/camera/write-camera-csv.ts';
import { readLapFile } from '#engine/formats/recognise.ts';
import { planeAround, toPlane, toPosition } from '#engine/geo.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import type { DropCounts, LapFile } from '#engine/lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import type { Lap } from '#engine/timing/laps.ts';
import { buildTrackIndex, matchTracks } from '#engine/matching/match-tracks.ts';
import { openFixes, timeLaps, timeOnOwnLine } from '#engine/time-lap-file.ts';
import type { OpenedLapFile, TimedLaps } from '#engine/time-lap-file.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine } from '#engine/track.ts';
import type { Track } from '#engine/track.ts';

/** Describes what was found in a file, as far as it can be compared with what is found in another. */
export type Outcome = { refusal: string } | { file: LapFile; laps: Lap[][] };

/**
 * Reads a file that may be broken in any way, times it on all of these tracks, and throws where anything is untrue that must be true
 * of every file.
 */
export function examine(bytes: Uint8Array, tracks: readonly Track[]): Outcome {
  const read = examineReading(bytes);
  return 'refusal' in read ? read : { ...read, laps: examineTiming(read.file, tracks) };
}

/** Reads a file alone, and throws where anything is untrue that must be true of all that is read. */
export function examineReading(bytes: Uint8Array): Outcome {
  let file: LapFile;
  try {
    file = readLapFile(isVideo(bytes) ? positionsOf(bytes) : bytes, inflateLapFile);
  } catch (error) {
    if (!(error instanceof UnreadableLapFileError)) throw error;
    must(/^This [^\n]{5,300}\.$/.test(error.message), `a sentence for the driver: ${error.message}`);
    return { refusal: error.message };
  }
  examineLapFile(file);
  return { file, laps: [] };
}

function examineTiming(file: LapFile, tracks: readonly Track[]): Lap[][] {
  const opened = openFixes(file);
  examineTrace(file, opened);
  const all = [...tracks, ...trackThrough(opened)];
  const timed = [...all.map((track) => timeLaps(opened, track)), timeOnOwnLine(opened)];
  for (const laps of timed) examineLaps(opened, laps);
  for (const { confidencePct } of matchTracks(opened.trace, buildTrackIndex(all))) {
    must(confidencePct >= 0 && confidencePct <= 100, `a confidence from 0 to 100, not ${confidencePct}`);
  }
  return timed.map(({ laps }) => laps);
}

function isVideo(bytes: Uint8Array): boolean {
  return hasAscii(bytes, 4, 'ftyp');
}

/** The even rhythm of a receiver may begin so much before the video. */
const MOST_UNEVEN_MS = 150;

/** Returns the lap file that a browser makes of a GoPro's video, and for the sake of the test of every other camera's. */
function positionsOf(video: Uint8Array): Uint8Array {
  const recording =
    readRanges(video, readPositionsOf(video.length)) ?? readRanges(video, readCameraVideo(video.length));
  must(
    recording.mediaTimesMs.length === recording.samples.length &&
      recording.mediaTimesMs.every((timeMs) => timeMs >= -MOST_UNEVEN_MS && timeMs < Infinity),
    'a moment in the video for every position',
  );
  return new TextEncoder().encode(writeCameraCsv(recording, { name: 'video.mp4', fingerprint: '' }));
}

function* readPositionsOf(sizeBytes: number): RangeReading<CameraRecording | null> {
  const index = yield* readIndex(sizeBytes);
  return yield* readPositions({ index, sizeBytes, creationMs: null });
}

function readRanges<Result>(video: Uint8Array, reading: RangeReading<Result>): Result {
  let step = reading.next();
  while (!step.done) {
    const { offset, length } = step.value;
    must(length >= 0 && offset >= 0 && offset + length <= video.length, 'a range within the video');
    step = reading.next(video.subarray(offset, offset + length));
  }
  return step.value;
}

/** Throws where the two are not the same to the last bit. */
export function mustBeEqual(first: Outcome, second: Outcome, when: string): void {
  const [a, b] = [first, second].map((outcome) =>
    JSON.stringify(outcome, (_, value: unknown) => plain(value)),
  );
  must(a === b, `the same ${when}: ${difference(a ?? '', b ?? '')}`);
}

function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(`There must be ${what}.`);
}

function plain(value: unknown): unknown {
  if (value instanceof Float64Array) return Array.from(value, String);
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}

function difference(a: string, b: string): string {
  let index = 0;
  while (index < a.length && a[index] === b[index]) index++;
  const from = Math.max(0, index - 60);
  return `…${a.slice(from, index + 60)}… and …${b.slice(from, index + 60)}…`;
}

/** The latest and earliest moment that JavaScript has a date for. */
const LAST_DATE_MS = 8.64e15;

// Receivers that anybody may buy fall silent at 1000 knots.
const FASTEST_METERS_PER_SECOND = 515;

function examineLapFile({ fixes, partStarts, loggerLaps, dropped, receiverRateHz }: LapFile): void {
  const { length, timesMs, lats, lons, speedsMetersPerSecond } = fixes;
  must(length > 0, 'a position');
  for (const column of [timesMs, lats, lons, speedsMetersPerSecond]) {
    must(column.length === length, 'columns of equal length');
  }
  must(timesMs.every(Number.isFinite), 'times that are numbers');
  must(
    lats.every((lat) => Math.abs(lat) <= 90),
    'latitudes up to 90 degrees',
  );
  must(
    lons.every((lon) => Math.abs(lon) <= 180),
    'longitudes up to 180 degrees',
  );
  must(
    speedsMetersPerSecond.every(
      (speed) => Number.isNaN(speed) || (speed >= 0 && speed <= FASTEST_METERS_PER_SECOND),
    ),
    'speeds that are numbers or unknown',
  );
  must(partStarts[0] === 0, 'a first part');
  must(
    partStarts.every((start, index, all) => index === 0 || (start > (all[index - 1] ?? 0) && start < length)),
    'parts in order',
  );
  must(
    timesMs.every((timeMs) => Math.abs(timeMs) <= LAST_DATE_MS),
    'dates that exist',
  );
  for (const { number, lapTimeMs, startTimeMs } of loggerLaps) {
    must(Number.isFinite(number), `a number of a lap of the logger, not ${number}`);
    must(lapTimeMs > 0 && lapTimeMs < Infinity, `lap times of the logger that are times, not ${lapTimeMs}`);
    must(
      startTimeMs === null || Number.isFinite(startTimeMs),
      `a start of a lap of the logger, not ${startTimeMs}`,
    );
  }
  for (const count of Object.values(dropped))
    must(Number.isInteger(count) && count > 0, 'counts of dropped rows');
  must(
    receiverRateHz === null || (receiverRateHz > 0 && receiverRateHz < Infinity),
    `a rate, not ${receiverRateHz}`,
  );
}

function examineTrace(
  file: LapFile,
  { trace, gpsRateHz, noise, speeds, cumulativeMeters, startTimeMs }: OpenedLapFile,
): void {
  const { fixes, partStarts } = trace;
  for (let fix = 1; fix < fixes.length; fix++) {
    must(at(fixes.timesMs, fix) > at(fixes.timesMs, fix - 1), `rising times at ${fix}`);
  }
  must(
    fixes.length + sumDropped(trace.dropped) === file.fixes.length + sumDropped(file.dropped),
    'every row accounted for',
  );
  must(fixes.length === 0 || partStarts[0] === 0, 'a first part of the trace');
  must(gpsRateHz === null || (gpsRateHz > 0 && gpsRateHz < Infinity), `a rate, not ${gpsRateHz}`);
  must(
    startTimeMs === null || Math.abs(startTimeMs) <= LAST_DATE_MS,
    `a start that is a date, not ${startTimeMs}`,
  );
  must(
    cumulativeMeters.length === fixes.length && cumulativeMeters.every(Number.isFinite),
    'metres that are numbers',
  );
  must(!JSON.stringify([noise, speeds && Object.keys(speeds)]).includes('null,null'), 'known noise');
}

function sumDropped(dropped: DropCounts): number {
  return Object.values(dropped).reduce((sum, count) => sum + count, 0);
}

const ROUNDING_MS = 1e-3;
// Loggers that end a recording at the line may stop a hand's breadth short of it: so far the way is drawn out (crossings.ts).
const BEYOND_EDGE_MS = 30;

function examineLaps(opened: OpenedLapFile, { laps, bestLapTimeMs }: TimedLaps): void {
  const { timesMs, length } = opened.trace.fixes;
  const [first, last] = [at(timesMs, 0), at(timesMs, length - 1)];
  let endMs = -Infinity;
  for (const [index, lap] of laps.entries()) {
    const label = `lap ${lap.number} (${lap.startTimeMs} + ${lap.lapTimeMs})`;
    must(lap.number === index + 1, `${label} in order`);
    must(lap.lapTimeMs > 0 && lap.lapTimeMs < Infinity, `${label} with a time`);
    must(
      lap.uncertaintyMs >= 0 && lap.uncertaintyMs < Infinity,
      `${label} with an uncertainty, not ${lap.uncertaintyMs}`,
    );
    if (!lap.reasons.includes('timed_by_logger')) {
      const rounding = ROUNDING_MS + Math.abs(first) * Number.EPSILON * 4;
      must(lap.startTimeMs >= first - rounding - BEYOND_EDGE_MS, `${label} after the beginning ${first}`);
      must(
        lap.startTimeMs + lap.lapTimeMs <= last + rounding + BEYOND_EDGE_MS,
        `${label} before the end ${last}`,
      );
      must(lap.startTimeMs >= endMs - rounding, `${label} after the lap before`);
      endMs = lap.startTimeMs + lap.lapTimeMs;
    }
    examineSectors(lap, label);
  }
  const ranking = laps.filter(isRanking);
  must(
    bestLapTimeMs === (ranking.length === 0 ? null : Math.min(...ranking.map((lap) => lap.lapTimeMs))),
    'a best lap',
  );
  const { theoreticalBestMs } = bestSectors(laps);
  must(
    theoreticalBestMs === null ||
      bestLapTimeMs === null ||
      theoreticalBestMs <= bestLapTimeMs + ROUNDING_MS ||
      ranking.some((lap) => lap.sectorTimesMs.includes(null)),
    `a theoretical best lap ${theoreticalBestMs} no slower than the best ${bestLapTimeMs}`,
  );
  examineComparison(opened, ranking);
}

function examineSectors({ sectorTimesMs, lapTimeMs }: Lap, label: string): void {
  const known = sectorTimesMs.filter((sector) => sector !== null);
  must(
    known.every((sector) => sector > 0 && sector <= lapTimeMs + ROUNDING_MS),
    `${label} with sectors ${sectorTimesMs.join()}`,
  );
  if (known.length === 0 || known.length < sectorTimesMs.length) return;
  const sum = known.reduce((total, sector) => total + sector, 0);
  must(Math.abs(sum - lapTimeMs) < ROUNDING_MS, `${label} as long as its sectors ${sectorTimesMs.join()}`);
}

function examineStretch({ laps }: ComparedStretch): void {
  for (const { cause: _cause, isBrakingClear: _isBrakingClear, differenceDoubts, ...figures } of laps) {
    const all = [...Object.values(figures), ...Object.values(differenceDoubts)].map((figure) => figure ?? 0);
    must(all.every(Number.isFinite), `a stretch of numbers: ${JSON.stringify(laps)}`);
  }
}

function examineComparison(file: OpenedLapFile, ranking: readonly Lap[]): void {
  const [first, second] = [ranking[0], ranking.at(-1)];
  if (first === undefined || second === undefined || first === second) return;
  if (first.reasons.includes('timed_by_logger') || second.reasons.includes('timed_by_logger')) return;
  const comparison = compareLaps({ ...file, lap: first }, [{ ...file, lap: second, isSameRecording: true }]);
  const [other] = comparison?.laps ?? [];
  if (comparison === null || other === undefined) return;
  const { meters, lats, lons } = comparison;
  const { gapMs, bandMs } = other;
  for (const column of [meters, lats, lons, gapMs, bandMs, other.speedsMetersPerSecond])
    must(column.every(Number.isFinite), 'a comparison of numbers');
  comparison.stretches.forEach(examineStretch);
  const lostMs = comparison.stretches.reduce((sum, { laps }) => sum + (laps[1]?.lostMs ?? 0), 0);
  const gap = second.lapTimeMs - first.lapTimeMs;
  must(Math.abs(lostMs - gap) <= 1, `losses that add up to ${gap}, not ${lostMs}`);
  must(Math.abs(at(gapMs, gapMs.length - 1) - gap) <= 1, `a last gap of ${gap}, not ${gapMs.at(-1)}`);
}

/** Returns a track with a line across the way in the middle of the trace, for files that were driven anywhere. */
function trackThrough({ trace: { fixes } }: OpenedLapFile): Track[] {
  if (fixes.length < 3) return [];
  const middle = fixes.length >> 1;
  const [from, to] = [middle - 1, middle].map((fix) => ({
    lat: at(fixes.lats, fix),
    lon: at(fixes.lons, fix),
  }));
  if (from === undefined || to === undefined) return [];
  const plane = planeAround(from);
  const { x, y } = toPlane(plane, to);
  const reach = 15 / Math.hypot(x, y);
  if (!Number.isFinite(reach)) return [];
  const side = { x: x / 2 + y * reach, y: y / 2 - x * reach };
  const [a, b] = [toPosition(plane, side), toPosition(plane, { x: x - side.x, y: y - side.y })];
  return [trackFromLine(undirectedLine(a, b))];
}
