import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LapComparison, lapComparisonSchema } from '#contract/lap-comparison.ts';
import { referenceLines } from '#server/model/laps/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { insertKartUpload, type KartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { findReferenceLine } from '#server/model/laps/reference-line-store.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;

async function compare({ url }: KartUpload, { lap }: KartUpload): Promise<LapComparison> {
  const response = await testApp.app.inject({ url: `${url}/comparison?with=${lap.id}` });
  expect(response.statusCode).toBe(200);
  return lapComparisonSchema.parse(response.json());
}

async function storedLapIds(trackId: string): Promise<string[] | undefined> {
  const [row] = await db().select().from(referenceLines).where(eq(referenceLines.trackId, trackId));
  return row?.lapIds;
}

test('after the first comparison a track has a line of its own, along which all laps are compared', async () => {
  const trackId = await insertKartTrack(db());
  const [first, second, third] = [
    await insertKartUpload(testApp, trackId),
    await insertKartUpload(testApp, trackId),
    await insertKartUpload(testApp, trackId),
  ];
  const alongFirst = await compare(first, second);
  expect(await findReferenceLine(db(), trackId)).toBeNull();
  await testApp.runJobs();
  const board = (await testApp.app.inject({ url: `/api/laps/track/${trackId}/best` })).json();
  expect(await storedLapIds(trackId)).toEqual(board.map(({ lapId }: { lapId: string }) => lapId));

  const one = await compare(first, second);
  const other = await compare(third, second);
  expect(one.reference.latSteps).not.toEqual(alongFirst.reference.latSteps);
  // Whichever lap is the reference, the stations and corners are the same.
  for (const column of ['meters', 'latSteps', 'lonSteps'] as const)
    expect(other.reference[column]).toEqual(one.reference[column]);
  expect(other.corners.map(({ apexMeters }) => apexMeters)).toEqual(
    one.corners.map(({ apexMeters }) => apexMeters),
  );
});

test('a line is not used any more once a lap in it is private or the track was corrected, and made again', async () => {
  const trackId = await insertKartTrack(db());
  const [first, second, hidden] = [
    await insertKartUpload(testApp, trackId),
    await insertKartUpload(testApp, trackId),
    await insertKartUpload(testApp, trackId),
  ];
  await compare(first, second);
  await testApp.runJobs();
  expect(await storedLapIds(trackId)).toHaveLength(3);
  expect(await findReferenceLine(db(), trackId)).not.toBeNull();

  await db().update(users).set({ keepLinesPrivate: true }).where(eq(users.id, hidden.userId));
  expect(await findReferenceLine(db(), trackId)).toBeNull();
  await compare(first, second);
  await testApp.runJobs();
  expect(await storedLapIds(trackId)).toHaveLength(2);
  const before = await findReferenceLine(db(), trackId);

  await db().update(tracks).set({ definedAt: new Date() }).where(eq(tracks.id, trackId));
  expect(await findReferenceLine(db(), trackId)).toBeNull();
  await compare(first, second);
  await testApp.runJobs();
  const after = await findReferenceLine(db(), trackId);
  expect(after?.version).not.toBe(before?.version);
});

test('an upload has the line made again a while later', async () => {
  const trackId = await insertKartTrack(db());
  await insertKartUpload(testApp, trackId);
  const due = async () => {
    const { rows } = await testApp.database.pool.query(
      `SELECT run_at > now() + interval '30 seconds' AS later FROM graphile_worker.jobs WHERE key = $1`,
      [`build-reference-line:${trackId}`],
    );
    return rows;
  };
  expect(await due()).toEqual([{ later: true }]);
  await insertKartUpload(testApp, trackId);
  expect(await due()).toHaveLength(1);
});
