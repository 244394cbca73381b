import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { type LapComparison, lapComparisonSchema } from '#contract/lap-view/comparison.ts';
import { referenceLines } from '#server/model/laps/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { fromDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { distanceMeters, METERS_PER_DEGREE, type Position } from '#engine/geo.ts';
import type { OutlinePoint } from '#engine/track.ts';
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

function placesOfCorners({ corners, reference: { meters, latSteps, lonSteps } }: LapComparison): Position[] {
  const [lats, lons] = [fromDegreeSteps(latSteps), fromDegreeSteps(lonSteps)];
  return corners.map(({ apexMeters }) => {
    const station = meters.findIndex((place) => place >= apexMeters);
    return { lat: lats[station] ?? 0, lon: lons[station] ?? 0 };
  });
}

/** Moves the northernmost point of an outline out by 16 m, where the oval is straightest: a bend in both directions. */
function withBulge(outline: readonly OutlinePoint[]): OutlinePoint[] {
  const most = Math.max(...outline.map(([lat]) => lat));
  return outline.map(([lat, lon]) => [lat === most ? lat + 16 / METERS_PER_DEGREE : lat, lon]);
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

test('a corner keeps its number when the track gets a line, and another one', async () => {
  const trackId = await insertKartTrack(app.db);
  const [first, second] = [await insertKartUpload(app, trackId), await insertKartUpload(app, trackId)];
  const alongFirst = await compare(first, second);
  await app.runJobs();
  const alongLine = await compare(first, second);
  const places = [alongFirst, alongLine].map(placesOfCorners);
  expect(places[0]?.length).toBeGreaterThan(0);
  expect(alongLine.corners.map(({ number, direction }) => ({ number, direction }))).toEqual(
    alongFirst.corners.map(({ number, direction }) => ({ number, direction })),
  );
  places[0]?.forEach((place, index) =>
    expect(distanceMeters(place, places[1]?.[index] ?? { lat: 0, lon: 0 })).toBeLessThan(10),
  );
});

test('corners are counted on the outline of the track, as it is now', async () => {
  const trackId = await insertKartTrack(app.db);
  const [first, second] = [await insertKartUpload(app, trackId), await insertKartUpload(app, trackId)];
  const before = await compare(first, second);
  await app.db
    .update(tracks)
    .set({ outline: withBulge(KART_TRACK.outline ?? []), definedAt: new Date() })
    .where(eq(tracks.id, trackId));
  const after = await compare(first, second);
  expect(after.corners.length).toBeGreaterThan(before.corners.length);
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
