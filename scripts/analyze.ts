import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { trackSchema } from '#contract/tracks.ts';
import { bestSectors } from '#engine/timing/best-sectors.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import type { Lap } from '#engine/timing/laps.ts';
import { buildTrackIndex } from '#engine/matching/match-tracks.ts';
import { openLapFile, suggestTracks, timeLaps, timeOnOwnLine } from '#engine/time-lap-file.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { OWN_LINE_ID, trackFromLine } from '#engine/track.ts';
import type { Track } from '#engine/track.ts';
import { inflateLapFile } from '#server/timing/inflate-lap-file.ts';
import { roundLap } from '#server/uploads/round-lap.ts';

const USAGE = `Usage: npm run analyze -- FILE [--track ID | --line "lat,lon,lat,lon"] [--json]

Times the laps of a lap file on the track that fits best, on a track of data/tracks.json, or on a line of your own.`;

/** What cannot be done, in one sentence for the person who asked. */
class CannotAnalyze extends Error {}

type Wish = { file: string; trackId: string | undefined; line: string | undefined; isJson: boolean };

/** What was found: the file, the tracks it may belong to, and the laps on the one that was chosen. */
type Finding = {
  file: OpenedLapFile;
  suggestions: { track: Track; confidencePct: number }[];
  track: Track | null;
  /** Times in whole milliseconds, sectors that add up to their lap. */
  laps: Lap[];
  bestLapTimeMs: number | null;
  distanceToTrackMeters: number;
};

/** Runs the command with these arguments, prints, and gives the exit code. */
export function analyze(commandLine: string[]): number {
  try {
    const wish = readWish(commandLine);
    if (wish === null) {
      console.log(USAGE);
      return 0;
    }
    const finding = find(wish);
    console.log(wish.isJson ? JSON.stringify(forPrograms(finding), null, 2) : forPeople(finding));
    return 0;
  } catch (error) {
    if (!(error instanceof CannotAnalyze || error instanceof UnreadableLapFileError)) throw error;
    console.error(error.message);
    return 1;
  }
}

function readWish(commandLine: string[]): Wish | null {
  const { values, positionals } = parse(commandLine);
  if (values.help === true) return null;
  const [file, ...others] = positionals;
  if (file === undefined) throw new CannotAnalyze(`Which lap file? ${USAGE}`);
  if (file.trim() === '') throw new CannotAnalyze('Which lap file? The name that was given is empty.');
  if (others.length > 0)
    throw new CannotAnalyze(`One lap file at a time, please, not also ${others.join(', ')}.`);
  if (values.track !== undefined && values.line !== undefined) {
    throw new CannotAnalyze('Give either --track or --line, not both.');
  }
  return { file, trackId: values.track, line: values.line, isJson: values.json === true };
}

