import { expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { uploadEndpoints } from '#contract/upload/schemas.ts';
import { insertSession, insertSignedIn, insertUser } from '#server/testing/builders.ts';
import { insertKartTrack, kartCsv } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

async function upload(trackId: string, who: Person, files = [kartCsv()]) {
  const response = await app.as(who).uploadLaps(trackId, files);
  return uploadEndpoints.upload.response.parse(response.json());
}

async function insertRival(trackId: TrackId, lapTimeMs: number, lastName: string) {
  const userId = await insertUser(app.db, { firstName: 'Test', lastName });
  await insertSession(app.db, { trackId, userId, laps: [{ lapTimeMs }] });
  return userId;
}

test('the first lap of all is the record, with no driver ahead and nothing to compare with', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const { results, best } = await upload(trackId, driver);
  expect(best).toMatchObject({
    lapId: results[0]?.bestLapId,
    lapTimeMs: results[0]?.bestLapTimeMs,
    isNew: true,
    rank: 1,
    drivers: 1,
    isRecord: true,
    ahead: null,
    record: null,
    previous: null,
  });
  expect(best?.sectors.map(({ previousTimeMs }) => previousTimeMs)).not.toContainEqual(expect.any(Number));
  expect(best?.sectors.map(({ timeMs }) => timeMs)).toContainEqual(expect.any(Number));
});

test('an upload says the place, who is next ahead by their best lap, and the record', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  await insertRival(trackId, 10_000, 'Fastest');
  const next = await insertRival(trackId, 12_000, 'Next');
  // A slower lap of the same rival, on other tyres, is not their best.
  await insertSession(app.db, {
    trackId,
    userId: next,
    tireCompound: 'rcomp',
    laps: [{ lapTimeMs: 13_000 }],
  });
  await insertRival(trackId, 900_000, 'Behind');
  const { best } = await upload(trackId, driver);
  expect(best).toMatchObject({ rank: 3, drivers: 4, isRecord: false });
  expect(best?.ahead).toMatchObject({ userName: 'Test Next', lapTimeMs: 12_000 });
  expect(best?.record).toMatchObject({ userName: 'Test Fastest', lapTimeMs: 10_000 });
});

test('a second upload says what the best lap was before, and which sectors are better', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  await insertSession(app.db, {
    trackId,
    userId: driver.userId,
    laps: [{ lapTimeMs: 800_000, sectorTimesMs: [400_000, 1, 399_999] }],
  });
  const { results, best } = await upload(trackId, driver);
  expect(best).toMatchObject({ isNew: true, previous: { lapTimeMs: 800_000 } });
  expect(best?.sectors.slice(0, 2)).toMatchObject([{ previousTimeMs: 400_000 }, { previousTimeMs: 1 }]);
  expect(best?.sectors[0]?.timeMs).toBeLessThan(400_000);
  expect(best?.lapTimeMs).toBe(results[0]?.bestLapTimeMs);
});

test('an upload that is slower than the best lap before leaves that the best', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  await insertSession(app.db, { trackId, userId: driver.userId, laps: [{ lapTimeMs: 10_000 }] });
  const { best } = await upload(trackId, driver);
  expect(best).toMatchObject({ isNew: false, lapTimeMs: 10_000, isRecord: true });
  expect(best?.previous?.lapId).toBe(best?.lapId);
});

test('an upload that stored nothing has no best lap', async () => {
  const trackId = await insertKartTrack(app.db);
  const driver = await insertSignedIn(app.db);
  const file = kartCsv();
  await upload(trackId, driver, [file]);
  expect(await upload(trackId, driver, [file])).toMatchObject({ results: [{ success: false }], best: null });
});
