import { TIRE_COMPOUNDS } from '#contract/lap-labels.ts';
import { userCar, type SpecifiedWorld } from './specified-answers.ts';

/** A request to the stand-in server. */
export type Asked = {
  method: string;
  path: string;
  /** What the path holds in place of its parameters. */
  params: readonly string[];
  query: URLSearchParams;
  body: Buffer;
  host: string;
};

/** A response: JSON, or text or bytes as they are. The status is 200 by default. */
export type SpecifiedResponse = { status?: number; body: unknown; headers?: Record<string, string> };

type Tell = (world: SpecifiedWorld, asked: Asked) => SpecifiedResponse;

type SpecifiedCall = { method: string; path: RegExp; tell: Tell };

const GPS_POINTS = [
  { lat: 59, lon: 10 },
  { lat: 59.001, lon: 10.001 },
];

const get = (path: RegExp, tell: Tell): SpecifiedCall => ({ method: 'GET', path, tell });
const post = (path: RegExp, tell: Tell): SpecifiedCall => ({ method: 'POST', path, tell });
const put = (path: RegExp, tell: Tell): SpecifiedCall => ({ method: 'PUT', path, tell });

const ACCOUNT_CALLS: SpecifiedCall[] = [
  get(/^\/api\/auth\/user$/, ({ user }) => (user ? { body: user } : { status: 401, body: 'Unauthorized' })),
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

const BOARD_CALLS: SpecifiedCall[] = [
  get(/^\/api\/tracks$/, ({ tracks }) => ({ body: tracks })),
  get(/^\/api\/tracks\/([^/]+)$/, ({ tracks }, { params: [id] }) => {
    const track = tracks.find((candidate) => candidate.id === id);
    return track ? { body: track } : { status: 404, body: 'Not Found' };
  }),
  get(/^\/api\/laps\/track\/([^/]+)\/best$/, ({ recordsByTrack }, { params: [id = ''] }) => ({
    body: recordsByTrack[id] ?? [],
  })),
  get(/^\/api\/laps\/tire-compounds$/, () => ({ body: TIRE_COMPOUNDS })),
];

const DRIVER_CALLS: SpecifiedCall[] = [
  get(/^\/api\/laps\/user\/[^/]+\/by-car$/, ({ bestsByCar }) => ({ body: bestsByCar })),
  get(/^\/api\/laps\/user\/[^/]+\/by-track$/, ({ bestsByTrack }) => ({ body: bestsByTrack })),
  get(/^\/api\/laps\/user\/[^/]+\/total-count$/, ({ totalLaps }) => ({ body: { totalLaps } })),
  get(/^\/api\/sessions\/user\/[^/]+$/, ({ sessions }) => ({ body: sessions })),
  get(/^\/api\/user-cars$/, ({ userCars }) => ({ body: userCars })),
  post(/^\/api\/user-cars$/, (world, { body }) => {
    const modelKey = String(json(body)['modelKey']);
    const { make, modelDisplay, generation } =
      world.cars.find((car) => car.modelKey === modelKey) ?? userCar({});
    const id = `car-${world.userCars.length + 1}`;
    world.userCars = [...world.userCars, userCar({ id, modelKey, make, modelDisplay, generation })];
    return { body: {} };
  }),
  put(/^\/api\/cars\/([^/]+)\/photo$/, (world, { params: [id], body }) => {
    const photoUrl = String(json(body)['photoURL']);
    world.userCars = world.userCars.map((car) => (car.id === id ? { ...car, photoUrl } : car));
    return { body: {} };
  }),
];

const UPLOAD_CALLS: SpecifiedCall[] = [
  post(/^\/api\/analyze-gps$/, ({ tracks: [track] }) => ({
    body: {
      gpsSuggestions: track ? [{ trackId: track.id, confidencePct: 87 }] : [],
      gpsPoints: GPS_POINTS,
      gpsPointCount: GPS_POINTS.length,
      lapCount: 3,
      bestLapTimeMs: 98_417,
    },
  })),
  post(/^\/api\/upload$/, (_world, { body }) => ({
    body: filesIn(body).map(() => ({ success: true })),
  })),
];

const LIBRARY_CALLS: SpecifiedCall[] = [
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

const ADMIN_CALLS: SpecifiedCall[] = [
  post(/^\/api\/admin\/parse-tracks$/, ({ tracks }) => ({
    body: tracks.slice(0, 2).map((track) => ({ ...track, name: `${track.name} Annex` })),
  })),
  post(/^\/api\/admin\/create-tracks$/, (_world, { body }) => ({
    body: listIn(json(body)['tracks']).map(({ name, configuration, location, country }, index) => ({
      name,
      configuration,
      location,
      country,
      status: index === 0 ? 'success' : 'refused',
      message: index === 0 ? 'Created.' : 'There is one already.',
    })),
  })),
  post(/^\/api\/apex\/migrate-to-main$/, () => ({ body: { success: true, summary: { migrated: 2 } } })),
  post(/^\/api\/apex\/parse$/, () => ({
    body: { tracks: [apexTrack('Meadow Kart', 1), apexTrack('Quarry Kart', 2)] },
  })),
  post(/^\/api\/apex\/import$/, () => ({
    body: { summary: { tracksUpserted: 2, trapsUpserted: 3, warnings: ['Quarry Kart has two lines.'] } },
  })),
  post(/^\/api\/admin\/car-library\/upload-preview$/, ({ cars }) => ({
    body: { summary: { total: 5, new: cars.length, existing: 5 - cars.length }, newCars: cars },
  })),
  post(/^\/api\/admin\/car-library\/import$/, (_world, { body }) => ({
    body: { imported: listIn(json(body)['cars']).length },
  })),
];

/** The calls that the specification names, each with an answer of the fields that it names. */
export const SPECIFIED_CALLS: readonly SpecifiedCall[] = [
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

function apexTrack(name: string, startFinishCount: number): unknown {
  return {
    track: { name, configuration: 'Long', city: 'Aldertown', country: 'Norway', geofenceRadiusM: 400 },
    traps: Array.from({ length: startFinishCount }, () => ({ type: 'start_finish' })),
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
