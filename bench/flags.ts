import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { asCarModelId } from '#contract/testing/ids.ts';
import { type TireCompound } from '#contract/laps/labels.ts';
import { trackSchema } from '#contract/tracks/schemas.ts';
import type { TracedLap } from '#engine/comparison/lap-trace.ts';
import { at } from '#engine/fix-columns.ts';
import { buildTrackIndex, matchTracks } from '#engine/matching/match-tracks.ts';
import { isCopy, measureLikeness } from '#engine/plausibility/copied-lap.ts';
import { measureExtremes } from '#engine/plausibility/lap-extremes.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import type { OpenedLapFile } from '#engine/time-lap-file.ts';
import type { Position } from '#engine/geo.ts';
import { findBestLap, isRanking, type Lap } from '#engine/timing/laps.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine } from '#engine/track.ts';
import { driveSession } from '#server/features/demo/drive-session.ts';
import { planSeason } from '#server/features/demo/season.ts';
import {
  type CheckedLap,
  type ComparedLap,
  type KnownLaps,
  listDoubts,
} from '#server/model/flags/automatic-rules.ts';
import { COPIES } from '#server/model/flags/check-sessions.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { listLapSamples } from '../tests/lap-samples.ts';
import { LIBRARY, libraryTrack } from '../tests/library.ts';

const carRows = z.array(z.object({ modelKey: z.string(), raceClass: z.string() }));
const libraryTracks = z.array(trackSchema.omit({ status: true, timeZone: true }));

const readData = (name: string) => readFileSync(join(projectFolder, 'data', name), 'utf8');

type DemoLap = {
  driver: string;
  trackId: string;
  startTimeMs: number;
  lap: CheckedLap;
  traced: TracedLap;
  driven: Driven;
};

/** Measures how often the automatic checks doubt honest laps, by rule, and whether they doubt a car that is filed as a slower one. */
export async function run(): Promise<void> {
  const season = driveDemo();
  const atUpload = countDoubts(season, (lap, other) => other.startTimeMs < lap.startTimeMs);
  const inTheEnd = countDoubts(season, () => true);
  console.log(`Demo community, best laps of ${season.length} sessions: flagged of them`);
  printCounts('  when they were uploaded', atUpload, season.length);
  printCounts('  once all others were there', inTheEnd, season.length);
  checkCopies(season);
  const isElsewhere = ({ driver, driven }: DemoLap) =>
    season.some((other) => other.driver === driver && wasElsewhere(driven, other.driven));
  console.log(`Demo community, driven elsewhere at that time: ${season.filter(isElsewhere).length} laps`);
  checkSamples();
  checkRecordings();
}

/** Checks pairs of different drivers, as many and as near in time as the check of an upload compares. */
function checkCopies(season: readonly DemoLap[]): void {
  let [pairs, copies] = [0, 0];
  for (const one of season) {
    const gap = (other: DemoLap) => Math.abs(other.lap.lapTimeMs - one.lap.lapTimeMs);
    const nearest = season
      .filter((other) => other.trackId === one.trackId && other.driver !== one.driver)
      .filter((other) => gap(other) <= COPIES.share * one.lap.lapTimeMs)
      .toSorted((a, b) => gap(a) - gap(b))
      .slice(0, COPIES.limit);
    pairs += nearest.length;
    if (nearest.some((other) => looksCopied(one.traced, other.traced))) copies += 1;
  }
  console.log(`Demo community, copies: ${copies} of ${season.length} laps, compared with ${pairs} others`);
}

function looksCopied(one: TracedLap, other: TracedLap): boolean {
  const likeness = measureLikeness(one, other);
  return likeness !== null && isCopy(likeness);
}

/** Describes when and where a lap was driven. */
type Driven = { beganMs: number; endedMs: number; lat: number; lon: number };

/** Returns what `server/model/flags/check-store.ts` asks the database. */
function wasElsewhere(one: Driven, other: Driven): boolean {
  const isFar = Math.abs(one.lat - other.lat) + Math.abs(one.lon - other.lon) > 0.5;
  return isFar && other.beganMs < one.endedMs && one.beganMs < other.endedMs;
}

