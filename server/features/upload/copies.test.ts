import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { uploadEndpoints } from '#contract/upload/schemas.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { driveKart, insertKartTrack, listKeptFiles } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { type RetimedSession, retimeSessions } from '#server/model/laps/retime.ts';
import { sweepOrphans } from '#server/model/laps/sweep-orphans.ts';

const OWN_AGAIN = 'This file has already been uploaded.';
const OF_ANOTHER = 'This file was already uploaded by another driver.';

const app = useTestApp();
let driver: SignedIn;
let other: SignedIn;
let trackId: TrackId;

beforeEach(async () => {
  const { db } = app.database;
  [driver, other] = [await insertSignedIn(db), await insertSignedIn(db)];
  trackId = await insertKartTrack(db);
});

async function upload(content: string, who: SignedIn, to = trackId) {
  const response = await app.as(who).uploadLaps(to, { name: 'laps.csv', content });
  const [result] = uploadEndpoints.upload.response.parse(response.json()).results;
  return result;
}

async function analyze(content: string, who: SignedIn, fields: [string, string][] = []) {
  const parts: [string, string | { name: string; content: string }][] = [
    ...fields,
    ['file', { name: 'laps.csv', content }],
  ];
  const response = await app.as(who).postForm('/api/analyze-gps', parts);
  return uploadEndpoints.analyze.response.parse(response.json());
}

const board = async () => (await app.asGuest().get(`/api/laps/track/${trackId}/best`)).json<LapRecord[]>();

async function lapsOf(sessionId: string | undefined) {
  const { rows } = await app.database.pool.query(
    'SELECT status, reasons FROM laps WHERE session_id = $1 ORDER BY number',
    [sessionId],
  );
  return rows;
}

/** The drive until a moment after its lap `lap` ended. */
function cutAfter(drive: SimulatedDrive, lap: number): SimulatedDrive {
  const { startTimeMs = 0, lapTimeMs = 0 } = drive.trueLaps[lap - 1] ?? {};
  const endMs = startTimeMs + lapTimeMs + 1_500;
  return { ...drive, fixes: drive.fixes.filter(({ timeMs }) => timeMs <= endMs) };
}

test.each<[string, (drive: SimulatedDrive) => string]>([
  ['a line end was added', (drive) => `${writeGenericCsv(drive)}\n`],
  [
    'it was saved again by a spreadsheet',
    (drive) => writeGenericCsv(drive, { separator: ';', speed: 'mph' }),
  ],
  ['it was exported in another format', (drive) => writeGpx(drive)],
  ['its date was taken away', (drive) => writeGenericCsv(drive, { clock: 'elapsed-s' })],
  [
    'its clock was made quicker',
    (drive) => {
      const startMs = drive.fixes[0]?.timeMs ?? 0;
      const fixes = drive.fixes.map((fix) => ({ ...fix, timeMs: startMs + (fix.timeMs - startMs) * 0.9 }));
      return writeGenericCsv({ ...drive, fixes });
    },
  ],
])('a recording that was uploaded is known again when %s', async (_how, write) => {
  const drive = driveKart();
  expect(await upload(writeGenericCsv(drive), driver)).toMatchObject({ success: true });
  const kept = await listKeptFiles(app.storage);
  const otherTrack = await insertKartTrack(app.db);
  expect(await upload(write(drive), driver)).toMatchObject({ success: false, error: OWN_AGAIN });
  expect(await upload(write(drive), other)).toMatchObject({ success: false, error: OF_ANOTHER });
  expect(await upload(write(drive), other, otherTrack)).toMatchObject({ success: false, error: OF_ANOTHER });
  expect(await listKeptFiles(app.storage)).toEqual(kept);
  expect((await board()).map(({ driverId }) => driverId)).toEqual([driver.userId]);
});

/** The file of a drive, each of its coordinates, which have seven decimals, rewritten. */
const rewritten = (drive: SimulatedDrive, write: (degrees: string) => string) =>
  writeGenericCsv(drive).replaceAll(/\d+\.\d{7}/g, write);

