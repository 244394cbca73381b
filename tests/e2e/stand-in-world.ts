import {
  asCarModelId,
  asLapId,
  asSessionId,
  asTrackId,
  asUserCarId,
  asUserId,
} from '#contract/testing/ids.ts';
import type { CarModel } from '#contract/cars/schemas.ts';
import type { UserCar } from '#contract/garage/schemas.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import type { Session } from '#contract/sessions/schemas.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import type { User } from '#contract/people/schemas.ts';
import type { CarBest } from '#web/features/garage/garage-queries.ts';
import type { TrackBest } from '#web/features/profile/track-history.ts';

/** A track; who has driven there follows from the records. */
export type WorldTrack = Omit<ListedTrack, 'entryCount' | 'hasOwnEntry'>;

/** A record of a board; rank and gap follow from its place. */
export type WorldRecord = Omit<LapRecord, 'rank' | 'gapMs'>;

/** Holds the data of the stand-in server. A test may change all of it. */
export type StandInWorld = {
  /** The user who is signed in. */
  user: User | null;
  /** The user whom the sign-in provider would let in. */
  visitor: User;
  tracks: WorldTrack[];
  recordsByTrack: Record<string, WorldRecord[]>;
  cars: CarModel[];
  userCars: UserCar[];
  sessions: Session[];
  bestsByCar: Record<string, CarBest[]>;
  bestsByTrack: Record<string, TrackBest>;
  totalLaps: number;
  /** Images that were sent, by the path that they were sent to. */
  images: Map<string, Buffer>;
};

export const HARBOUR = asTrackId('harbour-loop');
export const MEADOW = asTrackId('meadow-ring');

/** Seven tracks, one full board, and a driver with two cars who is on it. */
export function standInWorld(): StandInWorld {
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
      track({ id: asTrackId('nowhere'), name: 'Nowhere Speedway', location: null, configuration: null }),
      ...['Pine', 'Quarry', 'Ridge', 'Summit'].map((name) =>
        track({ id: asTrackId(name.toLowerCase()), name: `${name} Meadow Park`, location: 'Aldertown' }),
      ),
    ],
    recordsByTrack: {
      [HARBOUR]: harbourRecords(),
      pine: [record({ lapId: asLapId('pine-1'), userName: 'Ada Brook' })],
    },
    cars: [carModel('Corvane', 'Swift', '2.0', 'Mk1'), carModel('Corvane', 'Swift', '2.0', 'Mk2')],
    userCars: [
      userCar({ id: asUserCarId('car-1'), nickname: 'Old Faithful' }),
      userCar({
        id: asUserCarId('car-2'),
        modelKey: 'corvane-swift-mk2',
        modelDisplay: 'Corvane Swift 2.0 (Mk2)',
      }),
    ],
    sessions: [
      session({ id: asSessionId('session-1') }),
      session({ id: asSessionId('session-2'), sessionDate: '2026-05-16' }),
      session({ id: asSessionId('session-3'), trackId: asTrackId('gone') }),
    ],
    bestsByCar: {
      'car-1': [{ trackId: HARBOUR, trackName: 'Harbour Loop', lapTime: 95_250, uploadDate: '2026-05-17' }],
    },
    bestsByTrack: {
      [HARBOUR]: {
        yourBestLap: 95_250,
        yourBestLapDate: '2026-05-17',
        topLap: 91_004,
        isTopLap: false,
        lapCount: 2,
      },
    },
    totalLaps: 23,
    images: new Map(),
  };
}

/** Somebody who may sign in. */
export function driver(changes: Partial<User> = {}): User {
  return {
    id: asUserId('driver-1'),
    firstName: 'Nadia',
    lastName: 'Ferro',
    displayName: null,
    email: 'nadia.ferro@drivers.example',
    profileImageUrl: null,
    emailUpdates: false,
    isAdmin: false,
    keepLinesPrivate: false,
    units: null,
    dates: null,
    username: null,
    deletionDueAt: null,
    role: changes.isAdmin ? 'admin' : 'member',
    ...changes,
  };
}

/** A track about which little is known. */
function track(changes: Partial<WorldTrack>): WorldTrack {
  return {
    id: asTrackId('track'),
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
    outline: null,
    timeZone: 'Europe/Oslo',
    ...changes,
  };
}

/** A session of one lap in the first car of the garage. */
export function session(changes: Partial<Session>): Session {
  return {
    id: asSessionId('session'),
    trackId: HARBOUR,
    userCarId: asUserCarId('car-1'),
    carName: 'Old Faithful',
    sessionDate: '2026-05-17',
    tireCompound: 'track-200',
    videoUrl: null,
    lapCount: 1,
    bestLapTimeMs: null,
    bestLapId: null,
    refusedLaps: [],
    ...changes,
  };
}

/** A lap of 1:31.004 in the first car of the library. */
function record(changes: Partial<WorldRecord>): WorldRecord {
  return {
    lapId: asLapId('lap'),
    driverId: asUserId('driver-2'),
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
    uncertaintyMs: 4,
    sessionDate: '2026-05-17',
    ...changes,
  };
}

/** A car of the garage. */
export function userCar(changes: Partial<UserCar>): UserCar {
  return {
    id: asUserCarId('car'),
    make: 'Corvane',
    modelDisplay: 'Corvane Swift 2.0 (Mk1)',
    generation: 'Mk1',
    photoUrl: null,
    nickname: null,
    modelKey: 'corvane-swift-mk1',
    years: null,
    status: 'official',
    ...changes,
  };
}

function carModel(make: string, modelFamily: string, variant: string, generation: string): CarModel {
  const modelKey = [make, modelFamily, generation].join('-').toLowerCase();
  const modelDisplay = `${make} ${modelFamily} ${variant} (${generation})`;
  const facts = {
    years: '2004-2011',
    drivetrain: 'RWD',
    raceClass: 'Sports Car',
    status: 'official' as const,
  };
  return {
    id: asCarModelId(modelKey),
    make,
    modelFamily,
    variant,
    generation,
    modelKey,
    modelDisplay,
    ...facts,
  };
}

/** Fastest first; the own entry is the fourth of five, beyond the three that a card shows. */
function harbourRecords(): WorldRecord[] {
  return [
    record({ lapId: asLapId('h-1'), videoUrl: 'https://video.example/ada' }),
    record({
      lapId: asLapId('h-2'),
      driverId: asUserId('driver-3'),
      userName: 'Bo Castell',
      lapTimeMs: 92_500,
      tireCompound: null,
    }),
    record({
      lapId: asLapId('h-3'),
      driverId: asUserId('driver-4'),
      userName: 'Cy Darrow',
      lapTimeMs: 93_750,
      carDrivetrain: 'AWD',
    }),
    record({
      lapId: asLapId('h-4'),
      driverId: asUserId('driver-1'),
      userName: 'Nadia Ferro',
      lapTimeMs: 95_250,
    }),
    record({
      lapId: asLapId('h-5'),
      userName: 'Ada Brook',
      lapTimeMs: 99_999,
      carMake: 'Lodestar',
      carModel: 'Pony',
    }),
  ];
}
