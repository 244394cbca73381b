import { asTrackId } from '#contract/testing/ids.ts';
import { HOUR_MS } from '#engine/durations.ts';
import type { TrackId, UserCarId, UserId } from '#contract/ids.ts';
import { type TimePeriod, type TireCompound, TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import { seededRandom } from '#engine/simulation/random.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { toLocalIso } from '#server/model/tracks/local-time.ts';
import {
  insertCarModel,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUserCar,
  newLapId,
} from './builders.ts';

// A community of random drivers, and the rules of boards in plain words.

export type Model = Record<
  'make' | 'modelFamily' | 'variant' | 'generation' | 'raceClass' | 'drivetrain',
  string
>;
export type Driver = { id: UserId; name: string; headers: { cookie: string } };
/** The drivers and all their laps. */
export type Community = { drivers: Driver[]; laps: KnownLap[] };

type Car = { id: UserCarId; model: Model };

/** A lap as this test knows it. */
export type KnownLap = {
  id: string;
  /** Orders laps of the same time and start. */
  orderKey: string;
  trackId: TrackId;
  driver: Driver;
  car: Car | null;
  tire: TireCompound | null;
  sessionStartedAt: Date;
  sessionDate: string;
  startedAtMs: number;
  lapTimeMs: number;
  ranks: boolean;
};

export type Filter = { [Name in keyof Model]?: string | undefined } & {
  timePeriod?: TimePeriod | '';
  tire?: TireCompound | '';
};

const DRIVERS = 40;
const SESSIONS_PER_DRIVER = 14;
const LAPS_PER_SESSION = 6;
const STATUSES = ['valid', 'valid', 'warning', 'rejected', 'incomplete'] as const;
export const PERIOD_MONTHS = { '1-month': 1, '6-months': 6, '1-year': 12 } as const;
const TRACKS = [
  { id: asTrackId('far-east'), timeZone: 'Pacific/Auckland' },
  { id: asTrackId('far-west'), timeZone: 'America/Los_Angeles' },
];
export const TRACK_IDS = TRACKS.map(({ id }) => id);

export const MODELS: Model[] = ['Mazda', 'Lotus'].flatMap((make) =>
  ['One', 'Two'].flatMap((modelFamily) =>
    ['NA', 'NB'].map((generation) => ({
      make,
      modelFamily,
      variant: generation === 'NA' ? '1.6' : '1.8',
      generation,
      raceClass: modelFamily === 'One' ? 'Roadster' : 'GT',
      drivetrain: make === 'Mazda' ? 'RWD' : 'FWD',
    })),
  ),
);

const random = seededRandom(20_261_121);
const pick = <Item>(first: Item, ...others: Item[]): Item =>
  others[Math.floor(random.uniform() * (others.length + 1))] ?? first;

/** Makes the community, the same in every run, up to the present hour. */
export async function insertCommunity(db: Database): Promise<Community> {
  for (const track of TRACKS) await insertTrack(db, { ...track, name: track.id });
  const modelIds = await Promise.all(MODELS.map((model) => insertCarModel(db, model)));
  const community: Community = { drivers: [], laps: [] };
  for (let count = 0; count < DRIVERS; count++) {
    // Every tenth has the name of another driver.
    const name = `Driver ${count % 10 === 9 ? count - 1 : count}`;
    const { userId: id, headers } = await insertSignedIn(db, { displayName: name });
    const driver = { id, name, headers };
    community.drivers.push(driver);
    const cars: Car[] = [];
    for (const nickname of ['First', 'Second']) {
      const model = pick(...asChoices(MODELS));
      const carModelId = modelIds[MODELS.indexOf(model)] ?? (await insertCarModel(db, model));
      cars.push({ id: await insertUserCar(db, { userId: id, carModelId, nickname }), model });
    }
    for (let session = 0; session < SESSIONS_PER_DRIVER; session++)
      community.laps.push(...(await driveSession(db, driver, cars, session)));
  }
  return community;
}

export function asChoices<Item>(items: readonly Item[]): [Item, ...Item[]] {
  const [first, ...others] = items;
  if (first === undefined) throw new Error('There is nothing to choose from.');
  return [first, ...others];
}

/** Drivers share hours with each other, so that laps of the same time are often of the same instant too. */
async function driveSession(db: Database, driver: Driver, cars: Car[], session: number): Promise<KnownLap[]> {
  const { id: trackId, timeZone } = pick(...asChoices(TRACKS));
  const car = pick(null, ...cars, ...cars);
  const tire = pick(null, ...TIRE_COMPOUNDS);
  const startedAt = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - (session * 31 + 1) * 24 * HOUR_MS);
  const sessionDate = toLocalIso(startedAt, timeZone);
  const laps = Array.from({ length: LAPS_PER_SESSION }, () => ({
    id: newLapId(),
    lapTimeMs: 60_000 + Math.floor(random.uniform() * 8) * 1_000,
    status: pick(...STATUSES),
  }));
  const sessionId = await insertSession(db, {
    trackId,
    userId: driver.id,
    userCarId: car?.id ?? null,
    tireCompound: tire,
    startedAt,
    sessionDate,
    laps,
  });
  let startedAtMs = startedAt.getTime();
  return laps.map(({ id, lapTimeMs, status }, index) => {
    const startsAtMs = startedAtMs;
    startedAtMs += lapTimeMs;
    return {
      id,
      orderKey: `${sessionId}.${index + 1}`,
      trackId,
      driver,
      car,
      tire,
      sessionStartedAt: startedAt,
      sessionDate,
      startedAtMs: startsAtMs,
      lapTimeMs,
      ranks: status === 'valid' || status === 'warning',
    };
  });
}

