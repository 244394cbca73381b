import { beforeAll, describe, expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import type { FilterOptions } from '#contract/boards/filter.ts';
import {
  insertCarModel,
  insertSession,
  insertTrack,
  insertUser,
  insertUserCar,
} from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
const guest = app.asGuest();

/** Laps with these sector times; a sector that was not timed takes 20 seconds. */
function lapsOf(sectorTimesMs: (number | null)[][]) {
  return sectorTimesMs.map((times) => ({
    lapTimeMs: times.reduce<number>((sum, time) => sum + (time ?? 20_000), 0),
    sectorTimesMs: times,
  }));
}

test('the sectors of a record are compared with those of all ranking laps and of its driver', async () => {
  const trackId = await insertTrack(app.db);
  const sectors = async () => (await guest.get(`/api/laps/track/${trackId}/record-sectors`)).json();
  expect(await sectors()).toEqual([]);
  const [ana, bo] = [await insertUser(app.db), await insertUser(app.db)];
  await insertSession(app.db, {
    trackId,
    userId: ana,
    laps: lapsOf([
      [20_000, 21_000, 19_000],
      [19_500, 30_000, null],
    ]),
  });
  const rejected = { lapTimeMs: 40_000, sectorTimesMs: [1_000, 1_000, 1_000], status: 'rejected' as const };
  await insertSession(app.db, {
    trackId,
    userId: bo,
    laps: [...lapsOf([[25_000, 25_000, 18_000]]), rejected],
  });
  expect(await sectors()).toEqual([
    { timeMs: 20_000, isFastest: false, isDriversBest: false },
    { timeMs: 21_000, isFastest: true, isDriversBest: true },
    { timeMs: 19_000, isFastest: false, isDriversBest: true },
  ]);
  expect((await guest.get('/api/laps/track/atlantis-ring/record-sectors')).statusCode).toBe(404);
});

describe('filters offer each value with the number of its drivers', () => {
  let trackId: TrackId;

  const options = async (query = '') => {
    const all = (await guest.get(`/api/laps/track/${trackId}/filter-options${query}`)).json<FilterOptions>();
    return (name: keyof FilterOptions) => all[name].map(({ value, drivers }) => `${value} ${drivers}`);
  };

  beforeAll(async () => {
    trackId = await insertTrack(app.db);
    const two = { make: 'Ravon', modelFamily: 'Two', variant: 'S', raceClass: 'GT', drivetrain: 'RWD' };
    const insertModel = (generation: string, given: object = {}) =>
      insertCarModel(app.db, { ...two, generation, ...given });
    const first = await insertModel('Mk1');
    const second = await insertModel('Mk2', { drivetrain: 'AWD' });
    await insertModel('Mk1', { modelFamily: 'Six' });
    await insertModel('I', { make: 'Sorrel', modelFamily: 'Kit', variant: 'R', raceClass: 'Kit' });
    // Drivers propose cars whose class and drivetrain they do not know.
    await insertModel('II', {
      make: 'Sorrel',
      status: 'community_submitted',
      raceClass: null,
      drivetrain: null,
    });
    const [ana, bo, cy] = [await insertUser(app.db), await insertUser(app.db), await insertUser(app.db)];
    const laps = [{ lapTimeMs: 61_000 }];
    for (const [userId, carModelId, tireCompound] of [
      [ana, first, 'rcomp'],
      [ana, first, 'track-200'],
      [bo, second, 'rcomp'],
      [cy, null, 'rcomp'],
    ] as const) {
      const userCarId = carModelId && (await insertUserCar(app.db, { userId, carModelId }));
      await insertSession(app.db, { trackId, userId, userCarId, tireCompound, laps });
    }
  });

  test('without a filter: makes of the whole library, and no model before its make is chosen', async () => {
    const plain = await options();
    expect(plain('make')).toEqual(['Ravon 2', 'Sorrel 0']);
    expect(plain('modelFamily')).toEqual([]);
    expect(plain('tire')).toEqual(['street-300 0', 'track-200 1', 'rcomp 3', 'full-slick 0']);
    expect(plain('timePeriod')[0]).toBe('all-time 3');
    expect(plain('raceClass')).toEqual(['GT 2', 'Kit 0']);
    expect(plain('drivetrain')).toEqual(['AWD 1', 'RWD 1']);
  });

  test('of a make: a filter and those that it clears do not count for itself, the others do', async () => {
    const ofMake = await options('?make=Ravon&drivetrain=RWD&variant=S');
    expect(ofMake('make')).toEqual(['Ravon 1', 'Sorrel 0']);
    expect(ofMake('modelFamily')).toEqual(['Six 0', 'Two 1']);
    expect(ofMake('variant')).toEqual([]);
    expect(ofMake('drivetrain')).toEqual(['AWD 1', 'RWD 1']);
    expect(ofMake('tire')).toEqual(['street-300 0', 'track-200 1', 'rcomp 1', 'full-slick 0']);
  });

  test('of a variant: its generations, and the tyres of their drivers', async () => {
    const ofVariant = await options('?make=Ravon&modelFamily=Two&variant=S&tire=rcomp');
    expect(ofVariant('generation')).toEqual(['Mk1 1', 'Mk2 1']);
    expect(ofVariant('tire')).toEqual(['street-300 0', 'track-200 1', 'rcomp 2', 'full-slick 0']);
  });
});
