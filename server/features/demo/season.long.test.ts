import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { asTrackId } from '#contract/testing/ids.ts';
import { trackSchema } from '#contract/tracks/schemas.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { compareLaps } from '#engine/comparison/compare-laps.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { listCleanLaps, measureSpread } from '#engine/timing/clean-laps.ts';
import { findBestLap, type Lap } from '#engine/timing/laps.ts';
import { LOCAL_ACCOUNTS } from '#server/features/sign-in/local/local-accounts.ts';
import { parseCarLibrary } from '#server/model/cars/car-library.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { DEMO_CARS } from './demo-cars.ts';
import { DEMO_GUIDES } from './demo-drivers.ts';
import { DEMO_TRACKS, getDemoTrack } from './demo-tracks.ts';
import { driveSession } from './drive-session.ts';
import { DEMO_ROUNDING_METERS, findVehicle } from './pace.ts';
import { planSeason, type DemoSession, type Mishap } from './season.ts';
import { DAY_MS } from '#engine/durations.ts';

const DEMO_TRACK_IDS = DEMO_TRACKS.map(({ trackId }) => trackId);
const END = new Date('2026-11-21T12:00:00Z');
const drivers = planSeason(END);
const sessions = drivers.flatMap((driver) => driver.sessions);
const library = z
  .array(trackSchema.omit({ status: true, timeZone: true }))
  .parse(JSON.parse(readFileSync(join(projectFolder, 'data/tracks.json'), 'utf8')));

function trackOf(trackId: string) {
  const track = library.find(({ id }) => id === trackId);
  if (!track) throw new Error(`data/tracks.json has no ${trackId}.`);
  return track;
}

/** Returns the best lap in seconds of a driver who uses all of the grip; several tests ask for the same ones. */
const bestLap = remembered((trackId: string, modelKey: string, tire: DemoSession['tire']): number => {
  const car = DEMO_CARS.find((one) => one.modelKey === modelKey);
  if (!car) throw new Error(`There is no ${modelKey} in the demo.`);
  return bestLapOf({ trackId: asTrackId(trackId), car, tire, form: 1, seed: 1, laps: 1 });
});

/** Returns the laps of a session as the engine times them. */
const timedLaps = remembered((fileName: string): Lap[] => {
  const session = sessions.find((one) => one.fileName === fileName);
  if (!session) throw new Error(`The season has no ${fileName}.`);
  const track = trackOf(session.trackId);
  return timeLaps(openLapFile(new TextEncoder().encode(driveSession(track, session))), track).laps;
});

/** Returns a function that computes the result for the same texts once. */
function remembered<Texts extends string[], Result>(
  compute: (...texts: Texts) => Result,
): (...texts: Texts) => Result {
  const results = new Map<string, Result>();
  return (...texts) => {
    const key = texts.join(' ');
    const result = results.get(key) ?? compute(...texts);
    results.set(key, result);
    return result;
  };
}

type Drive = Pick<DemoSession, 'trackId' | 'car' | 'tire' | 'form' | 'seed' | 'laps'>;

/** The best lap in seconds as it was driven, free of what a receiver makes of it. */
function bestLapOf({ seed, laps, ...drive }: Drive): number {
  const { trueLaps } = simulateDrive(trackOf(drive.trackId), {
    seed,
    laps,
    vehicle: findVehicle(drive),
    topSpeedMetersPerSecond: drive.car.topSpeedMetersPerSecond,
    roundingMeters: DEMO_ROUNDING_METERS,
    racingLine: { halfWidthMeters: getDemoTrack(drive.trackId).halfWidthMeters },
  });
  return Math.min(...trueLaps.map(({ lapTimeMs }) => lapTimeMs)) / 1_000;
}

test('the same first day gives the same season, file by file', () => {
  expect(planSeason(END)).toEqual(drivers);
  const [session] = sessions;
  if (!session) throw new Error('The season is empty.');
  expect(driveSession(trackOf(session.trackId), session)).toBe(
    driveSession(trackOf(session.trackId), session),
  );
});

test('sixty invented drivers are called neither like each other nor like a local account', () => {
  const names = drivers.map(({ firstName, lastName }) => `${firstName} ${lastName}`);
  expect(new Set(names).size).toBe(60);
  expect(new Set(drivers.map(({ subject }) => subject)).size).toBe(60);
  const local = new Set(LOCAL_ACCOUNTS.flatMap(({ firstName, lastName }) => [firstName, lastName]));
  expect(drivers.filter(({ firstName, lastName }) => local.has(firstName) || local.has(lastName))).toEqual(
    [],
  );
});

