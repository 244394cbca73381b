import { asUserCarId } from '#contract/testing/ids.ts';
import type { CarPreview, ParsedApexTrack, ParsedTrack } from '#contract/library/schemas.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import { analysis, suggestion } from '#web/testing/analysis.ts';
import { userCar, type StandInWorld, type WorldRecord, type WorldTrack } from './stand-in-world.ts';

/** A request to the stand-in server. */
export type Asked = {
  method: string;
  path: string;
  /** Holds the values of the path's parameters, in order. */
  params: readonly string[];
  query: URLSearchParams;
  body: Buffer;
  host: string;
};

/** A response: JSON, or text or bytes as they are. The status is 200 by default. */
export type StandInResponse = { status?: number; body: unknown; headers?: Record<string, string> };

type Tell = (world: StandInWorld, asked: Asked) => StandInResponse;

type StandInCall = { method: string; path: RegExp; tell: Tell };

/** The laps of every lap file that is analysed. */
export const LAPS = { lapCount: 3, bestLapTimeMs: 98_417 };

/** Only a provider signs people in. */
const SIGN_IN_METHODS = {
  clubName: 'Harbour Club',
  hasPasswords: false,
  provider: null,
  registration: 'invited',
  sendsMail: false,
  isSetUp: true,
};

const GPS_POINTS = [
  { lat: 59, lon: 10 },
  { lat: 59.001, lon: 10.001 },
];

const get = (path: RegExp, tell: Tell): StandInCall => ({ method: 'GET', path, tell });
const post = (path: RegExp, tell: Tell): StandInCall => ({ method: 'POST', path, tell });
const put = (path: RegExp, tell: Tell): StandInCall => ({ method: 'PUT', path, tell });

const ACCOUNT_CALLS: StandInCall[] = [
  get(/^\/api\/auth\/user$/, ({ user }) => (user ? { body: user } : { status: 401, body: 'Unauthorized' })),
  get(/^\/api\/auth\/sign-in-methods$/, () => ({ body: SIGN_IN_METHODS })),
  get(/^\/api\/login$/, (world, { query }) => {
    world.user = world.visitor;
    return { status: 302, body: '', headers: { Location: query.get('returnTo') ?? '/' } };
  }),
  {
    method: 'PATCH',
    path: /^\/api\/auth\/user\/preferences$/,
    tell: (world, { body }) => {
      if (world.user) world.user = { ...world.user, ...json(body) };
      return { body: {} };
    },
  },
  put(/^\/api\/user\/avatar$/, (world, { body }) => {
    if (world.user) world.user = { ...world.user, profileImageUrl: String(json(body)['avatarURL']) };
    return { body: {} };
  }),
  post(/^\/api\/objects\/upload$/, (world, { host }) => ({
    body: { uploadURL: `http://${host}/objects/${world.images.size + 1}` },
  })),
  put(/^\/objects\/\d+$/, (world, { path, body }) => {
    world.images.set(path, body);
    return { body: '' };
  }),
  get(/^\/objects\/\d+$/, (world, { path }) => ({
    body: world.images.get(path),
    headers: { 'Content-Type': 'image/jpeg' },
  })),
];

const BOARD_CALLS: StandInCall[] = [
  get(/^\/api\/tracks$/, (world) => ({ body: world.tracks.map((track) => listTrack(world, track)) })),
  get(/^\/api\/tracks\/([^/]+)$/, ({ tracks }, { params: [id] }) => {
    const track = tracks.find((candidate) => candidate.id === id);
    return track ? { body: track } : { status: 404, body: 'Not Found' };
  }),
  get(/^\/api\/laps\/track\/([^/]+)\/best$/, ({ recordsByTrack, user }, { params: [id = ''], query }) => {
    const board = rankRecords(filterRecords(recordsByTrack[id] ?? [], query));
    const offset = Number(query.get('offset') ?? 0);
    const page = board.slice(offset, offset + Number(query.get('limit') ?? board.length));
    const own = query.get('includeOwn') ? board.find(({ driverId }) => driverId === user?.id) : undefined;
    return { body: own && !page.includes(own) ? [...page, own] : page };
  }),
  get(/^\/api\/laps\/track\/[^/]+\/simulated$/, () => ({
    body: { isOn: false, raceClasses: [], records: [] },
  })),
  get(/^\/api\/events$/, () => ({ body: { events: [], total: 0 } })),
  get(/^\/api\/samples$/, () => ({ body: { samples: [] } })),
  get(/^\/api\/laps\/track\/([^/]+)\/summary$/, ({ recordsByTrack }, { params: [id = ''], query }) => {
    const records = filterRecords(recordsByTrack[id] ?? [], query);
    const racers = distinct(records.map(({ userName }) => userName)).length;
    return { body: { totalLaps: records.length, racers } };
  }),
  get(/^\/api\/laps\/tire-compounds$/, () => ({ body: TIRE_COMPOUNDS })),
];