test.each<[string, (degrees: string) => string]>([
  ['six decimals were printed', (degrees) => Number(degrees).toFixed(6)],
  ['a spreadsheet has left six decimals', (degrees) => halfUp(degrees, 6)],
  ['a spreadsheet has left five decimals', (degrees) => halfUp(degrees, 5)],
  ['the last decimals were cut off', (degrees) => degrees.slice(0, -2)],
])('a recording is known again where %s, and from such a copy too', async (_how, write) => {
  const drive = driveKart();
  expect(await upload(writeGenericCsv(drive), driver)).toMatchObject({ success: true });
  expect(await upload(rewritten(drive, write), driver)).toMatchObject({ success: false, error: OWN_AGAIN });
  expect(await upload(rewritten(drive, write), other)).toMatchObject({ success: false, error: OF_ANOTHER });
  const another = driveKart();
  expect(await upload(rewritten(another, write), driver)).toMatchObject({ success: true });
  expect(await upload(writeGenericCsv(another), other)).toMatchObject({ success: false, error: OF_ANOTHER });
  expect(await sweepOrphans(app.storage, app.db, 0)).toBe(0);
});

/** Rounds as decimal arithmetic does, which ignores what is exact in binary. */
function halfUp(degrees: string, decimals: number): string {
  const dropped = 7 - decimals;
  const steps = (BigInt(degrees.replace('.', '')) + 5n * 10n ** BigInt(dropped - 1)) / 10n ** BigInt(dropped);
  return String(steps).replace(new RegExp(`(\\d{${decimals}})$`), '.$1');
}

test('only the driver who sent a recording without a ranked lap may send it again with more decimals', async () => {
  const drive = driveKart();
  const longTrack = await insertKartTrack(app.db, { lengthMeters: 3_000 });
  const coarse = rewritten(drive, (degrees) => degrees.slice(0, -1));
  expect(await upload(coarse, driver, longTrack)).toMatchObject({ success: true, bestLapTimeMs: null });
  expect(await upload(writeGenericCsv(drive), other, longTrack)).toMatchObject({
    success: false,
    error: OF_ANOTHER,
  });
  expect((await analyze(writeGenericCsv(drive), driver, [['trackId', longTrack]])).message).toBeUndefined();
  expect(await upload(writeGenericCsv(drive), driver, longTrack)).toMatchObject({ success: true });
});

test('a recording whose laps a moderator has rejected is no better with fewer decimals', async () => {
  const drive = driveKart();
  const uploaded = await upload(writeGenericCsv(drive), driver);
  await app.database.pool.query(
    "UPDATE laps SET rejected_status = status, status = 'rejected' WHERE session_id = $1",
    [uploaded?.sessionId],
  );
  await app.database.pool.query('DELETE FROM session_bests WHERE session_id = $1', [uploaded?.sessionId]);
  const coarse = rewritten(drive, (degrees) => degrees.slice(0, -1));
  expect(await upload(coarse, driver)).toMatchObject({ success: false, error: OWN_AGAIN });
});

test.each([7, 5])(
  'what two receivers in one car have recorded, to %i decimals, is no copy',
  async (decimals) => {
    const drive = driveKart();
    const random = seededRandom(decimals);
    const nearby = (degrees: number) => Number((degrees + (random.uniform() - 0.5) * 6e-6).toFixed(decimals));
    const recorded = () => {
      const fixes = drive.fixes.map((fix) => ({ ...fix, lat: nearby(fix.lat), lon: nearby(fix.lon) }));
      return writeGenericCsv({ ...drive, fixes });
    };
    expect(await upload(recorded(), driver)).toMatchObject({ success: true });
    expect(await upload(recorded(), driver)).toMatchObject({ success: true });
    expect(await upload(recorded(), other)).toMatchObject({ success: true });
  },
);

test('the same recording in different files sent at once is stored once', async () => {
  const drive = driveKart();
  const csv = writeGenericCsv(drive);
  const results = await Promise.all([
    upload(csv, driver),
    upload(`${csv}\n`, other),
    upload(writeGpx(drive), driver),
    upload(`${csv}\n\n`, other),
  ]);
  expect(results.filter((result) => result?.success)).toHaveLength(1);
  expect(await board()).toHaveLength(1);
  expect(await sweepOrphans(app.storage, app.db, 0)).toBe(0);
});

test("a file cut down to laps of somebody else's is refused", async () => {
  const drive = driveKart(4);
  await upload(writeGenericCsv(drive), driver);
  expect(await upload(writeGenericCsv(cutAfter(drive, 2)), other)).toMatchObject({
    success: false,
    error: OF_ANOTHER,
  });
  expect(await board()).toHaveLength(1);
});

