import { at } from '#engine/fix-columns.ts';
import { toPlane } from '#engine/geo.ts';
import { bestSectors } from '#engine/timing/best-sectors.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import type { Lap } from '#engine/timing/laps.ts';
import { proposeTracks, type LineSource, type TrackProposal } from '#engine/proposal/propose-tracks.ts';
import { buildTrackIndex } from '#engine/matching/match-tracks.ts';
import { openLapFile, suggestTracks, timeLaps, timeOnOwnLine } from '#engine/time-lap-file.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import { toLineFrame } from '#engine/timing-line.ts';
import { findCrossings } from '#engine/timing/crossings.ts';
import { OWN_LINE_ID, type Track } from '#engine/track.ts';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { roundLap } from '#server/model/laps/round-lap.ts';
import {
  chosenTrack,
  CommandError,
  parseCommandLine,
  readBytes,
  readTracks,
  runLapFileCommand,
} from './lap-file-command.ts';

const USAGE = `Usage: npm run analyze -- FILE [--track ID | --line "lat,lon,lat,lon" | --propose] [--json]

Times the laps of a lap file on the track that fits best, on a track of data/tracks.json, or on a line of your own.
With --propose it knows no track, finds what repeats in the drive and times the laps on that.`;

type Wish = {
  file: string;
  trackId: string | undefined;
  line: string | undefined;
  isProposal: boolean;
  isJson: boolean;
};

type Finding = {
  file: OpenedLapFile;
  suggestions: { track: Track; confidencePct: number }[];
  track: Track | null;
  /** Times are whole milliseconds, and sectors add up to their lap. */
  laps: Lap[];
  bestLapTimeMs: number | null;
  distanceToTrackMeters: number;
};

/** Runs the command with these arguments, prints the result, and returns the exit code. */
export function analyze(commandLine: string[]): number {
  return runLapFileCommand(
    USAGE,
    () => readWish(commandLine),
    (wish) => {
      if (wish.isProposal) return printProposals(openWished(wish), wish.isJson);
      const finding = find(wish);
      return wish.isJson ? JSON.stringify(forPrograms(finding), null, 2) : forPeople(finding);
    },
  );
}

function readWish(commandLine: string[]): Wish | null {
  const { values, positionals } = parseCommandLine(commandLine, { propose: { type: 'boolean' } });
  if (values.help === true) return null;
  const [file, ...others] = positionals;
  if (file === undefined) throw new CommandError(`Which lap file? ${USAGE}`);
  if (file.trim() === '') throw new CommandError('Which lap file? The name that was given is empty.');
  if (others.length > 0)
    throw new CommandError(`One lap file at a time, please, not also ${others.join(', ')}.`);
  const { track: trackId, line } = values;
  const isProposal = values.propose === true;
  if (isProposal && (trackId !== undefined || line !== undefined))
    throw new CommandError('--propose finds the line by itself; leave out --track and --line.');
  return { file, trackId, line, isProposal, isJson: values.json === true };
}

function openWished({ file }: Wish): OpenedLapFile {
  return openLapFile(readBytes(file), inflateLapFile);
}

function find(wish: Wish): Finding {
  const tracks = readTracks();
  const chosen = chosenTrack(wish, tracks);
  const file = openWished(wish);
  const suggested = suggestTracks(file, buildTrackIndex(tracks));
  const track = chosen ?? suggested[0]?.track ?? null;
  const timed = suggested.find((suggestion) => suggestion.track === track)?.timed;
  const { laps, bestLapTimeMs, distanceToTrackMeters } =
    timed ?? (track === null ? timeOnOwnLine(file) : timeLaps(file, track));
  const suggestions = suggested.map((suggestion) => ({
    track: suggestion.track,
    confidencePct: suggestion.confidencePct,
  }));
  return { file, suggestions, track, laps: roundLaps(laps), bestLapTimeMs, distanceToTrackMeters };
}

function roundLaps(laps: readonly Lap[]): Lap[] {
  return laps.map((lap): Lap => {
    const { lapTimeMs, uncertaintyMs, sectorTimesMs } = roundLap(lap);
    return { ...lap, lapTimeMs, uncertaintyMs, sectorTimesMs };
  });
}

