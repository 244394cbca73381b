import { compareLaps } from '#engine/comparison/compare-laps.ts';
import type { ComparedLap, LapComparison } from '#engine/comparison/compare-laps.ts';
import { findPlacesToGain } from '#engine/comparison/places-to-gain.ts';
import type { Cause } from '#engine/comparison/causes.ts';
import type { ComparedStretch, StretchFigures } from '#engine/comparison/stretch-figures.ts';
import { at } from '#engine/fix-columns.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { buildTrackIndex } from '#engine/matching/match-tracks.ts';
import { openLapFile, suggestTracks, timeLaps, timeOnOwnLine } from '#engine/time-lap-file.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import { findBestLap } from '#engine/timing/laps.ts';
import type { Lap } from '#engine/timing/laps.ts';
import { trackFromLine } from '#engine/track.ts';
import type { Track } from '#engine/track.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import {
  chosenTrack,
  CommandError,
  parseCommandLine,
  readBytes,
  readTracks,
  runLapFileCommand,
} from './lap-file-command.ts';

const USAGE = `Usage: npm run compare -- FILE_A FILE_B [--track ID | --line "lat,lon,lat,lon"] [--laps N,M] [--json]

Compares the best laps of two lap files, or those with these numbers, position by position: where the second gains and
loses on the first. Above zero the second is behind.`;

type Wish = {
  files: [first: string, second: string];
  trackId: string | undefined;
  line: string | undefined;
  lapNumbers: [first: number, second: number] | null;
  isJson: boolean;
};

/** Runs the command with these arguments, prints the result, and returns the exit code. */
export function compare(commandLine: string[]): number {
  return runLapFileCommand(
    USAGE,
    () => readWish(commandLine),
    (wish) => {
      const finding = find(wish);
      return wish.isJson ? JSON.stringify(forPrograms(finding)) : forPeople(finding);
    },
  );
}

function readWish(commandLine: string[]): Wish | null {
  const { values, positionals } = parseCommandLine(commandLine, { laps: { type: 'string' } });
  if (values.help === true) return null;
  const [first, second, ...others] = positionals;
  if (first === undefined || second === undefined || others.length > 0)
    throw new CommandError(`Give two lap files. ${USAGE}`);
  return {
    files: [first, second],
    trackId: values.track,
    line: values.line,
    lapNumbers: values.laps === undefined ? null : parseLapNumbers(values.laps),
    isJson: values.json === true,
  };
}

function parseLapNumbers(text: string): [number, number] {
  const match = /^\s*(\d{1,6})\s*,\s*(\d{1,6})\s*$/.exec(text);
  if (match === null)
    throw new CommandError(`--laps takes two numbers of laps as "N,M", one for each file, not "${text}".`);
  return [Number(match[1]), Number(match[2])];
}

type Finding = { laps: [Lap, Lap]; comparison: LapComparison; other: ComparedLap };

function find({ files, trackId, line, lapNumbers }: Wish): Finding {
  const tracks = readTracks();
  const chosen = chosenTrack({ trackId, line }, tracks);
  const [firstBytes, secondBytes] = [readBytes(files[0]), readBytes(files[1])];
  const [first, second] = [openLapFile(firstBytes, inflateLapFile), openLapFile(secondBytes, inflateLapFile)];
  const track = chosen ?? commonTrack(first, second, tracks);
  const laps: [Lap, Lap] = [
    chooseLap(files[0], lapsOn(first, track), lapNumbers?.[0]),
    chooseLap(files[1], lapsOn(second, track), lapNumbers?.[1]),
  ];
  const isSameRecording = Buffer.from(firstBytes).equals(secondBytes);
  const comparison = compareLaps({ ...first, lap: laps[0] }, [{ ...second, lap: laps[1], isSameRecording }], {
    track,
  });
  const [other] = comparison?.laps ?? [];
  if (comparison === null || other === undefined)
    throw new CommandError('These laps were not driven along the same track.');
  return { laps, comparison, other };
}

/**
 * Finds the track of the library that fits the first file best, else one of which only the line in a file is known; null
 * without any line.
 */
function commonTrack(first: OpenedLapFile, second: OpenedLapFile, tracks: Track[]): Track | null {
  const [best] = suggestTracks(first, buildTrackIndex(tracks));
  if (best !== undefined) return best.track;
  const line = first.startFinishLine ?? second.startFinishLine;
  return line === null ? null : trackFromLine(line);
}

