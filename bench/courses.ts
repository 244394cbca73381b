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
import type { TimingLine } from '#engine/timing-line.ts';
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
import { type DrivenLap, listRightLayouts, nameTrack, readDrivenLap } from './recognition.ts';

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
      db,
      downloadFolder,
      version: 'bench',
      allowsLoopback: true,
      onProgress: () => {},
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

type Shared = { tracks: SharedTracks; courses: SharedTracks };

type Outcome = { verdict: string; lineOffMeters: number | null; analysisMs: number };

async function measureRecognition(db: Database, folder: string): Promise<void> {
  const shared = { tracks: await shareTracks(db)(), courses: await shareCourses(db)() };
  const layouts = listLayouts(shared);
  const known = listLapSamples(folder).flatMap((sample) => {
    const driven = readDrivenLap(sample);
    return driven === null ? [] : [{ sample, driven, right: listRightLayouts(driven.lap, layouts) }];
  });
  const outcomes: Outcome[] = [];
  for (const recording of known) outcomes.push(await recognise(recording, shared));
  const lacking: string[] = [];
  for (const recording of known) lacking.push(await recogniseWithout(recording, shared));
  const lines = outcomes.flatMap(({ lineOffMeters }) => lineOffMeters ?? []);
  const times = outcomes.map(({ analysisMs }) => analysisMs);
  console.log(`
${outcomes.length} recordings with a known line: ${countEach(outcomes.map(({ verdict }) => verdict))}
Where the set lacks the layout, but has others of its venue: ${countEach(lacking)}
Lines of courses within ${NEAR_METERS} m of the device's: ${lines.filter((meters) => meters <= NEAR_METERS).length} of ${lines.length}
One analysis: ${(median(times) ?? 0).toFixed(0)} ms (median), ${Math.max(...times).toFixed(0)} ms (longest: the first one reads the set)`);
}

function countEach(verdicts: readonly string[]): string {
  return [...new Set(verdicts)]
    .map((verdict) => `${verdict} ${verdicts.filter((other) => other === verdict).length}`)
    .join(', ');
}

const readShared = ({ json }: SharedTracks): Track[] => JSON.parse(Buffer.from(json).toString('utf8'));

/** Lists the tracks, and each course in both directions. */
function listLayouts({ tracks, courses }: Shared): Track[] {
  const drawn = readShared(courses).map((course) => ({ ...course, startFinishLine: null, sectors: [] }));
  const reversed = drawn.map((course) => ({ ...course, outline: course.outline?.toReversed() ?? null }));
  return [...readShared(tracks), ...drawn, ...reversed];
}

type Recording = {
  sample: LapSample;
  driven: DrivenLap;
  right: ReturnType<typeof listRightLayouts>;
};

/** Analyses a recording as an upload does, and says what is offered first. */
async function recognise({ sample, driven, right }: Recording, shared: Shared): Promise<Outcome> {
  const startMs = performance.now();
  const offer = await findOffer(sample, shared);
  const analysisMs = performance.now() - startMs;
  const verdict = judge(offer, right.layouts, driven);
  const { name = '', confidencePct = 0, lineSource = '', line = null } = offer ?? {};
  const lineOffMeters =
    line && verdict === 'right course'
      ? distanceMeters(middle(line.a, line.b), middle(driven.line.a, driven.line.b))
      : null;
  console.log(
    verdict.padEnd(16),
    `${confidencePct} %`.padStart(5),
    (lineOffMeters === null ? '' : `${lineSource} ${lineOffMeters.toFixed(0)} m`).padStart(17),
    sample.name.padEnd(56),
    name,
    verdict.startsWith('right') ? '' : `← ${right.layouts.map(nameTrack).join(' or ') || right.nearest}`,
  );
  return { verdict, lineOffMeters, analysisMs };
}

/** Says what is offered first where the set lacks the layout that was driven. */
async function recogniseWithout({ sample, driven, right }: Recording, shared: Shared): Promise<string> {
  const wrong = new Set(right.layouts.map(({ id }) => id));
  const others = right.venue.filter(({ id }) => !wrong.has(id));
  const offer = await findOffer(sample, shareOnly(shared, others));
  const verdict = judge(offer, right.layouts, driven);
  if (verdict.startsWith('wrong'))
    console.log(`without its layout: ${verdict}`, `${offer?.confidencePct} %`, sample.name, '→', offer?.name);
  return verdict;
}

/** Shares the courses that are among `layouts`, with all tracks. */
function shareOnly({ tracks, courses }: Shared, layouts: readonly Track[]): Shared {
  const ids = new Set(layouts.map(({ id }) => id));
  const some = readShared(courses).filter(({ id }) => ids.has(id));
  const bytes = Buffer.from(JSON.stringify(some));
  const json = new SharedArrayBuffer(bytes.length);
  Buffer.from(json).set(bytes);
  return { tracks, courses: { version: [...ids].join(), json } };
}

type Offer = {
  id: string;
  name: string;
  kind: 'track' | 'course';
  confidencePct: number;
  line: TimingLine | null;
  lineSource: string;
};

/** Finds the track or course that fits best. */
async function findOffer({ path, name }: LapSample, shared: Shared): Promise<Offer | null> {
  const read = await analyzeLapFile({ path, trackId: null, ...shared, pointsMax: 1_000 });
  if (!read.isReadable) throw new Error(`${name}: ${read.sentence}`);
  const [track] = read.value.suggestions;
  const [course] = read.value.courses;
  if (course !== undefined && course.confidencePct > (track?.confidencePct ?? 0)) {
    const { confidencePct, lineSource } = course;
    const { id, startFinishLine: line } = course.track;
    return { id, name: nameTrack(course.track), kind: 'course', confidencePct, line, lineSource };
  }
  if (track === undefined) return null;
  const { trackId, confidencePct } = track;
  return { id: trackId, name: trackId, kind: 'track', confidencePct, line: null, lineSource: '' };
}

function judge(offer: Offer | null, right: readonly Track[], { file }: DrivenLap): string {
  if (offer !== null) return `${right.some(({ id }) => id === offer.id) ? 'right' : 'wrong'} ${offer.kind}`;
  return proposeTracks(file).length > 0 ? 'proposed track' : 'nothing';
}
