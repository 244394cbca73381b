import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { TrackId, UserId } from '#contract/ids.ts';
import { TIME_PERIODS, TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import type { BoardFilter } from '#contract/boards/filter.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import {
  insertCarModel,
  insertSession,
  insertTrack,
  insertUser,
  insertUserCar,
  newLapId,
} from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { type BoardPage, getBoardSummary, listBoard } from './board-store.ts';

const MODELS = [
  {
    make: 'Mazda',
    modelFamily: 'MX-5',
    variant: '1.6',
    generation: 'NA',
    raceClass: 'Roadster',
    drivetrain: 'RWD',
  },
  {
    make: 'Mazda',
    modelFamily: 'MX-5',
    variant: '1.6',
    generation: 'NB',
    raceClass: 'Roadster',
    drivetrain: 'RWD',
  },
  {
    make: 'Mazda',
    modelFamily: '3',
    variant: 'MPS',
    generation: 'BL',
    raceClass: 'Hot Hatch',
    drivetrain: 'FWD',
  },
  {
    make: 'Lotus',
    modelFamily: 'Elise',
    variant: 'S',
    generation: 'S2',
    raceClass: 'Lightweight',
    drivetrain: 'RWD',
  },
];
const DAYS_AGO = [1, 20, 45, 170, 200, 360, 400] as const;
const STATUSES = ['valid', 'valid', 'warning', 'rejected', 'incomplete'] as const;
const ALL: BoardPage = { limit: null, offset: 0, ownUserId: null };

/** A lap as this test knows it. */
type KnownLap = {
  id: string;
  driver: UserId;
  name: string;
  model: (typeof MODELS)[number] | null;
  tire: string | null;
  daysAgo: number;
  startedAtMs: number;
  lapTimeMs: number;
  status: string;
};

const app = useTestApp();
let trackId: TrackId;
let drivers: UserId[];
const known: KnownLap[] = [];

beforeAll(async () => {
  const { db } = app.database;
  trackId = await insertTrack(db);
  const modelIds = await Promise.all(MODELS.map((model) => insertCarModel(db, model)));
  const random = seededRandom(7);
  const pick = <Item>(first: Item, ...others: Item[]): Item =>
    others[Math.floor(random.uniform() * (others.length + 1))] ?? first;
  // Two drivers have the same name: they are two entries of one racer.
  const names = ['Ana', 'Bo', 'Cy', 'Di', 'Ed', 'Ed', 'Flo', 'Gus', 'Hal', 'Ida'];
  drivers = [];
  for (const name of names) {
    const driver = await insertUser(db, { displayName: name });
    drivers.push(driver);
    for (let sessionCount = 0; sessionCount < 5; sessionCount++) {
      const modelIndex = Math.floor(random.uniform() * 5);
      const model = MODELS[modelIndex] ?? null;
      const carModelId = modelIds[modelIndex];
      const userCarId =
        carModelId === undefined ? null : await insertUserCar(db, { userId: driver, carModelId });
      const tire = random.uniform() < 0.2 ? null : pick(...TIRE_COMPOUNDS);
      const daysAgo = pick(...DAYS_AGO);
      // Every session has an hour of its own, so no two laps start together.
      const hoursAgo = daysAgo * 24 + known.length / 4;
      const startedAt = new Date(Date.now() - hoursAgo * 3_600_000);
      // Few different times, so that many are equal.
      const laps = Array.from({ length: 4 }, () => ({
        id: newLapId(),
        lapTimeMs: 60_000 + Math.floor(random.uniform() * 12) * 100,
        status: pick(...STATUSES),
      }));
      await insertSession(db, {
        trackId,
        userId: driver,
        userCarId,
        tireCompound: tire,
        startedAt,
        laps,
      });
      let startedAtMs = startedAt.getTime();
      for (const lap of laps) {
        known.push({ driver, name, model, tire, daysAgo, startedAtMs, ...lap });
        startedAtMs += lap.lapTimeMs;
      }
    }
  }
});