function driveDemo(): DemoLap[] {
  const tracks = libraryTracks.parse(JSON.parse(readData('tracks.json')));
  const classes = listClasses();
  return planSeason(new Date('2026-11-21T12:00:00Z')).flatMap(({ subject, sessions }) =>
    sessions.flatMap((session) => {
      const track = tracks.find(({ id }) => id === session.trackId);
      if (!track) throw new Error(`There is no track ${session.trackId}.`);
      const file = openLapFile(Buffer.from(driveSession(track, session)));
      const best = findBestLap(timeLaps(file, track).laps);
      if (!best) return [];
      const { modelKey } = session.car;
      const lap: CheckedLap = {
        lapTimeMs: best.lapTimeMs,
        tireCompound: session.tire,
        carModelId: asCarModelId(modelKey),
        modelKey,
        raceClass: classes.get(modelKey) ?? null,
        extremes: measureExtremes({ ...file, lap: best }),
        device: `${file.format} at ${file.gpsRateHz} Hz`,
        elsewhere: null,
        missesOutline: best.reasons.includes('off_track'),
      };
      const { trackId, startTimeMs } = session;
      const beganMs = startTimeMs + best.startTimeMs - at(file.trace.fixes.timesMs, 0);
      const driven = {
        beganMs,
        endedMs: beganMs + best.lapTimeMs,
        lat: track.centerLat,
        lon: track.centerLon,
      };
      return [{ driver: subject, trackId, startTimeMs, lap, traced: { ...file, lap: best }, driven }];
    }),
  );
}

function listClasses(): Map<string, string> {
  const rows = carRows.parse(parse(readData('cars.csv'), { columns: true }));
  return new Map(rows.map(({ modelKey, raceClass }) => [modelKey, raceClass]));
}

function countDoubts(season: readonly DemoLap[], isKnown: (lap: DemoLap, other: DemoLap) => boolean) {
  const counts = new Map<string, number>();
  for (const one of season) {
    for (const { reason, sentence } of listDoubts(one.lap, findKnown(season, one, isKnown))) {
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      console.log(`    ${one.lap.modelKey} ${one.trackId}: ${reason}: ${sentence}`);
    }
  }
  return counts;
}

function findKnown(
  season: readonly DemoLap[],
  one: DemoLap,
  isKnown: (lap: DemoLap, other: DemoLap) => boolean,
): KnownLaps {
  const here = season.filter(
    (other) => other.trackId === one.trackId && other !== one && isKnown(one, other),
  );
  const before = season.filter((other) => other.driver === one.driver && other.startTimeMs < one.startTimeMs);
  return {
    others: here.filter(({ driver }) => driver !== one.driver).map(({ lap }): ComparedLap => lap),
    own: before.filter(({ trackId }) => trackId === one.trackId).map(({ lap }): ComparedLap => lap),
    ownDevices: before.map(({ lap }) => lap.device),
  };
}

function printCounts(what: string, counts: ReadonlyMap<string, number>, total: number): void {
  const parts = [...counts].map(([reason, count]) => `${reason} ${((100 * count) / total).toFixed(2)} %`);
  console.log(`${what}: ${parts.join(', ') || 'none'}`);
}

const NONE: KnownLaps = { others: [], own: [], ownDevices: [] };
const SAMPLES = [
  'laguna-seca-racechrono.csv',
  'waterford-hills-25hz.csv',
  'zandvoort-5hz.gpx',
  'mugello-aim.xrk',
];

/** The bundled files are of a BMW M2 CS on R-Comp tyres. */
function checkSamples(): void {
  const tracks = libraryTracks.parse(JSON.parse(readData('tracks.json')));
  for (const name of SAMPLES) {
    const file = openLapFile(readFileSync(join(projectFolder, 'data/lap-files', name)));
    const start = name.split('-')[0] ?? '';
    const timed = tracks
      .filter(({ id }) => id.includes(start))
      .flatMap((track) => findBestLap(timeLaps(file, track).laps) ?? []);
    const [best] = timed;
    if (!best) throw new Error(`No lap in ${name}.`);
    for (const [modelKey, raceClass] of [
      ['bmw-m2-f87-cs', 'Sports Coupe'],
      ['mazda-mx-5-na-1-6', 'Roadster'],
    ] as const) {
      const lap = filedAs(
        { modelKey, raceClass, tireCompound: 'rcomp' },
        measureExtremes({ ...file, lap: best }),
      );
      const doubts = listDoubts(lap, NONE).map(({ sentence }) => sentence);
      console.log(`${name} as ${modelKey}: ${doubts.join(' ') || 'no doubt'}`);
    }
  }
}

type Filed = { modelKey: string | null; raceClass: string | null; tireCompound: TireCompound };

function filedAs(filed: Filed, extremes: CheckedLap['extremes']): CheckedLap {
  return {
    ...filed,
    lapTimeMs: 90_000,
    carModelId: null,
    extremes,
    device: '',
    elsewhere: null,
    missesOutline: false,
  };
}