function parse(commandLine: string[]) {
  // A line in the southern hemisphere begins with a minus, which would be taken for the next option.
  const joined = commandLine.flatMap((argument, index) => {
    if (argument === '--line' && index + 1 < commandLine.length) return [`--line=${commandLine[index + 1]}`];
    return commandLine[index - 1] === '--line' ? [] : [argument];
  });
  try {
    return parseArgs({
      args: joined,
      allowPositionals: true,
      options: {
        track: { type: 'string' },
        line: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    // Node's message goes on with advice that does not fit a path.
    const [sentence = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw new CannotAnalyze(`${sentence}.`, { cause: error });
  }
}

function find(wish: Wish): Finding {
  const tracks = readTracks();
  const chosen = chosenTrack(wish, tracks);
  const file = openLapFile(inflateLapFile(readBytes(wish.file)));
  const suggested = suggestTracks(file, buildTrackIndex(tracks));
  const track = chosen ?? suggested[0]?.track ?? null;
  const timed = suggested.find((suggestion) => suggestion.track === track)?.timed;
  const { laps, bestLapTimeMs, distanceToTrackMeters } =
    timed ?? (track === null ? timeOnOwnLine(file) : timeLaps(file, track));
  const wholeLaps = laps.map((lap): Lap => {
    const { lapTimeMs, uncertaintyMs, sectorTimesMs } = roundLap(lap);
    return { ...lap, lapTimeMs, uncertaintyMs, sectorTimesMs };
  });
  return { file, suggestions: suggested, track, laps: wholeLaps, bestLapTimeMs, distanceToTrackMeters };
}

function chosenTrack({ trackId, line }: Wish, tracks: Track[]): Track | null {
  if (line !== undefined) return parseLine(line);
  if (trackId === undefined) return null;
  const track = tracks.find(({ id }) => id === trackId);
  if (track === undefined) throw new CannotAnalyze(`There is no track '${trackId}' in data/tracks.json.`);
  return track;
}

function parseLine(text: string): Track {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [latA = Number.NaN, lonA = Number.NaN, latB = Number.NaN, lonB = Number.NaN] = numbers;
  if (numbers.length !== 4 || !isPlace(latA, lonA) || !isPlace(latB, lonB)) {
    throw new CannotAnalyze(
      `--line takes the two ends of a line as "lat,lon,lat,lon" in degrees, not "${text}".`,
    );
  }
  if (latA === latB && lonA === lonB) throw new CannotAnalyze('The two ends of --line are the same point.');
  return trackFromLine(undirectedLine({ lat: latA, lon: lonA }, { lat: latB, lon: lonB }));
}

function isPlace(lat: number, lon: number): boolean {
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180;
}

const engineTracksSchema = z.array(
  trackSchema.pick({
    id: true,
    name: true,
    configuration: true,
    lengthMeters: true,
    centerLat: true,
    centerLon: true,
    radiusMeters: true,
    startFinishLine: true,
    finishLine: true,
    sectors: true,
    outline: true,
  }),
);

function readTracks(): Track[] {
  return engineTracksSchema.parse(
    JSON.parse(readFileSync(new URL('../data/tracks.json', import.meta.url), 'utf8')),
  );
}

function readBytes(path: string): Uint8Array {
  // npm starts scripts in the project's folder; the path counts from where the person is.
  const file = openFile(path, resolve(process.env['INIT_CWD'] ?? '.', path));
  try {
    const status = fstatSync(file);
    if (status.isDirectory()) throw new CannotAnalyze(`${path} is a folder, not a lap file.`);
    // Devices, pipes and the like may have no end, or never begin.
    if (!status.isFile()) throw new CannotAnalyze(`${path} is no regular file, so it cannot be a lap file.`);
    if (status.size > LIMITS.lapFileBytesMax) {
      throw new CannotAnalyze(
        `${path} is larger than ${LIMITS.lapFileBytesMax / 2 ** 20} MB, the most that is read.`,
      );
    }
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** Opens without waiting: a pipe that nobody writes to would otherwise be waited for. */
function openFile(path: string, absolutePath: string): number {
  try {
    return openSync(absolutePath, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new CannotAnalyze(`There is no file ${path}.`, { cause: error });
    throw new CannotAnalyze(`${path} cannot be read (${String(code)}).`, { cause: error });
  }
}

function forPrograms({ file, suggestions, track, laps, bestLapTimeMs }: Finding) {
  return {
    format: file.format,
    fixCount: file.fixCount,
    gpsRateHz: file.gpsRateHz,
    dropped: file.dropped,
    suggestions: suggestions.map((suggestion) => ({
      ...namesOf(suggestion.track),
      confidencePct: suggestion.confidencePct,
    })),
    track: track === null || track.id === OWN_LINE_ID ? null : namesOf(track),
    laps: laps.map((lap) => ({
      number: lap.number,
      lapTimeMs: lap.lapTimeMs,
      uncertaintyMs: lap.uncertaintyMs,
      status: lap.status,
      reasons: lap.reasons,
      startedAt: momentOf(file, lap.startTimeMs),
      sectorTimesMs: lap.sectorTimesMs,
    })),
    bestLapTimeMs: bestLapTimeMs === null ? null : Math.round(bestLapTimeMs),
  };
}

function namesOf({ id, name, configuration }: Track) {
  return { trackId: id, name, configuration };
}

/** ISO 8601: with Z in UTC, without a zone where the file does not tell it, null where it tells no date. */
function momentOf(file: OpenedLapFile, timeMs: number): string | null {
  if (file.startTimeMs === null) return null;
  const moment = new Date(timeMs).toISOString();
  return file.clock === 'utc' ? moment : moment.slice(0, -1);
}

function forPeople(finding: Finding): string {
  const { file, suggestions, track, laps, bestLapTimeMs, distanceToTrackMeters } = finding;
  const rate = file.gpsRateHz === null ? '' : `, ${file.gpsRateHz} a second`;
  const dropped = Object.entries(file.dropped).map(
    ([reason, count]) => `${count} ${reason.replaceAll('_', ' ')}`,
  );
  const isFar = distanceToTrackMeters > FAR_METERS && track?.id !== OWN_LINE_ID;
  return [
    `${file.format}: ${file.fixCount} positions${rate}`,
    ...(dropped.length > 0 ? [`Left out: ${dropped.join(', ')}`] : []),
    ...suggestions.map(
      ({ track: { id, name, configuration }, confidencePct }) =>
        `${String(confidencePct).padStart(3)} % ${[name, configuration].filter(Boolean).join(', ')} (${id})`,
    ),
    ...(suggestions.length === 0 ? ['Fits no track of data/tracks.json.'] : []),
    ...(isFar
      ? [`This file was recorded ${Math.round(distanceToTrackMeters / 1000)} km away from ${track?.name}.`]
      : []),
    '',
    ...(laps.length === 0 ? ['No complete laps found.'] : tableOf(laps)),
    ...(bestLapTimeMs === null ? [] : ['', `Best: ${formatLapTime(bestLapTimeMs)}`]),
    ...sectorLines(laps),
  ].join('\n');
}

const FAR_METERS = 500;

/** The best sectors with their laps, and what they add up to. */
function sectorLines(laps: Lap[]): string[] {
  const { sectors, theoreticalBestMs } = bestSectors(laps);
  if (theoreticalBestMs === null) return [];
  const named = sectors.map((best) =>
    best === null ? '-' : `${formatLapTime(best.sectorTimeMs)} (lap ${best.lapNumber})`,
  );
  return [`Best sectors: ${named.join('  ')}`, `Theoretical best: ${formatLapTime(theoreticalBestMs)}`];
}

function tableOf(laps: Lap[]): string[] {
  const rows = laps
    .map(roundLap)
    .map((lap) => [
      String(lap.number),
      formatLapTime(lap.lapTimeMs),
      `± ${(lap.uncertaintyMs / 1000).toFixed(3)}`,
      lap.sectorTimesMs.map((sector) => (sector === null ? '-' : formatLapTime(sector))).join('  '),
      [lap.status, ...lap.reasons.map((reason) => reason.replaceAll('_', ' '))].join(', '),
    ]);
  const cells = [['Lap', 'Time', '± s (95 %)', 'Sectors', 'Status'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) =>
        column < 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}
