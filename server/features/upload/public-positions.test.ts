import { expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { insertSignedIn, insertUserCar } from '#server/testing/builders.ts';
import { driveKart, insertKartTrack } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

/** Calls whose answer is about the caller alone, or needs something that others do not have. */
const OWN = new Set(['GET /api/account/export', 'GET /api/auth/callback', 'GET /api/login']);

test('no call gives anybody else a position of a recording: neither of its laps, nor of the way to the paddock and home', async () => {
  const { db } = app.database;
  const driver = await insertSignedIn(db);
  const trackId = await insertKartTrack(db);
  const userCarId = await insertUserCar(db, { userId: driver.userId });
  const drive = driveKart();
  const content = writeGenericCsv(drive);
  const file = { name: 'laps.csv', content };
  const uploaded = await app.as(driver).uploadLaps(trackId, file, { userCarId });
  const [{ sessionId, success }] = uploaded.json().results;
  expect(success).toBe(true);

  const other = await insertSignedIn(db);
  const administrator = await insertSignedIn(db, { isAdmin: true });
  const ids: Record<string, string> = {
    trackId,
    userId: driver.userId,
    idOrName: driver.userId,
    id: sessionId,
    key: userCarId,
  };
  // A single number may be that of a line or an outline by chance; both together are a position of the car.
  const fixes = drive.fixes.map(({ lat, lon }) => [lat.toFixed(7), lon.toFixed(7)]);
  const findFixes = (text: string) => {
    const numbers = new Set(text.match(/-?\d+\.\d{7}/g));
    return fixes.filter((fix) => fix.every((number) => numbers.has(number)));
  };
  expect(findFixes(content)).toEqual(fixes);
  let answered = 0;
  for (const { method, path } of ENDPOINTS) {
    if (method !== 'GET' || OWN.has(`${method} ${path}`)) continue;
    const url = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? 'none');
    for (const headers of [{}, other.headers, administrator.headers]) {
      const response = await app.as({ headers }).get(url);
      if (response.statusCode === 200) answered += 1;
      expect([url, findFixes(response.body)]).toEqual([url, []]);
    }
  }
  expect(answered).toBeGreaterThan(30);
  // The recording itself goes to its driver alone.
  const own = await app.as(driver).get('/api/account/export');
  const others = await app.as(other).get('/api/account/export');
  expect(own.rawPayload.length).toBeGreaterThan(others.rawPayload.length + 1_000);
});