function lapsOn(file: OpenedLapFile, track: Track | null): Lap[] {
  return (track === null ? timeOnOwnLine(file) : timeLaps(file, track)).laps;
}

function chooseLap(path: string, laps: readonly Lap[], lapNumber: number | undefined): Lap {
  if (lapNumber !== undefined) {
    const lap = laps.find(({ number }) => number === lapNumber);
    if (lap === undefined)
      throw new CommandError(`${path} has no lap ${lapNumber}: it has ${laps.length} laps.`);
    return lap;
  }
  const best = findBestLap(laps);
  if (best === undefined)
    throw new CommandError(
      `${path} has no lap that counts there. Give the start/finish line with --line "lat,lon,lat,lon".`,
    );
  return best;
}

function forPrograms({ laps, comparison, other }: Finding) {
  return {
    lapTimesMs: laps.map(({ lapTimeMs }) => lapTimeMs),
    offsetMeters: other.offsetMeters,
    meters: Array.from(comparison.meters),
    gapMs: Array.from(other.gapMs),
    bandMs: Array.from(other.bandMs),
    corners: comparison.corners.flatMap((corner) => {
      const stretch = comparison.stretches.find(
        ({ kind, number }) => kind === 'corner' && number === corner.number,
      );
      return stretch === undefined ? [] : [{ ...corner, ...cornerForPrograms(stretch) }];
    }),
    stretches: comparison.stretches.map(pairForPrograms),
    speedsMetersPerSecond: [comparison.reference, other].map((lap) => Array.from(lap.speedsMetersPerSecond)),
    placesToGain: findPlacesToGain(comparison.stretches, 1).flatMap((index) => {
      const stretch = comparison.stretches[index];
      return stretch === undefined ? [] : [placeForPrograms(stretch)];
    }),
  };
}

function cornerForPrograms({ startMeters, endMeters, laps }: ComparedStretch) {
  return {
    stretchStartMeters: startMeters,
    stretchEndMeters: endMeters,
    laps: laps.map(
      ({ startSpeedMetersPerSecond, slowestMetersPerSecond, endSpeedMetersPerSecond, ...figures }) => ({
        ...figures,
        entrySpeedMetersPerSecond: startSpeedMetersPerSecond,
        minSpeedMetersPerSecond: slowestMetersPerSecond,
        exitSpeedMetersPerSecond: endSpeedMetersPerSecond,
      }),
    ),
  };
}

/** Returns a stretch with loss. The speeds are null where the lap is not slower there, or not certainly. */
function placeForPrograms(stretch: ComparedStretch) {
  const [first, second] = stretch.laps;
  const doubt = Math.hypot(first?.speedDoubtMetersPerSecond ?? 0, second?.speedDoubtMetersPerSecond ?? 0);
  const slower = (speeds: [number, number] | null): number | null =>
    speeds !== null && speeds[0] - speeds[1] > doubt ? speeds[0] - speeds[1] : null;
  const pair = pairForPrograms(stretch);
  return {
    ...pair,
    cornerNumber: stretch.kind === 'corner' ? stretch.number : null,
    apexSlowerMetersPerSecond: slower(pair.slowestSpeedsMetersPerSecond),
    exitSlowerMetersPerSecond: slower(pair.endSpeedsMetersPerSecond),
  };
}

/** Returns a stretch with the figures of both laps side by side. */
function pairForPrograms({ laps, ...stretch }: ComparedStretch) {
  const second = laps[1];
  const pair = (figureOf: (figures: StretchFigures) => number | null): [number, number] | null => {
    const [one, other] = laps.map(figureOf);
    return one == null || other == null ? null : [one, other];
  };
  return {
    ...stretch,
    lostMs: second?.lostMs ?? 0,
    bandMs: second?.bandMs ?? 0,
    brakingMeters: pair(({ brakingMeters }) => brakingMeters),
    brakingEarlierMeters: second?.brakingEarlierMeters ?? null,
    startSpeedsMetersPerSecond: pair(({ startSpeedMetersPerSecond }) => startSpeedMetersPerSecond),
    slowestSpeedsMetersPerSecond: pair(({ slowestMetersPerSecond }) => slowestMetersPerSecond),
    slowestMeters: pair(({ slowestMeters }) => slowestMeters),
    endSpeedsMetersPerSecond: pair(({ endSpeedMetersPerSecond }) => endSpeedMetersPerSecond),
    timesMs: pair(({ timeMs }) => timeMs),
    cause: second?.cause ?? null,
  };
}