// Maps what was recorded on a track to something that a garage may hold, where the name says more than 'some car'.
const KNOWN_CARS: readonly [RegExp, string][] = [[/kart|tillotson|okc|grcup|modena|cota/i, 'Race Car']];
/** These laps of several tracks were converted on one evening and carry the time of that. */
const NO_DATE = /mcg_/i;
const NO_CAR = /neg_|aircraft|drone|bike-ride|cyclocross|esk8|eskate/i;

type Recording = { name: string; file: OpenedLapFile; ranking: Lap[]; position: Position };

/** Checks the ranking laps of every real recording whose line is known. */
function checkRecordings(): void {
  // oxlint-disable-next-line no-restricted-properties -- Where the recordings are is said by the environment, as for the tests.
  const folder = process.env['LAP_SAMPLES'];
  if (folder === undefined) return console.log('Set LAP_SAMPLES to check real recordings.');
  const recordings = listLapSamples(folder).flatMap(({ name, path, truth }): Recording[] => {
    if (!truth?.startFinish || NO_CAR.test(name)) return [];
    const file = openLapFile(readFileSync(path));
    const track = trackFromLine(undirectedLine(...truth.startFinish));
    const { laps } = timeLaps(file, { ...track, id: 'sample', radiusMeters: 5_000 });
    return [{ name, file, ranking: laps.filter(isRanking), position: truth.startFinish[0] }];
  });
  checkRules(recordings);
  checkRecordedCopies(recordings);
  checkRecordedPlaces(recordings);
  checkRecordedLayouts(recordings);
}

/** Checks the recordings on the track of the library that each was driven on. */
function checkRecordedLayouts(recordings: readonly Recording[]): void {
  const index = buildTrackIndex(LIBRARY);
  const ranking = recordings.flatMap(({ file }) => {
    const trackId = matchTracks(file.trace, index)[0]?.track.id;
    return trackId === undefined ? [] : timeLaps(file, libraryTrack(trackId)).laps.filter(isRanking);
  });
  const flagged = ranking.filter(({ reasons }) => reasons.includes('off_track'));
  console.log(
    `Real recordings, ${ranking.length} ranking laps on tracks of the library: ${flagged.length} leave out a part`,
  );
}

/** Files each as an ordinary car on R-Comp tyres unless it is more. */
function checkRules(recordings: readonly Recording[]): void {
  const counts = new Map<string, number>();
  let laps = 0;
  for (const { name, file, ranking } of recordings) {
    const raceClass = KNOWN_CARS.find(([pattern]) => pattern.test(name))?.[1] ?? 'Sports Coupe';
    laps += ranking.length;
    for (const lap of ranking) {
      const extremes = measureExtremes({ ...file, lap });
      const filed = filedAs({ modelKey: null, raceClass, tireCompound: 'rcomp' }, extremes);
      for (const { reason, sentence } of listDoubts(filed, NONE)) {
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
        console.log(`    ${basename(name)}: ${sentence}`);
      }
    }
  }
  printCounts(`Real recordings, ${laps} ranking laps of ${recordings.length} files`, counts, laps);
}

/** Two laps of one driver in one car are more alike than those of two drivers. */
function checkRecordedCopies(recordings: readonly Recording[]): void {
  let [pairs, copies] = [0, 0];
  for (const { file, ranking } of recordings)
    for (const [index, lap] of ranking.entries()) {
      const others = ranking.slice(index + 1);
      pairs += others.length;
      copies += others.filter((other) => looksCopied({ ...file, lap }, { ...file, lap: other })).length;
    }
  const share = ((100 * copies) / pairs).toFixed(2);
  console.log(`Real recordings, copies: ${copies} of ${pairs} pairs of laps of one driver (${share} %)`);
}

/** Checks the recordings as if all were of one driver. */
function checkRecordedPlaces(recordings: readonly Recording[]): void {
  const driven = recordings
    .filter(({ name, file }) => (file.clock === 'utc' || file.clock === 'local') && !NO_DATE.test(name))
    .flatMap(({ ranking, position }) =>
      ranking.map((lap): Driven => ({
        ...position,
        beganMs: lap.startTimeMs,
        endedMs: lap.startTimeMs + lap.lapTimeMs,
      })),
    );
  const elsewhere = driven.filter((one) => driven.some((other) => wasElsewhere(one, other)));
  console.log(`Real recordings, driven elsewhere at that time: ${elsewhere.length} of ${driven.length} laps`);
}