test('cars and tracks are those of the library', () => {
  const keys = parseCarLibrary(readFileSync(join(projectFolder, 'data/cars.csv'), 'utf8')).map(
    ({ modelKey }) => modelKey,
  );
  expect(keys).toEqual(expect.arrayContaining(DEMO_CARS.map(({ modelKey }) => modelKey)));
  expect(new Set(DEMO_TRACK_IDS).size).toBe(20);
  for (const trackId of DEMO_TRACK_IDS) expect(trackOf(trackId).outline).not.toBeNull();
});

test('every track is driven on by several drivers, all year and in the last month', () => {
  for (const trackId of DEMO_TRACK_IDS) {
    const here = drivers.filter((driver) => driver.sessions.some((session) => session.trackId === trackId));
    expect(here.length, trackId).toBeGreaterThanOrEqual(4);
  }
  const ages = sessions.map(({ startTimeMs }) => (END.getTime() - startTimeMs) / DAY_MS);
  expect(Math.min(...ages)).toBeGreaterThan(0.9);
  expect(Math.max(...ages)).toBeLessThan(365);
  expect(ages.filter((age) => age < 28).length).toBeGreaterThan(sessions.length / 5);
  expect(new Set(sessions.map(({ fileName }) => fileName)).size).toBe(sessions.length);
});

test('drivers grow quicker over the year', () => {
  const gains = drivers.map(({ sessions: own }) => (own.at(-1)?.form ?? 0) - (own[0]?.form ?? 0));
  expect(gains.reduce((sum, gain) => sum + gain, 0) / gains.length).toBeGreaterThan(0.01);
});

test.each(DEMO_TRACK_IDS)('%s has the order of classes and of tyres', (trackId) => {
  const gt3 = bestLap(trackId, 'bmw-m4-g82-gt3', 'full-slick');
  const m2 = bestLap(trackId, 'bmw-m2-f87-cs', 'track-200');
  const onStreetTires = bestLap(trackId, 'bmw-m2-f87-cs', 'street-300');
  const miata = bestLap(trackId, 'mazda-mx-5-na-1-6', 'street-300');
  expect([gt3, m2, onStreetTires, miata]).toEqual([gt3, m2, onStreetTires, miata].toSorted((a, b) => a - b));
  expect(gt3).toBeLessThan(0.92 * m2);
  expect(miata).toBeGreaterThan(1.03 * onStreetTires);
});

// The best laps of GT3 cars in seconds, rounded; where they do not race, what cars of about their pace need.
test.each([
  ['weathertech-raceway-laguna-seca-full', 83],
  ['nurburgring-grand-prix', 114],
  ['circuit-de-spa-francorchamps-grand-prix', 138],
  ['circuit-zandvoort-grand-prix', 95],
  ['road-atlanta-full', 80],
  ['suzuka-circuit-full', 121],
  ['silverstone-circuit-grand-prix-arena', 119],
  ['waterford-hills-full', 64],
  ['mid-ohio-sports-car-course-pro-no-chicane', 79],
  ['hockenheimring-grand-prix', 98],
  ['autodromo-internacional-do-algarve-grand-prix', 102],
  ['kyalami-grand-prix-circuit-full', 102],
  ['gingerman-raceway-full-extended', 82],
  ['autodromo-jose-carlos-pace-interlagos-grand-prix', 96],
  ['mugello-circuit-grand-prix', 107],
  ['sepang-international-circuit-grand-prix', 124],
  ['putnam-park-road-course-full', 66],
  ['red-bull-ring-grand-prix', 89],
  ['autobahn-country-club-south', 80],
  ['circuit-de-nevers-magny-cours-grand-prix', 97],
])('a GT3 car at %s is about as quick as people know it', (trackId, seconds) => {
  const share = bestLap(trackId, 'bmw-m4-g82-gt3', 'full-slick') / seconds;
  expect(share).toBeGreaterThan(0.97);
  expect(share).toBeLessThan(1.03);
});

test('a road car at Laguna Seca is about as quick as people know it', () => {
  expect(bestLap('weathertech-raceway-laguna-seca-full', 'mazda-mx-5-na-1-6', 'track-200')).toBeCloseTo(
    113,
    -1,
  );
});

test.each([
  ['laguna-seca-racechrono.csv', 'weathertech-raceway-laguna-seca-full'],
  ['waterford-hills-25hz.csv', 'waterford-hills-full'],
  ['zandvoort-5hz.gpx', 'circuit-zandvoort-grand-prix'],
])('%s is in the upper half of its board, and does not win it', (fileName, trackId) => {
  const file = openLapFile(readFileSync(join(projectFolder, 'data/lap-files', fileName)));
  const own = Math.min(...timeLaps(file, trackOf(trackId)).laps.map(({ lapTimeMs }) => lapTimeMs)) / 1_000;
  const others = drivers.flatMap((driver) => {
    const here = driver.sessions.filter((session) => session.trackId === trackId);
    return here.length === 0 ? [] : [Math.min(...here.map(bestLapOf))];
  });
  const place = 1 + others.filter((seconds) => seconds < own).length;
  expect(place).toBeGreaterThan(1);
  expect(place).toBeLessThanOrEqual((others.length + 1) / 2);
});

