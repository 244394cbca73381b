import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import { TIME_PERIODS, TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { insertSession, insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import {
  asChoices,
  type Community,
  type Filter,
  insertCommunity,
  type KnownLap,
  type Model,
  MODELS,
  monthsAgo,
  passing,
  PERIOD_MONTHS,
  referenceBoard,
  TRACK_IDS,
} from '#server/testing/random-community.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

// The answers follow the rules for every filter with every other one, for pages, the own record,
// ties, periods to the second.

const SETUP_PATIENCE_MS = 240_000;

const app = useTestApp();
let community: Community;

beforeAll(async () => {
  community = await insertCommunity(app.db);
}, SETUP_PATIENCE_MS);

async function get(path: string, query: object, who: Person = null) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  const url = `${path}?${search.toString()}`;
  const response = await app.as(who).get(url);
  expect(response.statusCode, url).toBe(200);
  return response;
}

/** Keeps the fields of records that the rules are about. */
const shape = (records: LapRecord[]) => {
  const compared = [
    'lapId',
    'driverId',
    'userName',
    'carMake',
    'tireCompound',
    'lapTimeMs',
    'sessionDate',
    'rank',
    'gapMs',
  ];
  return records.map((record) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => compared.includes(name))),
  );
};

const oneOf = (values: readonly string[]) =>
  fc.option(fc.constantFrom('', ...new Set(values)), { nil: undefined, freq: 1 });
const ofModel = (name: keyof Model) => oneOf(MODELS.map((model) => model[name]));
const filters: fc.Arbitrary<Filter> = fc.record(
  {
    timePeriod: fc.constantFrom('' as const, ...TIME_PERIODS),
    make: ofModel('make'),
    modelFamily: ofModel('modelFamily'),
    variant: ofModel('variant'),
    generation: ofModel('generation'),
    raceClass: ofModel('raceClass'),
    drivetrain: ofModel('drivetrain'),
    tire: fc.constantFrom('' as const, ...TIRE_COMPOUNDS),
  },
  { requiredKeys: [] },
);
const asked = fc.record({
  trackId: fc.constantFrom(...TRACK_IDS),
  filter: filters,
  limit: fc.integer({ min: 1, max: 12 }),
  offset: fc.option(fc.integer({ min: 0, max: 45 }), { nil: undefined }),
  asker: fc.option(fc.integer({ min: 0, max: 39 }), { nil: undefined }),
  includeOwn: fc.constantFrom('true', 'false', undefined),
});

test(
  'boards, their pages, the own record and their summaries are what the rules say, whatever is asked',
  async () => {
    expect(community.laps.length).toBeGreaterThan(3_000);
    await fc.assert(
      fc.asyncProperty(asked, async ({ trackId, filter, limit, offset, asker, includeOwn }) => {
        const best = `/api/laps/track/${trackId}/best`;
        const whole = referenceBoard(community.laps, trackId, filter);
        expect(shape((await get(best, filter)).json())).toEqual(whole);

        const driver = (asker === undefined ? null : community.drivers[asker]) ?? null;
        const page = whole.slice(offset ?? 0, (offset ?? 0) + limit);
        const isOwn = ({ driverId }: { driverId: string }) => driverId === driver?.id;
        const own = includeOwn === 'true' && !page.some(isOwn) ? whole.filter(isOwn) : [];
        const answered = await get(best, { ...filter, limit, offset, includeOwn }, driver);
        expect(shape(answered.json())).toEqual([...page, ...own]);

        const laps = passing(community.laps, trackId, filter);
        expect((await get(`/api/laps/track/${trackId}/summary`, filter)).json()).toEqual({
          totalLaps: laps.length,
          racers: new Set(laps.map((lap) => lap.driver.name)).size,
        });
      }),
      { seed: 20_261_121, numRuns: 120 },
    );
  },
  SETUP_PATIENCE_MS,
);

test('the data has what makes boards hard: equal times, equal instants, equal names, drivers without a ranking lap', () => {
  const board = referenceBoard(community.laps, asTrackId('far-east'), {});
  expect(new Set(board.map(({ rank }) => rank)).size).toBeLessThan(board.length);
  const instants = community.laps
    .filter(({ ranks }) => ranks)
    .map((lap) => `${lap.lapTimeMs} ${lap.startedAtMs}`);
  expect(new Set(instants).size).toBeLessThan(instants.length);
  expect(new Set(community.drivers.map(({ name }) => name)).size).toBeLessThan(community.drivers.length);
  const filtered = referenceBoard(community.laps, asTrackId('far-east'), {
    make: 'Lotus',
    tire: 'rcomp',
    timePeriod: '6-months',
  });
  expect(filtered.length).toBeGreaterThan(0);
  expect(filtered.length).toBeLessThan(community.drivers.length);
});