/** Prints the tracks that the drive suggests, and its laps on the first; without one, the laps that the logger has timed. */
function printProposals(file: OpenedLapFile, isJson: boolean): string {
  const proposals = proposeTracks(file);
  const { laps: timed, bestLapTimeMs } = proposals[0]?.timed ?? timeOnOwnLine(file);
  const laps = roundLaps(timed);
  if (!isJson) {
    return [
      ...proposals.map(proposalForPeople),
      ...(proposals.length === 0 ? ['Nothing in this drive looks like a race track.'] : []),
      '',
      ...lapsForPeople(laps, bestLapTimeMs, []),
    ].join('\n');
  }
  const printed = {
    proposals: proposals.map(({ kind, lineSource, confidencePct, track }) => ({
      kind,
      startFinishLine: track.startFinishLine,
      finishLine: track.finishLine ?? null,
      lengthMeters: track.lengthMeters,
      confidence: confidencePct / 100,
      lineSource,
      sectors: track.sectors,
      outline: track.outline,
    })),
    laps: lapsForPrograms(file, laps),
    bestLapTimeMs: bestLapTimeMs === null ? null : Math.round(bestLapTimeMs),
  };
  return JSON.stringify(printed, null, 2);
}

const LINE_SOURCES: Record<LineSource, string> = {
  file: 'on the line in the file',
  logger_laps: 'on the line where the laps of the device begin',
  drive: 'on a line chosen by the drive',
};

function proposalForPeople({ kind, lineSource, confidencePct, track }: TrackProposal): string {
  const { startFinishLine: line } = track;
  const ends =
    line === null
      ? ''
      : [line.a.lat, line.a.lon, line.b.lat, line.b.lon].map((degrees) => degrees.toFixed(7)).join(',');
  const name = kind === 'circuit' ? 'Circuit' : 'Stage';
  return `${String(confidencePct).padStart(3)} % ${name} of ${track.lengthMeters} m ${LINE_SOURCES[lineSource]}: "${ends}"`;
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
    laps: lapsForPrograms(file, laps),
    bestLapTimeMs: bestLapTimeMs === null ? null : Math.round(bestLapTimeMs),
  };
}

function lapsForPrograms(file: OpenedLapFile, laps: readonly Lap[]) {
  return laps.map((lap) => ({
    number: lap.number,
    lapTimeMs: lap.lapTimeMs,
    uncertaintyMs: lap.uncertaintyMs,
    status: lap.status,
    reasons: lap.reasons,
    startedAt: formatMoment(file, lap.startTimeMs),
    sectorTimesMs: lap.sectorTimesMs,
  }));
}

function namesOf({ id, name, configuration }: Track) {
  return { trackId: id, name, configuration };
}

/** Formats a moment as ISO 8601: with Z in UTC, without a zone if the file has none, null if it has no date. */
function formatMoment(file: OpenedLapFile, timeMs: number): string | null {
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
    ...lapsForPeople(laps, bestLapTimeMs, neverCrossed(file, track)),
  ].join('\n');
}

function lapsForPeople(laps: Lap[], bestLapTimeMs: number | null, whyNone: string[]): string[] {
  return [
    ...(laps.length === 0 ? ['No complete laps found.', ...whyNone] : buildTable(laps)),
    ...(bestLapTimeMs === null ? [] : ['', `Best: ${formatLapTime(bestLapTimeMs)}`]),
    ...sectorLines(laps),
  ];
}

/** Finds how far the user's line was missed; nothing where it was crossed, or where the laps were timed on a track. */
function neverCrossed(file: OpenedLapFile, track: Track | null): string[] {
  const line = track?.id === OWN_LINE_ID ? track.startFinishLine : null;
  const frame = line && toLineFrame(line);
  if (!frame || findCrossings(file, frame).length > 0) return [];
  const { lats, lons } = file.trace.fixes;
  const nearestMeters = lats.reduce((nearest, lat, fix) => {
    const { x, y } = toPlane(frame.plane, { lat, lon: at(lons, fix) });
    const aside = Math.abs(x * frame.right.x + y * frame.right.y) - frame.halfWidthMeters;
    return Math.min(nearest, Math.hypot(x * frame.forward.x + y * frame.forward.y, Math.max(0, aside)));
  }, Number.POSITIVE_INFINITY);
  return [`The line was never crossed: the nearest position is ${Math.round(nearestMeters)} m away from it.`];
}

const FAR_METERS = 500;

function sectorLines(laps: Lap[]): string[] {
  const { sectors, theoreticalBestMs } = bestSectors(laps);
  if (theoreticalBestMs === null) return [];
  const named = sectors.map((best) =>
    best === null ? '-' : `${formatLapTime(best.sectorTimeMs)} (lap ${best.lapNumber})`,
  );
  return [`Best sectors: ${named.join('  ')}`, `Theoretical best: ${formatLapTime(theoreticalBestMs)}`];
}

function buildTable(laps: Lap[]): string[] {
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