test('no car of the demo crawls, not even the slowest in the tightest hairpin', () => {
  const slowest = { seed: 3, laps: 1, styleSeed: 4 };
  const [car] = DEMO_CARS;
  if (!car) throw new Error('The demo has cars.');
  for (const trackId of DEMO_TRACK_IDS) {
    const drive = simulateDrive(trackOf(trackId), {
      ...slowest,
      vehicle: findVehicle({ trackId, car, tire: 'street-300', form: 0.84 }),
      topSpeedMetersPerSecond: car.topSpeedMetersPerSecond,
      roundingMeters: DEMO_ROUNDING_METERS,
      racingLine: { halfWidthMeters: getDemoTrack(trackId).halfWidthMeters },
    });
    const [lap] = drive.trueLaps;
    if (!lap) throw new Error('There is a lap.');
    const within = drive.fixes.filter(
      ({ timeMs }) => timeMs > lap.startTimeMs && timeMs < lap.startTimeMs + lap.lapTimeMs,
    );
    const speeds = within.map(({ speedMetersPerSecond }) => 3.6 * speedMetersPerSecond);
    expect(Math.min(...speeds), trackId).toBeGreaterThan(45);
  }
});

test('the drivers whom people sign in as have laps enough for a spread in all sessions without a mishap', () => {
  const guides = drivers.filter(({ subject }) => DEMO_GUIDES.includes(subject));
  const own = guides.flatMap((guide) => guide.sessions.filter(({ mishap }) => mishap === null));
  expect(own.length).toBeGreaterThan(6);
  for (const { fileName } of own)
    expect(measureSpread(listCleanLaps(timedLaps(fileName)))?.spreadMs, fileName).toBeGreaterThan(0);
});

test.each<Mishap>(['cut_corner', 'wrong_way', 'lost_signal'])(
  'a session with %s has a lap that does not count',
  (mishap) => {
    const unlucky = sessions.filter((session) => session.mishap === mishap);
    expect(unlucky.length).toBeGreaterThan(0);
    const statuses = unlucky.flatMap(({ fileName }) => timedLaps(fileName).map(({ status }) => status));
    expect(statuses.some((status) => status === 'rejected' || status === 'incomplete')).toBe(true);
  },
);

test('a mishap makes the other laps of its session no less sure', () => {
  const unlucky = sessions.filter(({ mishap }) => mishap !== null);
  const uncertaintiesMs = unlucky.flatMap(({ fileName }) =>
    timedLaps(fileName)
      .filter(({ status }) => status === 'valid')
      .map(({ uncertaintyMs }) => uncertaintyMs),
  );
  expect(uncertaintiesMs.length).toBeGreaterThan(0);
  expect(Math.max(...uncertaintiesMs)).toBeLessThan(100);
});

/** The best lap of a driver in the same car on the same day, but for the driver's style. */
function styledLap(styleSeed: number) {
  const [session] = sessions.filter(({ mishap }) => mishap === null);
  if (!session) throw new Error('The season is empty.');
  const track = trackOf(session.trackId);
  const text = driveSession(track, { ...session, form: 0.97, seed: 5, laps: 2, format: 'table', styleSeed });
  const file = openLapFile(Buffer.from(text));
  const lap = findBestLap(timeLaps(file, track).laps);
  if (!lap) throw new Error('No lap ranks.');
  return { ...file, lap };
}

test('rivals take other lines, and win and lose in other corners', () => {
  const reference = styledLap(1);
  const others = [2, 3].map((seed) => ({ ...styledLap(seed), isSameRecording: false }));
  const compared = compareLaps(reference, others);
  expect(compared).not.toBeNull();
  const { stretches = [], laps = [] } = compared ?? {};
  for (const [index] of laps.entries()) {
    const lost = stretches.map((stretch) => stretch.laps[index + 1]).filter((lap) => lap !== undefined);
    const beyondDoubt = lost.filter(({ lostMs, bandMs }) => Math.abs(lostMs) > bandMs);
    expect(beyondDoubt.some(({ lostMs }) => lostMs > 0)).toBe(true);
    expect(beyondDoubt.some(({ lostMs }) => lostMs < 0)).toBe(true);
  }
  // Scaled copies would brake at the same points and keep the same line.
  const brakings = stretches.map((stretch) =>
    stretch.laps.map(({ brakingMeters }) => brakingMeters ?? Number.NaN),
  );
  const apart = brakings.flatMap(([first = Number.NaN, second = Number.NaN]) => second - first);
  expect(Math.max(...apart.filter(Number.isFinite))).toBeGreaterThan(3);
  expect(Math.min(...apart.filter(Number.isFinite))).toBeLessThan(-3);
});