function bestOf(laps: readonly KnownLap[]): KnownLap | undefined {
  return laps.toSorted((a, b) => a.lapTimeMs - b.lapTimeMs || a.startedAtMs - b.startedAtMs)[0];
}

test(
  'bests by car and by track and the number of laps are what the rules say, for every driver',
  async () => {
    const [{ headers }] = asChoices(community.drivers);
    for (const driver of community.drivers) {
      const own = community.laps.filter((lap) => lap.driver === driver && lap.ranks);
      const url = `/api/laps/user/${driver.id}`;
      expect((await get(`${url}/total-count`, {}, { headers })).json()).toEqual({ totalLaps: own.length });

      const byTrack: Record<string, object> = {};
      const byCar: Record<string, { trackId: string }[]> = {};
      for (const trackId of TRACK_IDS) {
        const here = own.filter((lap) => lap.trackId === trackId);
        const best = bestOf(here);
        if (best) {
          const all = passing(community.laps, trackId, {});
          const first = bestOf(all);
          // The earlier of two equal laps is the record; of equal instants either may be.
          const firsts = all.filter(
            ({ lapTimeMs, startedAtMs }) =>
              lapTimeMs === first?.lapTimeMs && startedAtMs === first.startedAtMs,
          );
          const isFirst = firsts.includes(best);
          byTrack[trackId] = {
            yourBestLap: best.lapTimeMs,
            yourBestLapDate: best.sessionDate,
            topLap: first?.lapTimeMs,
            isTopLap: isFirst && firsts.length > 1 ? expect.any(Boolean) : isFirst,
            lapCount: here.length,
          };
        }
        for (const carId of new Set(here.flatMap(({ car }) => (car ? [car.id] : [])))) {
          const inCar = bestOf(here.filter(({ car }) => car?.id === carId));
          const row = {
            trackId,
            trackName: trackId,
            lapTime: inCar?.lapTimeMs,
            uploadDate: inCar?.sessionDate,
          };
          (byCar[carId] ??= []).push(row);
        }
      }
      expect((await get(`${url}/by-track`, {}, { headers })).json()).toEqual(byTrack);
      const answered: Record<string, { trackId: string }[]> = (
        await get(`${url}/by-car`, {}, { headers })
      ).json();
      const inOrder = Object.entries(answered).map(([carId, rows]) => [
        carId,
        rows.toSorted((a, b) => (a.trackId < b.trackId ? -1 : 1)),
      ]);
      expect(Object.fromEntries(inOrder)).toEqual(byCar);
    }
  },
  SETUP_PATIENCE_MS,
);

test.each(Object.entries(PERIOD_MONTHS))(
  'a period of %s begins to the second: a session leaves it in the second in which it is too old',
  async (timePeriod, months) => {
    const { db } = app.database;
    const trackId = await insertTrack(db);
    const beginsAtMs = monthsAgo(months, new Date()).getTime();
    const starts = new Map<string, number>();
    // The later ones for machines that take long to write them all down.
    for (const seconds of [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 10, 20, 40, 80, 160]) {
      const { userId } = await insertSignedIn(db);
      const startedAt = new Date(beginsAtMs + seconds * 1_000);
      await insertSession(db, { trackId, userId, startedAt, laps: [{ lapTimeMs: 60_000 }] });
      starts.set(userId, startedAt.getTime());
    }
    const before = monthsAgo(months, new Date()).getTime();
    const board: LapRecord[] = (await get(`/api/laps/track/${trackId}/best`, { timePeriod })).json();
    const after = monthsAgo(months, new Date()).getTime();
    const shown = new Set(board.map(({ driverId }) => driverId));
    for (const [userId, startedAtMs] of starts) {
      if (startedAtMs >= after) expect(shown, `${startedAtMs - after} ms inside`).toContain(userId);
      if (startedAtMs < before) expect(shown, `${before - startedAtMs} ms outside`).not.toContain(userId);
    }
    expect(shown.size).toBeGreaterThan(0);
    expect(shown.size).toBeLessThan(starts.size);
  },
  SETUP_PATIENCE_MS,
);