/** Rank only what may rank, filter, and only then take the best of each driver; the earlier of equal laps first. */
export function referenceBoard(known: readonly KnownLap[], trackId: TrackId, filter: Filter) {
  const laps = passing(known, trackId, filter).toSorted(
    (a, b) =>
      a.lapTimeMs - b.lapTimeMs || a.startedAtMs - b.startedAtMs || (a.orderKey < b.orderKey ? -1 : 1),
  );
  const seen = new Set<Driver>();
  const bests = laps.filter(({ driver }) => !seen.has(driver) && seen.add(driver));
  return bests.map((lap) => ({
    lapId: lap.id,
    driverId: lap.driver.id,
    userName: lap.driver.name,
    carMake: lap.car?.model.make ?? null,
    tireCompound: lap.tire,
    lapTimeMs: lap.lapTimeMs,
    sessionDate: lap.sessionDate,
    rank: 1 + bests.filter((other) => other.lapTimeMs < lap.lapTimeMs).length,
    gapMs: lap.lapTimeMs - (bests[0]?.lapTimeMs ?? 0),
  }));
}

/** The ranking laps that a filter lets through. */
export function passing(
  known: readonly KnownLap[],
  trackId: TrackId,
  { timePeriod, tire, ...car }: Filter,
): KnownLap[] {
  const since =
    timePeriod && timePeriod !== 'all-time' ? monthsAgo(PERIOD_MONTHS[timePeriod], new Date()) : null;
  return known.filter(
    (lap) =>
      lap.ranks &&
      lap.trackId === trackId &&
      (since === null || lap.sessionStartedAt >= since) &&
      (!tire || lap.tire === tire) &&
      Object.entries(car).every(([name, value]) => {
        const own = Object.entries(lap.car?.model ?? {}).find(([ownName]) => ownName === name);
        return !value || own?.[1] === value;
      }),
  );
}

/** The same day of an earlier month, or its last day where it has no such day. */
export function monthsAgo(months: number, from: Date): Date {
  const month = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() - months + 1, 0));
  const day = Math.min(from.getUTCDate(), month.getUTCDate());
  const midnightMs = Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), day);
  return new Date(midnightMs + (from.getTime() % (24 * HOUR_MS)));
}
