import type { TrackId } from '#contract/ids.ts';
import type { TireCompound } from '#contract/laps/labels.ts';
import { type Random, seededRandom } from '#engine/simulation/random.ts';
import type { DemoPerson } from '#server/model/people/identity.ts';
import { DEMO_CARS, type DemoCar } from './demo-cars.ts';
import { DEMO_DRIVERS } from './demo-drivers.ts';
import { DEMO_TRACKS } from './demo-tracks.ts';
import { DAY_MS } from '#engine/durations.ts';

/** These mishaps in a session cause laps to be refused. */
export type Mishap = 'cut_corner' | 'wrong_way' | 'lost_signal';

/** The file of a session has one of these formats. */
export type DemoFormat = 'gpx' | 'old-gpx' | 'racechrono' | 'table';

/** A session of the season is plain data, because it is sent to a worker thread. */
export type DemoSession = {
  /** The name is unique in the season. */
  fileName: string;
  trackId: TrackId;
  tire: TireCompound;
  car: DemoCar;
  /** See `findVehicle`. */
  form: number;
  /** All sessions of a driver have the same seed: see `drivingStyle`. */
  styleSeed: number;
  startTimeMs: number;
  laps: number;
  seed: number;
  format: DemoFormat;
  mishap: Mishap | null;
  /** A recent session, of which others get notices. */
  isNews: boolean;
};

/** A driver of the demo community has their sessions in the order in which they were driven. */
export type DemoDriver = DemoPerson & {
  car: DemoCar;
  sessions: DemoSession[];
};

const SEED = 1_955;
const SEASON_DAYS = 350;
/** This share of all sessions falls into the last four weeks. */
const RECENT_SHARE = 0.3;
const RECENT_DAYS = 27;
/** The period is long enough for every kind of notice, and for several of most drivers. */
const NEWS_DAYS = 120;
const HOME_TRACKS = 3;
/** The greater the exponent, the more sessions are on popular tracks. */
const POPULARITY = 1.6;
const SESSIONS_MIN = 4;
const SESSIONS_MAX = 5;
const SHORT_STINT = { lapsMin: 2, lapsMax: 4 };
/** The spread of a session needs five clean laps. */
const LONG_STINT = { lapsMin: 6, lapsMax: 9 };
/** One driver of so many has long stints, which take time and disk space; those whom people sign in as are among them. */
const DRIVERS_PER_LONG_STINT = 5;
/** A year of practice adds this share of grip. */
const YEAR_OF_PRACTICE = 0.06;
const SKILL_MIN = 0.84;
const SKILL_MAX = 0.985;
const MISHAPS: readonly Mishap[] = ['cut_corner', 'wrong_way', 'lost_signal'];
/** One session of so many has a mishap. */
const SESSIONS_PER_MISHAP = 12;
/** Spreads the cars over the drivers, and with them over the tracks: it shares no divisor with the number of cars. */
const CAR_STEP = 7;
const FORMATS: readonly DemoFormat[] = ['gpx', 'racechrono', 'table', 'old-gpx'];

/** The season that ended before `endsAt`: the same for the same moment. Everything in it lies before that moment. */
export function planSeason(endsAt: Date): DemoDriver[] {
  let number = 0;
  return DEMO_DRIVERS.map(([firstName, lastName], index) => {
    const random = seededRandom(SEED + index);
    const car = pick(DEMO_CARS, CAR_STEP * index);
    const skill = SKILL_MIN + (SKILL_MAX - SKILL_MIN) * random.uniform();
    const homeTracks = listHomes(index, random);
    const days = sessionDays(random);
    const stint = index % DRIVERS_PER_LONG_STINT === 1 ? LONG_STINT : SHORT_STINT;
    const sessions = days.map((daysAgo, visit) => {
      number += 1;
      const trackId = pick(homeTracks, visit);
      return planSession(
        { number, daysAgo, trackId, car, skill, stint, styleSeed: index + 1, endsAt },
        random,
      );
    });
    const subject = `${firstName}.${lastName}`.toLowerCase();
    return { subject, firstName, lastName, car, sessions };
  });
}

/** Chooses three tracks: an evenly assigned one, so that no track stays empty, and two of the more popular ones. */
function listHomes(index: number, random: Random): TrackId[] {
  const homes = [pick(DEMO_TRACKS, index).trackId];
  while (homes.length < HOME_TRACKS) {
    const others = DEMO_TRACKS.filter(({ trackId }) => !homes.includes(trackId));
    homes.push(pick(others, Math.floor(others.length * random.uniform() ** POPULARITY)).trackId);
  }
  return homes;
}

/** Chooses how many days before the end of the season each session was, the oldest first. */
function sessionDays(random: Random): number[] {
  const count = SESSIONS_MIN + Math.floor((SESSIONS_MAX - SESSIONS_MIN + 1) * random.uniform());
  const days = Array.from({ length: count }, () => {
    const isRecent = random.uniform() < RECENT_SHARE;
    const from = isRecent ? 1 : RECENT_DAYS;
    const to = isRecent ? RECENT_DAYS : SEASON_DAYS;
    return from + (to - from) * random.uniform();
  });
  return days.toSorted((a, b) => b - a);
}

type Plan = {
  number: number;
  daysAgo: number;
  trackId: TrackId;
  car: DemoCar;
  skill: number;
  stint: typeof SHORT_STINT;
  styleSeed: number;
  endsAt: Date;
};

function planSession(
  { number, daysAgo, trackId, car, skill, stint, styleSeed, endsAt }: Plan,
  random: Random,
): DemoSession {
  const format = pick(FORMATS, number);
  const practice = YEAR_OF_PRACTICE * (1 - daysAgo / SEASON_DAYS);
  const startTimeMs = Math.floor(endsAt.getTime() - daysAgo * DAY_MS);
  const date = new Date(startTimeMs).toISOString().slice(0, 10);
  const extension = format === 'gpx' || format === 'old-gpx' ? 'gpx' : 'csv';
  return {
    fileName: `session-${String(number).padStart(3, '0')}-${date}.${extension}`,
    trackId,
    tire: chooseTire(car, random),
    car,
    // The form of a driver varies from day to day.
    form: skill + practice + 0.008 * random.normal(),
    styleSeed,
    startTimeMs,
    laps: stint.lapsMin + Math.floor((stint.lapsMax - stint.lapsMin + 1) * random.uniform()),
    seed: SEED + 1_000 * number,
    format,
    isNews: daysAgo < NEWS_DAYS,
    mishap:
      number % SESSIONS_PER_MISHAP === 0 ? pick(MISHAPS, Math.floor(number / SESSIONS_PER_MISHAP)) : null,
  };
}

function chooseTire({ tires }: DemoCar, random: Random): TireCompound {
  return pick(tires, Math.floor(tires.length * random.uniform()));
}

function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('There is nothing to choose from.');
  return item;
}
