import { asLapId } from '#contract/testing/ids.ts';
import type { LapRecord } from '#contract/laps.ts';
import type { ListedTrack } from '#contract/tracks.ts';
import type { CarModel } from '#contract/cars.ts';
import type { UserCar } from '#contract/garage.ts';
import type { Session } from '#contract/sessions.ts';
import type { User } from '#contract/users.ts';

/** A track with the fields that the specification names. */
export type SpecifiedTrack = Omit<
  ListedTrack,
  'outline' | 'timeZone' | 'finishLine' | 'entryCount' | 'hasOwnEntry'
>;

/** A record of a board with the fields that the specification names. */
export type SpecifiedRecord = Omit<LapRecord, 'rank' | 'driverId' | 'gapMs' | 'uncertaintyMs'>;

/** The signed-in user as the specification says. */
export type SpecifiedUser = Omit<User, 'keepLinesPrivate' | 'role'>;

/** A car of a garage with the fields that the specification names. */
export type SpecifiedUserCar = Omit<UserCar, 'years' | 'status'>;

/** A car of the library with the fields that the specification names. */
type SpecifiedCarModel = Omit<CarModel, 'status'>;

type CarBest = { trackName: string; lapTime: number; uploadDate: string };
type TrackBest = { yourBestLap: number; yourBestLapDate: string; topLap: number };

/** What the stand-in server knows. A test may change all of it. */
export type SpecifiedWorld = {
  /** Who is signed in. */
  user: SpecifiedUser | null;
  /** Who the sign-in provider would let in. */
  visitor: SpecifiedUser;
  tracks: SpecifiedTrack[];
  recordsByTrack: Record<string, SpecifiedRecord[]>;
  cars: SpecifiedCarModel[];
  userCars: SpecifiedUserCar[];
  sessions: Pick<Session, 'trackId' | 'userCarId'>[];
  bestsByCar: Record<string, CarBest[]>;
  bestsByTrack: Record<string, TrackBest>;
  totalLaps: number;
  /** Images that were sent, by the path that they were sent to. */
  images: Map<string, Buffer>;
};

export const HARBOUR = 'harbour-loop';
export const MEADOW = 'meadow-ring';

/** Seven tracks, one full board, and a driver with two cars who is on it. */
export function specifiedWorld(): SpecifiedWorld {
  return {
    user: null,
    visitor: driver(),
    tracks: [
      track({ id: MEADOW, name: 'Meadow Ring', location: 'Aldertown', country: 'Norway' }),
      track({
        id: HARBOUR,
        name: 'Harbour Loop',
        location: 'Port Verity',
        country: 'Portugal',
        configuration: 'Full Course',
        lengthMeters: 3456,
        status: 'community_submitted',
      }),
      track({ id: 'nowhere', name: 'Nowhere Speedway', location: null, configuration: null }),
      ...['Pine', 'Quarry', 'Ridge', 'Summit'].map((name) =>
        track({ id: name.toLowerCase(), name: `${name} Meadow Park`, location: 'Aldertown' }),
      ),
    ],
    recordsByTrack: {
      [HARBOUR]: harbourRecords(),
      pine: [record({ lapId: asLapId('pine-1'), userName: 'Ada Brook' })],
    },
    cars: [carModel('Corvane', 'Swift', '2.0', 'Mk1'), carModel('Corvane', 'Swift', '2.0', 'Mk2')],
    userCars: [
      userCar({ id: 'car-1', nickname: 'Old Faithful' }),
      userCar({ id: 'car-2', modelKey: 'corvane-swift-mk2', modelDisplay: 'Corvane Swift 2.0 (Mk2)' }),
    ],
    sessions: [
      { trackId: HARBOUR, userCarId: 'car-1' },
      { trackId: HARBOUR, userCarId: 'car-1' },
      { trackId: 'gone', userCarId: 'car-1' },
    ],
    bestsByCar: { 'car-1': [{ trackName: 'Harbour Loop', lapTime: 95_250, uploadDate: '2026-05-17' }] },
    bestsByTrack: { [HARBOUR]: { yourBestLap: 95_250, yourBestLapDate: '2026-05-17', topLap: 91_004 } },
    totalLaps: 23,
    images: new Map(),
  };
}

/** Somebody who may sign in. */
export function driver(changes: Partial<SpecifiedUser> = {}): SpecifiedUser {
  return {
    id: 'driver-1',
    firstName: 'Nadia',
    lastName: 'Ferro',
    displayName: null,
    email: 'nadia.ferro@drivers.example',
    profileImageUrl: null,
    emailUpdates: false,
    isAdmin: false,
    ...changes,
  };
}

/** A track about which little is known. */
function track(changes: Partial<SpecifiedTrack>): SpecifiedTrack {
  return {
    id: 'track',
    name: 'Track',
    location: 'Aldertown',
    configuration: 'National',
    country: 'Norway',
    lengthMeters: null,
    status: 'official',
    radiusMeters: 1500,
    centerLat: 59,
    centerLon: 10,
    startFinishLine: null,
    sectors: [],
    ...changes,
  };
}

/** A lap of 1:31.004 in the first car of the library. */
function record(changes: Partial<SpecifiedRecord>): SpecifiedRecord {
  return {
    lapId: asLapId('lap'),
    userName: 'Ada Brook',
    userAvatar: null,
    carMake: 'Corvane',
    carModel: 'Swift',
    carVariant: '2.0',
    carGeneration: 'Mk1',
    carRaceClass: 'Sports Car',
    carDrivetrain: 'RWD',
    tireCompound: 'track-200',
    lapTimeMs: 91_004,
    sessionDate: '2026-05-17',
    ...changes,
  };
}

/** A car of the garage. */
export function userCar(changes: Partial<SpecifiedUserCar>): SpecifiedUserCar {
  return {
    id: 'car',
    make: 'Corvane',
    modelDisplay: 'Corvane Swift 2.0 (Mk1)',
    generation: 'Mk1',
    photoUrl: null,
    nickname: null,
    modelKey: 'corvane-swift-mk1',
    ...changes,
  };
}

function carModel(make: string, modelFamily: string, variant: string, generation: string): SpecifiedCarModel {
  const modelKey = [make, modelFamily, generation].join('-').toLowerCase();
  const modelDisplay = `${make} ${modelFamily} ${variant} (${generation})`;
  const facts = { years: '2004-2011', drivetrain: 'RWD', raceClass: 'Sports Car' };
  return { id: modelKey, make, modelFamily, variant, generation, modelKey, modelDisplay, ...facts };
}

/** Fastest first; the own entry is the fourth of five, beyond the three that a card shows. */
function harbourRecords(): SpecifiedRecord[] {
  return [
    record({ lapId: asLapId('h-1'), videoUrl: 'https://video.example/ada' }),
    record({ lapId: asLapId('h-2'), userName: 'Bo Castell', lapTimeMs: 92_500, tireCompound: null }),
    record({ lapId: asLapId('h-3'), userName: 'Cy Darrow', lapTimeMs: 93_750, carDrivetrain: 'AWD' }),
    record({ lapId: asLapId('h-4'), userName: 'Nadia Ferro', lapTimeMs: 95_250 }),
    record({
      lapId: asLapId('h-5'),
      userName: 'Ada Brook',
      lapTimeMs: 99_999,
      carMake: 'Lodestar',
      carModel: 'Pony',
    }),
  ];
}
