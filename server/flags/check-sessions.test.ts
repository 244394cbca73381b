import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lapFlags } from '#server/kernel/database/flag-schema.ts';
import { carModels, sessions } from '#server/kernel/database/schema.ts';
import { addJob } from '#server/kernel/jobs/job-store.ts';
import { projectFolder } from '#server/kernel/project-folder.ts';
import { loadLibraries } from '#server/libraries/library-store.ts';
import { insertSignedIn, insertUserCar } from '#server/testing/builders.ts';
import { postForm } from '#server/testing/kart-uploads.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';
import { RULES_VERSION } from './automatic-rules.ts';
import { checkOldSessionsJob } from './check-sessions.ts';

const TRACK = 'weathertech-raceway-laguna-seca-full';
// Of a BMW M2 CS.
const SAMPLE = readFileSync(join(projectFolder, 'data/lap-files/laguna-seca-racechrono.csv'), 'utf8');

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
  await loadLibraries(db());
}, 60_000);
afterAll(() => testApp.close());

const db = () => testApp.database.db;

/** Uploads a lap file of a car of the library; gives the session. */
async function upload(modelKey: string, content: string) {
  const driver = await insertSignedIn(db());
  const [model] = await db().select().from(carModels).where(eq(carModels.modelKey, modelKey));
  if (!model) throw new Error(`There is no ${modelKey}.`);
  const userCarId = await insertUserCar(db(), { userId: driver.userId, carModelId: model.id });
  const fields = { trackId: TRACK, userCarId, tireCompound: 'rcomp' };
  const parts: Parameters<typeof postForm>[2] = [
    ...Object.entries(fields).map(([name, value]): [string, string] => [name, value]),
    ['files', { name: 'laps.csv', content }],
  ];
  const response = await postForm(testApp.app, '/api/upload', parts, driver.headers);
  const { sessionId, bestLapId } = response.json().results[0];
  return { ...driver, sessionId: String(sessionId), lapId: String(bestLapId) };
}

const listFlags = (driverId: string) =>
  db().select().from(lapFlags).where(eq(lapFlags.driverId, driverId)).orderBy(lapFlags.reason);

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
  await testApp.runJobs();
  const flags = await listFlags(driver.userId);
  expect(flags).toMatchObject([
    { reason: 'power', lapId: driver.lapId, userId: null, decisionId: null, trackId: TRACK },
  ]);
  expect(flags[0]?.sentence).toMatch(/Gains speed with 1\d\d W\/kg .*; this car has 125 W\/kg at most\./);
  const board = await testApp.app.inject(`/api/laps/track/${TRACK}/best`);
  expect(board.json()).toMatchObject([{ lapId: driver.lapId, rank: 1 }]);

  // Improved rules look at it again, and add nothing that is there.
  await db().update(sessions).set({ rulesVersion: 0 });
  await addJob(db(), checkOldSessionsJob, {});
  await testApp.runJobs();
  expect(await listFlags(driver.userId)).toHaveLength(1);
  const [session] = await db().select().from(sessions).where(eq(sessions.id, driver.sessionId));
  expect(session).toMatchObject({
    rulesVersion: RULES_VERSION,
    extremes: { gainedWattsPerKilogram: expect.any(Number) },
  });
});

test("the positions of another driver's lap are flagged, moved and on another day", async () => {
  const copy = await upload('bmw-m2-f87-cs', disguise(SAMPLE));
  await testApp.runJobs();
  expect(await listFlags(copy.userId)).toMatchObject([
    { reason: 'copy', lapId: copy.lapId, sentence: expect.stringContaining('Follows a lap of Test Driver') },
  ]);
});