test('only the new laps rank of a file that has laps recorded before, too', async () => {
  const drive = driveKart(4);
  await upload(writeGenericCsv(cutAfter(drive, 2)), driver);
  const result = await upload(writeGenericCsv(drive), other);
  expect(result).toMatchObject({ success: true, lapCount: 4 });
  expect(await lapsOf(result?.sessionId)).toEqual([
    { status: 'rejected', reasons: ['recorded_before'] },
    { status: 'rejected', reasons: ['recorded_before'] },
    { status: 'valid', reasons: [] },
    { status: 'valid', reasons: [] },
  ]);
  const { rows } = await app.database.pool.query(
    `SELECT count(*)::int AS count FROM laps WHERE track_id = $1 AND status = 'valid'`,
    [trackId],
  );
  expect(rows).toEqual([{ count: 4 }]);
});

test('an analysis says of a file what its upload would say, and shows its laps all the same', async () => {
  const drive = driveKart();
  const csv = writeGenericCsv(drive);
  const onTrack: [string, string][] = [['trackId', trackId]];
  const { message, fileToken, ...before } = await analyze(csv, driver, onTrack);
  expect(message).toBeUndefined();
  await upload(csv, driver);
  const cut = rewritten(drive, (degrees) => degrees.slice(0, -1));
  for (const content of [csv, writeGpx(drive), cut]) {
    expect(await analyze(content, driver)).toMatchObject({ message: OWN_AGAIN });
    expect(await analyze(content, other)).toMatchObject({ message: OF_ANOTHER });
  }
  const { fileToken: otherToken, ...after } = await analyze(csv, other, onTrack);
  expect(after).toEqual({ ...before, message: OF_ANOTHER });
  expect(otherToken).not.toBe(fileToken);
  const part = await analyze(writeGenericCsv(cutAfter(drive, 2)), other, onTrack);
  expect(part).toMatchObject({ message: OF_ANOTHER, lapCount: 2 });
});

test('an analysis says which laps of a file were recorded before, as its upload does', async () => {
  const drive = driveKart(4);
  await upload(writeGenericCsv(cutAfter(drive, 2)), driver);
  const analysis = await analyze(writeGenericCsv(drive), other, [['trackId', trackId]]);
  const [suggestion] = analysis.gpsSuggestions;
  expect(analysis.message).toBeUndefined();
  expect(suggestion?.laps.map(({ reasons }) => reasons)).toEqual([
    ['recorded_before'],
    ['recorded_before'],
    [],
    [],
  ]);
  const result = await upload(writeGenericCsv(drive), other);
  const { lapCount, bestLapTimeMs } = analysis;
  expect(result).toMatchObject({ success: true, lapCount, bestLapTimeMs });
});

test('a copy stays one when everything is timed again, and what was stored without hashes gets them', async () => {
  const drive = driveKart(4);
  const first = await upload(writeGenericCsv(cutAfter(drive, 2)), driver);
  const second = await upload(writeGenericCsv(drive), other);
  const [before, copies] = [await lapsOf(first?.sessionId), await lapsOf(second?.sessionId)];
  await app.database.pool.query("UPDATE lap_files SET positions_hash = NULL, rounded_hashes = '{}'");
  await app.database.pool.query(
    `UPDATE laps SET positions_hash = NULL WHERE session_id = '${first?.sessionId}'`,
  );
  // The session that came first may be timed after its copy.
  await retime();
  await retime();
  expect(await lapsOf(first?.sessionId)).toEqual(before);
  expect(await lapsOf(second?.sessionId)).toEqual(copies);
  expect(await upload(writeGpx(drive), driver)).toMatchObject({ error: OF_ANOTHER });
  const cut = rewritten(drive, (degrees) => degrees.slice(0, -1));
  expect(await upload(cut, driver)).toMatchObject({ error: OF_ANOTHER });
});

async function retime(): Promise<RetimedSession[]> {
  const workFolder = await mkdtemp(join(tmpdir(), 'pitboard-copies-'));
  const { database, storage, lapWorkers } = app;
  const parts = { db: database.db, storage, lapWorkers, workFolder };
  const retimed: RetimedSession[] = [];
  for await (const one of retimeSessions(parts, { trackId, isDryRun: false })) retimed.push(one);
  await rm(workFolder, { recursive: true });
  return retimed;
}