const ROWS = 20;

function forPeople({ laps: [first, second], comparison, other }: Finding): string {
  const { meters, corners, stretches } = comparison;
  const { gapMs, bandMs, offsetMeters } = other;
  const last = meters.length - 1;
  const rows = Array.from({ length: ROWS + 1 }, (_, row) => {
    const station = Math.round((row * last) / ROWS);
    const speeds = [comparison.reference, other].map(({ speedsMetersPerSecond }) =>
      inKmh(at(speedsMetersPerSecond, station)),
    );
    return [
      `${at(meters, station).toFixed(0)} m`.padStart(8),
      inSeconds(at(gapMs, station)).padStart(8),
      `± ${(at(bandMs, station) / 1000).toFixed(3)}`,
      `${speeds.join(' ')} km/h`,
    ].join('  ');
  });
  const apart = Math.hypot(offsetMeters.east, offsetMeters.north);
  return [
    `First   ${formatLapTime(Math.round(first.lapTimeMs))}  lap ${first.number}`,
    `Second  ${formatLapTime(Math.round(second.lapTimeMs))}  lap ${second.number}, ${inSeconds(at(gapMs, last))} s`,
    ...(apart > 0 ? [`The receivers were ${apart.toFixed(1)} m apart; corrected.`] : []),
    '',
    'Distance  Gap (s)   95 %      Speeds',
    ...rows,
    '',
    'Stretch                From  Lost (s)   95 %    End           Slowest',
    ...stretches.map((stretch) => stretchRow(stretch, corners.length)),
    '',
    ...findPlacesToGain(stretches, 1).flatMap((index) => {
      const stretch = stretches[index];
      return stretch === undefined ? [] : [placeSentence(stretch, corners.length)];
    }),
  ].join('\n');
}

function stretchRow(stretch: ComparedStretch, cornerCount: number): string {
  const { startMeters, laps } = stretch;
  const [first, second] = laps;
  const speeds = (speedOf: (figures: StretchFigures) => number | null): string => {
    const both = laps.map(speedOf);
    return both.map((speed) => (speed === null ? '    ' : inKmh(speed))).join(' ');
  };
  const isCorner = first?.slowestMetersPerSecond !== null;
  return [
    stretchTitle(stretch, cornerCount).padEnd(19),
    `${startMeters.toFixed(0)} m`.padStart(7),
    inSeconds(second?.lostMs ?? 0).padStart(8),
    `± ${((second?.bandMs ?? 0) / 1000).toFixed(3)}`,
    `${speeds(({ endSpeedMetersPerSecond }) => endSpeedMetersPerSecond)} km/h`,
    ...(isCorner ? [`${speeds(({ slowestMetersPerSecond }) => slowestMetersPerSecond)} km/h`] : []),
  ].join('  ');
}

function stretchTitle({ kind, number }: ComparedStretch, cornerCount: number): string {
  if (kind === 'corner') return `Turn ${number}`;
  if (cornerCount === 0) return 'Line to line';
  if (number === 1) return 'Line to Turn 1';
  return number > cornerCount ? `Turn ${cornerCount} to line` : `Straight to Turn ${number}`;
}

const CAUSE_POINTS = {
  'start-speed': 'at the start',
  'slowest-speed': 'at the slowest point',
  'middle-speed': 'on the way',
  'end-speed': 'at the end',
};

function placeSentence(stretch: ComparedStretch, cornerCount: number): string {
  const { lostMs = 0, cause = null } = stretch.laps[1] ?? {};
  const why = cause === null ? '' : `: ${describeCause(cause)}`;
  return `Loses ${(lostMs / 1000).toFixed(3)} s, ${stretchTitle(stretch, cornerCount)}${why}.`;
}

function describeCause(cause: Cause): string {
  return cause.kind === 'braking'
    ? `brakes ${cause.earlierMeters.toFixed(0)} m earlier`
    : `${inKmh(cause.slowerMetersPerSecond).trim()} km/h slower ${CAUSE_POINTS[cause.kind]}, ${cause.atMeters.toFixed(0)} m`;
}

function inKmh(metersPerSecond: number): string {
  return (metersPerSecond * 3.6).toFixed(0).padStart(4);
}

function inSeconds(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1000).toFixed(3)}`;
}
