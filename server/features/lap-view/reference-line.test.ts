import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { type LapComparison, lapComparisonSchema } from '#contract/lap-view/comparison.ts';
import { referenceLines } from '#server/model/laps/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { insertKartUpload, type KartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { findReferenceLine } from '#server/model/laps/reference-line-store.ts';

const app = useTestApp();
const guest = app.asGuest();

async function compare({ url }: KartUpload, { lap }: KartUpload): Promise<LapComparison> {
  const response = await guest.get(`${url}/comparison?with=${lap.id}`);
  expect(response.statusCode).toBe(200);
  return lapComparisonSchema.parse(response.json());
}

async function storedLapIds(trackId: TrackId): Promise<string[] | undefined> {
  const [row] = await app.db.select().from(referenceLines).where(eq(referenceLines.trackId, trackId));
  return row?.lapIds;
}

test('after the first comparison a track has a line of its own, along which all laps are compared', async () => {
  const trackId = await insertKartTrack(app.db);
  const [first, second, third] = [
    await insertKartUpload(app, trackId),
    await insertKartUpload(app, trackId),
    await insertKartUpload(app, trackId),
  ];
  const alongFirst = await compare(first, second);
  expect(await findReferenceLine(app.db, trackId)).toBeNull();
  await app.runJobs();
  const board = (await guest.get(`/api/laps/track/${trackId}/best`)).json();
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
  const trackId = await insertKartTrack(app.db);
  const [first, second, hidden] = [
    await insertKartUpload(app, trackId),
    await insertKartUpload(app, trackId),
    await insertKartUpload(app, trackId),
  ];
  await compare(first, second);
  await app.runJobs();
  expect(await storedLapIds(trackId)).toHaveLength(3);
  expect(await findReferenceLine(app.db, trackId)).not.toBeNull();

  await app.db.update(users).set({ keepLinesPrivate: true }).where(eq(users.id, hidden.userId));
  expect(await findReferenceLine(app.db, trackId)).toBeNull();
  await compare(first, second);
  await app.runJobs();
  expect(await storedLapIds(trackId)).toHaveLength(2);
  const before = await findReferenceLine(app.db, trackId);

  await app.db.update(tracks).set({ definedAt: new Date() }).where(eq(tracks.id, trackId));
  expect(await findReferenceLine(app.db, trackId)).toBeNull();
  await compare(first, second);
  await app.runJobs();
  const after = await findReferenceLine(app.db, trackId);
  expect(after?.version).not.toBe(before?.version);
});

test('an upload has the line made again a while later', async () => {
  const trackId = await insertKartTrack(app.db);
  await insertKartUpload(app, trackId);
  const due = async () => {
    const { rows } = await app.database.pool.query(
      `SELECT run_at > now() + interval '30 seconds' AS later FROM graphile_worker.jobs WHERE key = $1`,
      [`build-reference-line:${trackId}`],
    );
    return rows;
  };
  expect(await due()).toEqual([{ later: true }]);
  await insertKartUpload(app, trackId);
  expect(await due()).toHaveLength(1);
});
