import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TrackSetResult } from '#contract/tracks/sets.ts';
import { distanceMeters, middle } from '#engine/geo.ts';
import { proposeTracks } from '#engine/proposal/propose-tracks.ts';
import { median } from '#engine/statistics.ts';
import type { Track } from '#engine/track.ts';
import { startImportWorkers } from '#server/features/library/import/import-workers.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { fetchTrackSet } from '#server/features/library/track-sets/fetch-track-set.ts';
import { readTrackSet } from '#server/features/library/track-sets/read-track-set.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { SharedTracks } from '#server/model/laps/timing/lap-tasks.ts';
import { analyzeLapFile } from '#server/model/laps/timing/lap-worker.ts';
import { shareCourses, shareTracks } from '#server/model/laps/timing/shared-tracks.ts';
import { deleteCourses } from '#server/model/track-sets/course-store.ts';
import { deleteSet } from '#server/model/track-sets/track-set-store.ts';
import { describeTestSet, type DrawnVenue, writeVenueArchive } from '#server/testing/track-archives.ts';
import { listLapSamples, type LapSample } from '../tests/lap-samples.ts';
import { openEmptyDatabase } from './board-database.ts';
import { listRightLayouts, nameTrack, readDrivenLap } from './recognition.ts';

// This measures what becomes of real recordings where a set without start lines is here: `LAP_SAMPLES=FOLDER
// TRACK_SET=PATH npm run bench -- courses`. PATH is an archive of the Open Racetrack Database, or another set, whose
// layouts lose their lines and, every second one, their direction. It is fetched as administrators fetch it, from a
// server on this computer.

const SMALL_SET = 908;
const MEBIBYTE = 1024 * 1024;
const NEAR_METERS = 30;

export async function run(): Promise<void> {
  const [samples, set] = [process.env['LAP_SAMPLES'], process.env['TRACK_SET']];
  if (samples === undefined || set === undefined) {
    console.log('Set LAP_SAMPLES to a folder of recordings and TRACK_SET to a set of tracks.');
    return;
  }
  const { database, close } = await openEmptyDatabase();
  try {
    const { db } = database;
    await loadLibraries(db);
    for (const archive of await readArchives(set)) {
      await deleteSet(db, 'open-racetrack-db');
      await deleteCourses(db, 'open-racetrack-db');
      await measureFetch(db, archive);
    }
    await measureRecognition(db, samples);
  } finally {
    await close();
  }
}

/** Returns the archive that is fetched last, which is the whole set; before it a part of the usual size, where the set is larger. */
async function readArchives(path: string): Promise<Buffer[]> {
  if (path.endsWith('.zip')) return [await readFile(path)];
  const drawn = (await readTrackSet(path)).tracks.flatMap(({ track }, index) => {
    const points = track.outline?.map(([lat, lon]) => ({ lat, lon })) ?? [];
    const closed = [...points, ...points.slice(0, 1)];
    if (track.name === null || track.country === null || track.finishLine) return [];
    const way = index % 2 === 0 ? closed : closed.toReversed();
    // The index keeps apart the layouts and venues of one name.
    const name = `${track.configuration ?? track.name} #${index}`;
    return [{ name: `${track.name} #${index}`, country: track.country, layouts: [{ name, points: way }] }];
  });
  const every = Math.floor(drawn.length / SMALL_SET);
  const part: DrawnVenue[] = drawn.filter((_, index) => index % every === 0).slice(0, SMALL_SET);
  return [part, drawn].map((venues) => writeVenueArchive(venues));
}

async function measureFetch(db: Database, archive: Buffer): Promise<void> {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/zip' }).end(archive),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.');
  const downloadFolder = await mkdtemp(join(tmpdir(), 'pitboard-bench-'));
  const workers = startImportWorkers();
  const megabytesBefore = process.memoryUsage().rss / MEBIBYTE;
  const startMs = performance.now();
  const result = await fetchTrackSet(
    {
      ...{ db, downloadFolder, version: 'bench', allowsLoopback: true, onProgress: () => {} },
      sortOut: (task, onFile) => workers.sortOutPublishedSet(task, onFile),
    },
    describeTestSet(`http://127.0.0.1:${address.port}/set.zip`, { archiveBytesMax: 512 * MEBIBYTE }),
  );
  describeFetch(archive, result, { seconds: (performance.now() - startMs) / 1000, megabytesBefore });
  await workers.close();
  server.close();
  await rm(downloadFolder, { recursive: true });
}