const DRIVER_CALLS: StandInCall[] = [
  get(/^\/api\/laps\/user\/[^/]+\/by-car$/, ({ bestsByCar }) => ({ body: bestsByCar })),
  get(/^\/api\/laps\/user\/[^/]+\/by-track$/, ({ bestsByTrack }) => ({ body: bestsByTrack })),
  get(/^\/api\/laps\/user\/[^/]+\/total-count$/, ({ totalLaps }) => ({ body: { totalLaps } })),
  get(/^\/api\/sessions\/user\/[^/]+$/, ({ sessions }) => ({ body: sessions })),
  get(/^\/api\/user-cars$/, ({ userCars }) => ({ body: userCars })),
  get(/^\/api\/comparisons$/, () => ({ body: [] })),
  post(/^\/api\/user-cars$/, (world, { body }) => {
    const modelKey = String(json(body)['modelKey']);
    const { make, modelDisplay, generation } =
      world.cars.find((car) => car.modelKey === modelKey) ?? userCar({});
    const id = asUserCarId(`car-${world.userCars.length + 1}`);
    world.userCars = [...world.userCars, userCar({ id, modelKey, make, modelDisplay, generation })];
    return { body: { id } };
  }),
  put(/^\/api\/cars\/([^/]+)\/photo$/, (world, { params: [id], body }) => {
    const photoUrl = String(json(body)['photoURL']);
    world.userCars = world.userCars.map((car) => (car.id === id ? { ...car, photoUrl } : car));
    return { body: {} };
  }),
];

const UPLOAD_CALLS: StandInCall[] = [
  get(/^\/api\/track-sets$/, () => ({ body: { sets: [] } })),
  post(/^\/api\/analyze-gps$/, ({ tracks: [track] }) => ({
    body: analysis({
      gpsSuggestions: track ? [suggestion(track.id, 87, LAPS)] : [],
      gpsPoints: GPS_POINTS,
      gpsPointCount: GPS_POINTS.length,
      ...LAPS,
    }),
  })),
  post(/^\/api\/upload$/, (_world, { body }) => ({
    body: { results: filesIn(body).map((file) => ({ file, success: true })), best: null },
  })),
];

const LIBRARY_CALLS: StandInCall[] = [
  get(/^\/api\/car-library\/makes$/, ({ cars }) => ({ body: distinct(cars.map((car) => car.make)) })),
  get(/^\/api\/car-library\/model-families$/, ({ cars }, { query }) => ({
    body: distinct(cars.filter((car) => car.make === query.get('make')).map((car) => car.modelFamily)),
  })),
  get(/^\/api\/car-library\/variants$/, ({ cars }) => ({ body: distinct(cars.map((car) => car.variant)) })),
  get(/^\/api\/car-library\/generations$/, ({ cars }) => ({
    body: distinct(cars.map((car) => car.generation)),
  })),
  get(/^\/api\/car-library\/race-classes$/, () => ({ body: ['Roadster', 'Sports Car'] })),
  get(/^\/api\/car-library\/drivetrains$/, () => ({ body: ['AWD', 'FWD', 'RWD'] })),
  get(/^\/api\/car-library\/exact-match$/, ({ cars }, { query }) => {
    const found = cars.find((car) => car.generation === query.get('generation'));
    return found ? { body: { modelKey: found.modelKey } } : { status: 404, body: 'Not Found' };
  }),
  get(/^\/api\/car-library\/search$/, ({ cars }, { query }) => ({
    body: cars.filter((car) => car.modelDisplay.toLowerCase().includes(query.get('q')?.toLowerCase() ?? '')),
  })),
];

