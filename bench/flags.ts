import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { type TireCompound } from '#contract/lap-labels.ts';
import { trackSchema } from '#contract/tracks.ts';
import { measureExtremes } from '#engine/plausibility/lap-extremes.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { findBestLap, isRanking } from '#engine/timing/laps.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine } from '#engine/track.ts';
import { driveSession } from '#server/demo/drive-session.ts';
import { planSeason } from '#server/demo/season.ts';
import {
  type CheckedLap,
  type ComparedLap,
  type KnownLaps,
  listDoubts,
} from '#server/flags/automatic-rules.ts';
import { projectFolder } from '#server/kernel/project-folder.ts';
import { listLapSamples } from '../tests/lap-samples.ts';

const carRows = z.array(z.object({ modelKey: z.string(), raceClass: z.string() }));
const libraryTracks = z.array(trackSchema.omit({ status: true, timeZone: true }));

const readData = (name: string) => readFileSync(join(projectFolder, 'data', name), 'utf8');

type DemoLap = { driver: string; trackId: string; startTimeMs: number; lap: CheckedLap };

/** How often the automatic checks doubt honest laps, by rule, and whether they doubt a car that is filed as a slower one. */
export async function run(): Promise<void> {
  const season = driveDemo();
  const atUpload = countDoubts(season, (lap, other) => other.startTimeMs < lap.startTimeMs);
  const inTheEnd = countDoubts(season, () => true);
  console.log(`Demo community, best laps of ${season.length} sessions: flagged of them`);
  printCounts('  when they were uploaded', atUpload, season.length);
  printCounts('  once all others were there', inTheEnd, season.length);
  checkSamples();
  checkRecordings();
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
        carModelId: modelKey,
        modelKey,
        raceClass: classes.get(modelKey) ?? null,
        extremes: measureExtremes({ ...file, lap: best }),
        device: `${file.format} at ${file.gpsRateHz} Hz`,
        elsewhere: null,
      };
      return [{ driver: subject, trackId: session.trackId, startTimeMs: session.startTimeMs, lap }];
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
  return { ...filed, lapTimeMs: 90_000, carModelId: null, extremes, device: '', elsewhere: null };
}

// What was recorded on a track in something that a garage may hold, where the name says more than 'some car'.
const KNOWN_CARS: readonly [RegExp, string][] = [[/kart|tillotson|okc|grcup|modena|cota/i, 'Race Car']];
const NO_CAR = /neg_|aircraft|drone|bike-ride|cyclocross|esk8|eskate/i;

/** Every ranking lap of every real recording whose line is known, filed as an ordinary car on R-Comp tyres unless it is more. */
function checkRecordings(): void {
  // oxlint-disable-next-line no-restricted-properties -- Where the recordings are is said by the environment, as for the tests.
  const folder = process.env['LAP_SAMPLES'];
  if (folder === undefined) return console.log('Set LAP_SAMPLES to check real recordings.');
  const counts = new Map<string, number>();
  let [laps, files] = [0, 0];
  for (const { name, path, truth } of listLapSamples(folder)) {
    if (!truth?.startFinish || NO_CAR.test(name)) continue;
    const file = openLapFile(readFileSync(path));
    const track = {
      ...trackFromLine(undirectedLine(...truth.startFinish)),
      id: 'sample',
      radiusMeters: 5_000,
    };
    const raceClass = KNOWN_CARS.find(([pattern]) => pattern.test(name))?.[1] ?? 'Sports Coupe';
    files += 1;
    for (const lap of timeLaps(file, track).laps.filter(isRanking)) {
      laps += 1;
      const filed = filedAs(
        { modelKey: null, raceClass, tireCompound: 'rcomp' },
        measureExtremes({ ...file, lap }),
      );
      for (const { reason, sentence } of listDoubts(filed, NONE)) {
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
        console.log(`    ${basename(name)}: ${sentence}`);
      }
    }
  }
  printCounts(`Real recordings, ${laps} ranking laps of ${files} files`, counts, laps);
}