/** The rules of a board in plain words: rank only what may, filter first, then the best of each driver. */
function referenceBoard(filter: BoardFilter): { id: string; driver: UserId; rank: number; gapMs: number }[] {
  const laps = passing(filter).toSorted(fastestFirst);
  const bests = laps.filter((lap, index) => laps.findIndex(({ driver }) => driver === lap.driver) === index);
  return bests.map((lap) => ({
    id: lap.id,
    driver: lap.driver,
    rank: 1 + bests.filter((other) => other.lapTimeMs < lap.lapTimeMs).length,
    gapMs: lap.lapTimeMs - (bests[0]?.lapTimeMs ?? 0),
  }));
}

function fastestFirst(a: KnownLap, b: KnownLap): number {
  return a.lapTimeMs - b.lapTimeMs || a.startedAtMs - b.startedAtMs;
}

function passing({ timePeriod, tire, ...car }: BoardFilter): KnownLap[] {
  const days = { 'all-time': Infinity, '1-month': 30, '6-months': 183, '1-year': 365 }[
    timePeriod || 'all-time'
  ];
  return known.filter(
    (lap) =>
      ['valid', 'warning'].includes(lap.status) &&
      lap.daysAgo <= days &&
      (!tire || lap.tire === tire) &&
      Object.entries(car).every(
        ([name, wanted]) =>
          !wanted || Object.entries(lap.model ?? {}).some(([n, v]) => n === name && v === wanted),
      ),
  );
}

const shape = (records: LapRecord[]) =>
  records.map(({ lapId, driverId, rank, gapMs }) => ({ id: lapId, driver: driverId, rank, gapMs }));

const valueOf = (name: keyof (typeof MODELS)[number]) =>
  fc.option(fc.constantFrom('', ...new Set(MODELS.map((model) => model[name]))), { nil: undefined, freq: 1 });
const filters: fc.Arbitrary<BoardFilter> = fc.record({
  timePeriod: fc.option(fc.constantFrom('' as const, ...TIME_PERIODS), { nil: undefined }),
  make: valueOf('make'),
  modelFamily: valueOf('modelFamily'),
  variant: valueOf('variant'),
  generation: valueOf('generation'),
  raceClass: valueOf('raceClass'),
  drivetrain: valueOf('drivetrain'),
  tire: fc.option(fc.constantFrom('' as const, ...TIRE_COMPOUNDS), { nil: undefined }),
});

test('every filter gives the board that the rules give', async () => {
  const { pool } = app.database;
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      expect(shape(await listBoard(pool, trackId, filter, ALL))).toEqual(referenceBoard(filter));
      const laps = passing(filter);
      expect(await getBoardSummary(pool, trackId, filter)).toEqual({
        totalLaps: laps.length,
        racers: new Set(laps.map(({ name }) => name)).size,
      });
    }),
    { seed: 20_261_121, numRuns: 150 },
  );
});

test('the whole board has equal times that share a rank', async () => {
  const ranks = referenceBoard({}).map(({ rank }) => rank);
  expect(new Set(ranks).size).toBeLessThan(ranks.length);
});

test('pages are cut from the whole board, ranks included, and own records follow only from outside of the page', async () => {
  const { pool } = app.database;
  const whole = referenceBoard({});
  for (const offset of [0, 3, 9, 50]) {
    // The largest page reads the whole track.
    for (const limit of [1, 4, 500, 2_000]) {
      for (const ownUserId of [null, whole[0]?.driver ?? null, whole.at(-1)?.driver ?? null]) {
        const page = whole.slice(offset, offset + limit);
        const own = whole.filter(
          ({ driver }) => driver === ownUserId && !page.some((entry) => entry.driver === driver),
        );
        const records = await listBoard(pool, trackId, {}, { limit, offset, ownUserId });
        expect(shape(records)).toEqual([...page, ...own]);
      }
    }
  }
});