function describeFetch(
  archive: Buffer,
  { tracks, courses, known, duplicates, leftOut }: TrackSetResult,
  { seconds, megabytesBefore }: { seconds: number; megabytesBefore: number },
): void {
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `An archive of ${(archive.length / MEBIBYTE).toFixed(1)} MiB: ${courses} courses and ${tracks} tracks added, ${known} known, ${duplicates} twice, ${leftOut} left out in ${seconds.toFixed(1)} s; memory rose from ${megabytesBefore.toFixed(0)} to at most ${peak.toFixed(0)} MiB.`,
  );
}

type Outcome = { verdict: string; lineOffMeters: number | null; analysisMs: number };

async function measureRecognition(db: Database, folder: string): Promise<void> {
  const shared = { tracks: await shareTracks(db)(), courses: await shareCourses(db)() };
  const layouts = listLayouts(shared);
  const outcomes: Outcome[] = [];
  for (const sample of listLapSamples(folder)) {
    const outcome = await recognise(sample, layouts, shared);
    if (outcome !== null) outcomes.push(outcome);
  }
  const verdicts = new Set(outcomes.map(({ verdict }) => verdict));
  const lines = outcomes.flatMap(({ lineOffMeters }) => lineOffMeters ?? []);
  console.log(`
${outcomes.length} recordings with a known line:`);
  for (const verdict of verdicts)
    console.log(`- ${verdict}: ${outcomes.filter((outcome) => outcome.verdict === verdict).length}`);
  console.log(
    `Lines of courses within ${NEAR_METERS} m of the device's: ${lines.filter((meters) => meters <= NEAR_METERS).length} of ${lines.length}
One analysis: ${(median(outcomes.map(({ analysisMs }) => analysisMs)) ?? 0).toFixed(0)} ms (median), ${Math.max(...outcomes.map(({ analysisMs }) => analysisMs)).toFixed(0)} ms (longest)`,
  );
}

/** Lists the tracks, and each course in both directions. */
function listLayouts({ tracks, courses }: { tracks: SharedTracks; courses: SharedTracks }): Track[] {
  const read = ({ json }: SharedTracks): Track[] => JSON.parse(Buffer.from(json).toString('utf8'));
  const drawn = read(courses).map((course) => ({ ...course, startFinishLine: null, sectors: [] }));
  const reversed = drawn.map((course) => ({ ...course, outline: course.outline?.toReversed() ?? null }));
  return [...read(tracks), ...drawn, ...reversed];
}

/** Analyses one recording as an upload does, and says what is offered first; null where its device knew no line. */
async function recognise(
  sample: LapSample,
  layouts: readonly Track[],
  shared: { tracks: SharedTracks; courses: SharedTracks },
): Promise<Outcome | null> {
  const driven = readDrivenLap(sample);
  if (driven === null) return null;
  const right = listRightLayouts(driven.lap, layouts);
  const startMs = performance.now();
  const read = await analyzeLapFile({ path: sample.path, trackId: null, ...shared, pointsMax: 1_000 });
  const analysisMs = performance.now() - startMs;
  if (!read.isReadable) throw new Error(`${sample.name}: ${read.sentence}`);
  const [track] = read.value.suggestions;
  const [course] = read.value.courses;
  const isCourse = course !== undefined && course.confidencePct > (track?.confidencePct ?? 0);
  const offered = isCourse ? course.track.id : track?.trackId;
  const isRight = right.layouts.some(({ id }) => id === offered);
  const verdict = isRight ? `the right ${isCourse ? 'course' : 'track'}` : describeOther(offered, driven);
  const line = isRight && isCourse ? course.track.startFinishLine : null;
  const lineOffMeters = line && distanceMeters(middle(line.a, line.b), middle(driven.line.a, driven.line.b));
  const pct = `${isCourse ? course.confidencePct : (track?.confidencePct ?? 0)} %`;
  const nameOf = (id: string | undefined) =>
    layouts
      .filter((layout) => layout.id === id)
      .slice(0, 1)
      .map(nameTrack);
  console.log(
    verdict.padEnd(22),
    pct.padStart(5),
    lineOffMeters === null
      ? ''.padStart(14)
      : `${course?.lineSource} ${lineOffMeters.toFixed(0)} m`.padStart(14),
    sample.name.padEnd(56),
    nameOf(offered).join(''),
    isRight ? '' : `← ${right.layouts.map(nameTrack).join(' or ') || right.nearest}`,
  );
  return { verdict, lineOffMeters, analysisMs };
}

function describeOther(
  offered: string | undefined,
  { file }: NonNullable<ReturnType<typeof readDrivenLap>>,
): string {
  if (offered !== undefined) return 'WRONG';
  return proposeTracks(file).length > 0 ? 'a proposed track' : 'nothing';
}
