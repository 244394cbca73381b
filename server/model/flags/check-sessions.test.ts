import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import { lapIdSchema, sessionIdSchema, type UserId } from '#contract/ids.ts';
import { lapDecisions, lapFlags } from './schema.ts';
import { carModels } from '#server/model/cars/schema.ts';
import { laps, sessions } from '#server/model/laps/schema.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { insertSession, insertSignedIn, insertTrack, insertUserCar } from '#server/testing/builders.ts';
import { insertKartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { cutObject } from '#server/testing/test-storage.ts';
import { tracesKey } from '#server/model/laps/trace-storage.ts';
import { RULES_VERSION } from './automatic-rules.ts';
import { checkOldSessionsJob } from './check-sessions.ts';
import { findLapToCheck } from './check-store.ts';
import { decideLap } from './decide-lap.ts';

const TRACK = asTrackId('weathertech-raceway-laguna-seca-full');
// A BMW M2 CS recorded it. The first position is left out, which makes it a recording of its own: samples are not checked.
const SAMPLE = readFileSync(join(projectFolder, 'data/lap-files/laguna-seca-racechrono.csv'), 'utf8').replace(
  /^1778953330,[^\n]*\n/m,
  '',
);

const app = useTestApp();

beforeAll(async () => {
  await loadLibraries(app.db);
});

/** Uploads a lap file of a car of the library; gives the session. */
async function upload(modelKey: string, content: string) {
  const driver = await insertSignedIn(app.db);
  const [model] = await app.db.select().from(carModels).where(eq(carModels.modelKey, modelKey));
  if (!model) throw new Error(`There is no ${modelKey}.`);
  const userCarId = await insertUserCar(app.db, { userId: driver.userId, carModelId: model.id });
  const file = { name: 'laps.csv', content };
  const response = await app.as(driver).uploadLaps(TRACK, file, { userCarId, tireCompound: 'rcomp' });
  const { sessionId, bestLapId } = response.json().results[0];
  return { ...driver, sessionId: sessionIdSchema.parse(sessionId), lapId: lapIdSchema.parse(bestLapId) };
}

const listFlags = (driverId: UserId) =>
  app.db.select().from(lapFlags).where(eq(lapFlags.driverId, driverId)).orderBy(lapFlags.reason);

/** The sample with a bit added to all latitudes and longitudes, and driven a day later. */
function disguise(text: string): string {
  const [numbers, ...lines] = [/^-?\d+\.\d{5,}$/, ...text.split('\n')];
  return lines
    .map((line) =>
      line
        .split(',')
        .map((cell) => {
          if (/^1\d{9}(\.\d+)?$/.test(cell)) return String(Number(cell) + 86_400);
          return numbers.test(cell) && Math.abs(Number(cell)) > 30
            ? (Number(cell) + 0.00002 + 0.000002 * Math.sin(1e9 * Number(cell))).toFixed(7)
            : cell;
        })
        .join(','),
    )
    .join('\n');
}

test('a BMW M2 that is filed as a Mazda MX-5 1.6 is flagged, stays on the board, and is flagged once', async () => {
  const driver = await upload('mazda-mx-5-na-1-6', SAMPLE);
  expect(await listFlags(driver.userId)).toEqual([]);
  await app.runJobs();
  const flags = await listFlags(driver.userId);
  expect(flags).toMatchObject([
    { reason: 'power', lapId: driver.lapId, userId: null, decisionId: null, trackId: TRACK },
  ]);
  expect(flags[0]?.sentence).toMatch(/Gains speed with 1\d\d W\/kg .*; this car has 125 W\/kg at most\./);
  const board = await app.asGuest().get(`/api/laps/track/${TRACK}/best`);
  expect(board.json()).toMatchObject([{ lapId: driver.lapId, rank: 1 }]);

  // Improved rules look at it again, and add nothing that is there.
  await app.db.update(sessions).set({ rulesVersion: 0 });
  await addJob(app.db, checkOldSessionsJob, {});
  await app.runJobs();
  expect(await listFlags(driver.userId)).toHaveLength(1);
  const [session] = await app.db.select().from(sessions).where(eq(sessions.id, driver.sessionId));
  expect(session).toMatchObject({
    rulesVersion: RULES_VERSION,
    extremes: { gainedWattsPerKilogram: expect.any(Number) },
  });
});

test("the positions of another driver's lap are flagged, moved and on another day", async () => {
  const copy = await upload('bmw-m2-f87-cs', disguise(SAMPLE));
  await app.runJobs();
  expect(await listFlags(copy.userId)).toMatchObject([
    {
      reason: 'copy',
      lapId: copy.lapId,
      sentence: expect.stringContaining('Follows a lap of another driver'),
    },
  ]);
});

test('a driver who was elsewhere at that time is flagged, but not for files without a date that went up together', async () => {
  const { userId } = await insertSignedIn(app.db);
  const drive = async (centerLat: number, startedAt: Date) => {
    const trackId = await insertTrack(app.db, { centerLat });
    const sessionId = await insertSession(app.db, {
      trackId,
      userId,
      startedAt,
      laps: [{ lapTimeMs: 60_000 }],
    });
    return { trackId, sessionId };
  };
  const elsewhere = async (key: Awaited<ReturnType<typeof drive>>) =>
    (await findLapToCheck(app.db, key))?.elsewhere;
  const [here, there, near, later] = [
    await drive(51, new Date('2026-06-06T10:00:00Z')),
    await drive(49, new Date('2026-06-06T10:00:30Z')),
    await drive(53, new Date('2026-06-06T10:01:40Z')),
    await drive(51.1, new Date('2026-06-06T10:01:45Z')),
  ];
  expect(await elsewhere(here)).toMatch(/^Test Ring/);
  expect(await elsewhere(there)).toMatch(/^Test Ring/);
  expect(await elsewhere(near)).toMatch(/^Test Ring/);
  await app.db.delete(sessions).where(eq(sessions.id, later.sessionId));
  expect(await elsewhere(near)).toBeNull();

  const undated = [await drive(45, new Date()), await drive(47, new Date())];
  for (const key of undated) expect(await elsewhere(key)).toBeNull();
});

test('a session whose stored file is damaged counts as checked, and those after it are checked', async () => {
  const trackId = await insertKartTrack(app.db);
  const uploads = [await insertKartUpload(app, trackId), await insertKartUpload(app, trackId)];
  for (const { storageKey } of uploads) {
    await cutObject(app.storage, storageKey);
    await app.storage.remove(tracesKey(storageKey));
  }
  await app.db.update(sessions).set({ rulesVersion: 0 }).where(eq(sessions.trackId, trackId));
  await addJob(app.db, checkOldSessionsJob, {});
  await app.runJobs();
  const checked = await app.db.select().from(sessions).where(eq(sessions.trackId, trackId));
  expect(checked).toMatchObject(uploads.map(() => ({ rulesVersion: RULES_VERSION, extremes: null })));
});

test('the check of old laps rejects nothing, and does not flag again what a moderator has kept', async () => {
  const [flag] = await app.db.select().from(lapFlags).where(eq(lapFlags.reason, 'power'));
  if (!flag) throw new Error('The first test has left a flag.');
  const moderator = await insertSignedIn(app.db, { role: 'moderator' });
  const key = { trackId: TRACK, lapId: flag.lapId };
  await decideLap(app.db, moderator.userId, key, { verdict: 'keep', reason: null });
  const readLaps = () =>
    app.db.select({ id: laps.id, status: laps.status, reasons: laps.reasons }).from(laps).orderBy(laps.id);
  const before = await readLaps();

  await app.db.update(sessions).set({ rulesVersion: 0 });
  await addJob(app.db, checkOldSessionsJob, {});
  await app.runJobs();
  expect(await app.db.$count(sessions, eq(sessions.rulesVersion, RULES_VERSION))).toBe(
    await app.db.$count(sessions),
  );
  const after = (await listFlags(flag.driverId)).filter(({ reason }) => reason === 'power');
  expect(after).toMatchObject([{ id: flag.id, decisionId: expect.any(String) }]);
  expect(await readLaps()).toEqual(before);
  expect(await app.db.$count(lapDecisions)).toBe(1);
});
