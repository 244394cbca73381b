import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserId } from '#contract/ids.ts';
import type { FilterOptions } from '#contract/laps.ts';
import {
  insertCarModel,
  insertSession,
  insertTrack,
  insertUser,
  insertUserCar,
} from '#server/testing/builders.ts';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let testApp: TestApp;

beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

const db = () => testApp.database.db;
const get = (url: string) => testApp.app.inject({ url });

/** Laps with these sector times; a sector that was not timed takes 20 seconds. */
function lapsOf(sectorTimesMs: (number | null)[][]) {
  return sectorTimesMs.map((times) => ({
    lapTimeMs: times.reduce<number>((sum, time) => sum + (time ?? 20_000), 0),
    sectorTimesMs: times,
  }));
}

test('the sectors of a record are compared with those of all ranking laps and of its driver', async () => {
  const trackId = await insertTrack(db());
  const sectors = async () => (await get(`/api/laps/track/${trackId}/record-sectors`)).json();
  expect(await sectors()).toEqual([]);
  const [ana, bo] = [await insertUser(db()), await insertUser(db())];
  await insertSession(db(), {
    trackId,
    userId: ana,
    laps: lapsOf([
      [20_000, 21_000, 19_000],
      [19_500, 30_000, null],
    ]),
  });
  const rejected = { lapTimeMs: 40_000, sectorTimesMs: [1_000, 1_000, 1_000], status: 'rejected' as const };
  await insertSession(db(), { trackId, userId: bo, laps: [...lapsOf([[25_000, 25_000, 18_000]]), rejected] });
  expect(await sectors()).toEqual([
    { timeMs: 20_000, isFastest: false, isDriversBest: false },
    { timeMs: 21_000, isFastest: true, isDriversBest: true },
    { timeMs: 19_000, isFastest: false, isDriversBest: true },
  ]);
  expect((await get('/api/laps/track/atlantis-ring/record-sectors')).statusCode).toBe(404);
});

test('filters offer what leads somewhere with the drivers it leaves, and the rest of the library without any', async () => {
  const trackId = await insertTrack(db());
  const models = [
    {
      make: 'Ravon',
      modelFamily: 'Two',
      variant: 'S',
      generation: 'Mk1',
      raceClass: 'GT',
      drivetrain: 'RWD',
    },
    {
      make: 'Ravon',
      modelFamily: 'Two',
      variant: 'S',
      generation: 'Mk2',
      raceClass: 'GT',
      drivetrain: 'AWD',
    },
    {
      make: 'Ravon',
      modelFamily: 'Six',
      variant: 'S',
      generation: 'Mk1',
      raceClass: 'GT',
      drivetrain: 'RWD',
    },
    {
      make: 'Sorrel',
      modelFamily: 'Kit',
      variant: 'R',
      generation: 'I',
      raceClass: 'Kit',
      drivetrain: 'RWD',
    },
  ];
  const modelIds: string[] = [];
  for (const [index, model] of models.entries()) {
    modelIds.push(await insertCarModel(db(), { ...model, modelKey: `filter-option-${index}` }));
  }
  // Twice the first model by one driver, the second by another; none the third; a driver without a car.
  const drive = async (userId: UserId, model: number | null, tireCompound: 'rcomp' | 'track-200') => {
    const carModelId = model === null ? undefined : modelIds[model];
    const userCarId = carModelId && (await insertUserCar(db(), { userId, carModelId }));
    await insertSession(db(), { trackId, userId, userCarId, tireCompound, laps: [{ lapTimeMs: 61_000 }] });
  };
  const [ana, bo, cy] = [await insertUser(db()), await insertUser(db()), await insertUser(db())];
  await drive(ana, 0, 'rcomp');
  await drive(ana, 0, 'track-200');
  await drive(bo, 1, 'rcomp');
  await drive(cy, null, 'rcomp');

  const options = async (query = '') => {
    const all = (await get(`/api/laps/track/${trackId}/filter-options${query}`)).json<FilterOptions>();
    return (name: keyof FilterOptions) =>
      all[name]
        .filter(({ value }) => !/^(?!Ravon|Sorrel)[A-Z]/.test(value) || name !== 'make')
        .map(({ value, drivers }) => `${value} ${drivers}`);
  };
  const plain = await options();
  expect(plain('make')).toEqual(expect.arrayContaining(['Ravon 2', 'Sorrel 0']));
  expect(plain('modelFamily')).toEqual([]);
  expect(plain('tire')).toEqual(['street-300 0', 'track-200 1', 'rcomp 3', 'full-slick 0']);
  expect(plain('timePeriod')[0]).toBe('all-time 3');
  expect(plain('drivetrain')).toEqual(expect.arrayContaining(['AWD 1', 'RWD 1']));

  const ofMake = await options('?make=Ravon&drivetrain=RWD&variant=S');
  // The filter itself and those that it clears do not count, the others do.
  expect(ofMake('make')).toEqual(expect.arrayContaining(['Ravon 1', 'Sorrel 0']));
  expect(ofMake('modelFamily')).toEqual(['Six 0', 'Two 1']);
  expect(ofMake('variant')).toEqual([]);
  expect(ofMake('drivetrain')).toEqual(expect.arrayContaining(['AWD 1', 'RWD 1']));
  expect(ofMake('tire')).toEqual(['street-300 0', 'track-200 1', 'rcomp 1', 'full-slick 0']);

  const ofVariant = await options('?make=Ravon&modelFamily=Two&variant=S&tire=rcomp');
  expect(ofVariant('generation')).toEqual(['Mk1 1', 'Mk2 1']);
  expect(ofVariant('tire')).toEqual(['street-300 0', 'track-200 1', 'rcomp 2', 'full-slick 0']);
});