const ADMIN_CALLS: StandInCall[] = [
  post(/^\/api\/admin\/parse-tracks$/, ({ tracks }) => ({
    body: tracks.slice(0, 2).map(parseTrack),
  })),
  post(/^\/api\/admin\/create-tracks$/, (_world, { body }) => ({
    body: listIn(json(body)['tracks']).map(({ name, configuration, location, country }, index) => ({
      row: index + 1,
      name,
      configuration,
      location,
      country,
      status: index === 0 ? 'success' : 'error',
      message: index === 0 ? 'Created.' : 'There is one already.',
    })),
  })),
  post(/^\/api\/apex\/migrate-to-main$/, () => ({
    body: { success: true, summary: { migrated: 2, existing: 0, skipped: 0 }, warnings: [] },
  })),
  post(/^\/api\/apex\/parse$/, () => ({
    body: { tracks: [apexTrack(1, 'Meadow Kart', 1), apexTrack(2, 'Quarry Kart', 2)] },
  })),
  post(/^\/api\/apex\/import$/, () => ({
    body: {
      summary: { tracksUpserted: 2, trapsUpserted: 3, warnings: ['Quarry Kart has two lines.'] },
      warnings: ['Quarry Kart has two lines.'],
    },
  })),
  post(/^\/api\/admin\/car-library\/upload-preview$/, ({ cars }) => ({
    body: {
      summary: { total: 5, new: cars.length, existing: 5 - cars.length, withProblems: 0 },
      newCars: cars,
      problems: [],
    } satisfies CarPreview,
  })),
  post(/^\/api\/admin\/car-library\/import$/, (_world, { body }) => ({
    body: { imported: listIn(json(body)['cars']).length, existing: 0, problems: [] },
  })),
];

/**
 * The calls that the stand-in answers, each as the server does. It knows no options of a board's filters, which then take the lists
 * of the car library, as they do where that call fails.
 */
export const STAND_IN_CALLS: readonly StandInCall[] = [
  ...ACCOUNT_CALLS,
  ...BOARD_CALLS,
  ...DRIVER_CALLS,
  ...UPLOAD_CALLS,
  ...LIBRARY_CALLS,
  ...ADMIN_CALLS,
];

/** The names of the files in a multipart form. */
export function filesIn(body: Buffer): string[] {
  return [...body.toString('latin1').matchAll(/filename="([^"]*)"/g)].map(([, name = '']) => name);
}

/** Gives a track of the list with its number of drivers. */
function listTrack({ recordsByTrack, user }: StandInWorld, track: WorldTrack): ListedTrack {
  const driverIds = distinct((recordsByTrack[track.id] ?? []).map(({ driverId }) => driverId));
  return { ...track, entryCount: driverIds.length, hasOwnEntry: driverIds.includes(user?.id ?? '') };
}

const FILTERED_FIELDS = {
  make: 'carMake',
  modelFamily: 'carModel',
  variant: 'carVariant',
  generation: 'carGeneration',
  raceClass: 'carRaceClass',
  drivetrain: 'carDrivetrain',
  tire: 'tireCompound',
} as const;

/** The records that are equal in every field that is filtered by. All of them are within every time period. */
function filterRecords(records: readonly WorldRecord[], query: URLSearchParams): WorldRecord[] {
  const fields = Object.entries(FILTERED_FIELDS).filter(([name]) => query.get(name));
  return records.filter((record) => fields.every(([name, field]) => record[field] === query.get(name)));
}

function rankRecords(records: readonly WorldRecord[]): LapRecord[] {
  const fastestMs = records[0]?.lapTimeMs ?? 0;
  return records.map((record, index) => ({
    ...record,
    rank: index + 1,
    gapMs: record.lapTimeMs - fastestMs,
  }));
}

function parseTrack(track: WorldTrack, index: number): ParsedTrack {
  const { id: _id, timeZone: _timeZone, ...parsed } = track;
  return { ...parsed, name: `${track.name} Annex`, row: index + 1, problems: {}, warnings: [] };
}

/** A track of a file of tracks with their traps. */
export function apexTrack(row: number, name: string, startFinishCount: number): ParsedApexTrack {
  const line = { a: { lat: 59, lon: 10 }, b: { lat: 59, lon: 10.001 }, bearingDeg: null, name: null };
  return {
    row,
    track: {
      name,
      configuration: 'Long',
      city: 'Aldertown',
      country: 'Norway',
      geofenceRadiusM: 400,
      lengthMeters: null,
      centerLat: null,
      centerLon: null,
    },
    traps: Array.from({ length: startFinishCount }, () => ({ ...line, type: 'start_finish' })),
    problems: {},
    warnings: [],
  };
}

function json(body: Buffer): Record<string, unknown> {
  const value: Record<string, unknown> = JSON.parse(body.toString('utf8'));
  return value;
}

function listIn(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : [];
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
