import { compareLaps } from '#engine/comparison/compare-laps.ts';
import type { ComparedLap, LapComparison } from '#engine/comparison/compare-laps.ts';
import type { ComparedCorner } from '#engine/comparison/corner-figures.ts';
import type { PlaceToGain } from '#engine/comparison/places-to-gain.ts';
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
  const comparison = compareLaps({ ...first, lap: laps[0] }, [{ ...second, lap: laps[1], isSameRecording }]);
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
    corners: comparison.corners,
    placesToGain: other.placesToGain,
  };
}

const ROWS = 20;

function forPeople({ laps: [first, second], comparison, other }: Finding): string {
  const { meters, corners } = comparison;
  const { gapMs, bandMs, offsetMeters, placesToGain } = other;
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
    ...(corners.length === 0
      ? []
      : ['Corner      Apex  Lost (s)   95 %    Slowest', ...corners.map(cornerRow)]),
    ...placesToGain.map(placeSentence),
  ].join('\n');
}

function cornerRow({ number, direction, apexMeters, laps: [first, second] }: ComparedCorner): string {
  const speeds = [first, second].map((lap) => inKmh(lap?.minSpeedMetersPerSecond ?? Number.NaN));
  return [
    `${String(number).padStart(2)} ${direction}`.padEnd(8),
    `${apexMeters.toFixed(0)} m`.padStart(7),
    inSeconds(second?.lostMs ?? 0).padStart(8),
    `± ${((second?.bandMs ?? 0) / 1000).toFixed(3)}`,
    `${speeds.join(' ')} km/h`,
  ].join('  ');
}

function placeSentence(place: PlaceToGain): string {
  const { brakingEarlierMeters, apexSlowerMetersPerSecond, exitSlowerMetersPerSecond } = place;
  const reasons = [
    ...(brakingEarlierMeters === null ? [] : [`brakes ${brakingEarlierMeters.toFixed(0)} m earlier`]),
    ...(apexSlowerMetersPerSecond === null
      ? []
      : [`${inKmh(apexSlowerMetersPerSecond).trim()} km/h slower at the slowest point`]),
    ...(exitSlowerMetersPerSecond === null
      ? []
      : [`${inKmh(exitSlowerMetersPerSecond).trim()} km/h slower at the exit`]),
  ];
  const why = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
  return `Loses ${(place.lostMs / 1000).toFixed(3)} s in corner ${place.cornerNumber}${why}.`;
}

function inKmh(metersPerSecond: number): string {
  return (metersPerSecond * 3.6).toFixed(0).padStart(4);
}

function inSeconds(ms: number): string {
  return `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1000).toFixed(3)}`;
}
