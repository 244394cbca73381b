import { z } from 'zod';
import { TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { insertUser, signIn } from '#server/testing/builders.ts';
import { changing, DRIVE_AGES_DAYS, type KnownDriver } from './community.ts';
import { call, pick, type Soak } from './soak.ts';

const DAY_MS = 86_400_000;
// So that the database ends as large as it was after the warming up.
const SESSIONS_PER_DRIVER_MAX = 6;
const CARS_PER_DRIVER_MAX = 4;

let count = 0;

const idSchema = z.object({ id: z.string() });
const addressSchema = z.object({ uploadURL: z.url() });
const resultSchema = z.object({
  results: z
    .array(z.object({ success: z.literal(true), sessionId: z.string(), bestLapTimeMs: z.number() }))
    .length(1),
});

/** Makes one change of some driver who is not in the middle of another. */
export async function changeSomething(soak: Soak): Promise<void> {
  const driver = pick(soak, soak.drivers);
  if (soak.busy.has(driver)) return;
  soak.busy.add(driver);
  try {
    await drawChange(soak, driver)(soak, driver);
    soak.counts.changes += 1;
  } finally {
    soak.busy.delete(driver);
  }
}

function drawChange(soak: Soak, driver: KnownDriver): (soak: Soak, driver: KnownDriver) => Promise<void> {
  const draw = soak.random.uniform();
  if (draw < 0.45) return driver.sessions.length < SESSIONS_PER_DRIVER_MAX ? uploadDrive : deleteSession;
  if (draw < 0.55) return analyzeDrive;
  if (draw < 0.65) return rename;
  if (draw < 0.8) return driver.cars.length < CARS_PER_DRIVER_MAX ? addCar : retireCar;
  if (draw < 0.9) return changeAvatar;
  if (draw < 0.98) return changePhoto;
  return leave;
}

async function uploadDrive(soak: Soak, driver: KnownDriver): Promise<void> {
  const track = pick(soak, soak.tracks);
  const car = driver.cars.length === 0 ? null : pick(soak, driver.cars);
  const tire = pick(soak, [null, ...TIRE_COMPOUNDS]);
  const { file, startTimeMs } = drive(soak, track);
  const form = new FormData();
  form.set('trackId', track.id);
  if (car) form.set('userCarId', car.id);
  if (tire !== null) form.set('tireCompound', tire);
  form.set('files', file);
  await changing(soak.changes, [track.id], async () => {
    const { results } = resultSchema.parse(await call(soak, driver, ['POST', '/api/upload'], form));
    for (const { sessionId: id, bestLapTimeMs } of results)
      driver.sessions.push({ id, trackId: track.id, car, tire, startTimeMs, bestLapTimeMs });
  });
}

async function analyzeDrive(soak: Soak, driver: KnownDriver): Promise<void> {
  const form = new FormData();
  form.set('file', drive(soak, pick(soak, soak.tracks)).file);
  await call(soak, driver, ['POST', '/api/analyze-gps'], form);
}

function drive(soak: Soak, track: Soak['tracks'][number]): { file: File; startTimeMs: number } {
  const seed = ++count;
  const startTimeMs = Date.now() - pick(soak, DRIVE_AGES_DAYS) * DAY_MS;
  const topSpeedMetersPerSecond = 20 + 10 * soak.random.uniform();
  const driven = simulateDrive(track, { seed, laps: 2, startTimeMs, topSpeedMetersPerSecond });
  return { file: new File([writeGenericCsv(driven)], `drive-${seed}.csv`), startTimeMs };
}

async function deleteSession(soak: Soak, driver: KnownDriver): Promise<void> {
  const session = pick(soak, driver.sessions);
  await changing(soak.changes, [session.trackId], async () => {
    await call(soak, driver, ['DELETE', `/api/sessions/${session.id}`]);
    driver.sessions = driver.sessions.filter((other) => other !== session);
  });
}

const tracksOf = ({ sessions }: KnownDriver) => [...new Set(sessions.map(({ trackId }) => trackId))];

async function rename(soak: Soak, driver: KnownDriver): Promise<void> {
  const displayName = `Driver ${++count}`;
  await changing(soak.changes, tracksOf(driver), async () => {
    await call(soak, driver, ['PATCH', '/api/auth/user/preferences'], { displayName });
    driver.name = displayName;
  });
}

async function changeAvatar(soak: Soak, driver: KnownDriver): Promise<void> {
  const hasAvatar = !driver.hasAvatar;
  await changing(soak.changes, tracksOf(driver), async () => {
    if (hasAvatar)
      await call(soak, driver, ['PUT', '/api/user/avatar'], { avatarURL: await sendPhoto(soak, driver) });
    else await call(soak, driver, ['DELETE', '/api/user/avatar']);
    driver.hasAvatar = hasAvatar;
  });
}

async function changePhoto(soak: Soak, driver: KnownDriver): Promise<void> {
  if (driver.cars.length === 0) return;
  const { id } = pick(soak, driver.cars);
  const photoURL = await sendPhoto(soak, driver);
  await call(soak, driver, ['PUT', `/api/cars/${id}/photo`], { photoURL });
}

async function sendPhoto(soak: Soak, driver: KnownDriver): Promise<string> {
  const { uploadURL } = addressSchema.parse(await call(soak, driver, ['POST', '/api/objects/upload']));
  await call(soak, driver, ['PUT', new URL(uploadURL).pathname], soak.photo);
  return uploadURL;
}

async function addCar(soak: Soak, driver: KnownDriver): Promise<void> {
  const model = pick(soak, soak.models);
  const body = { modelKey: model.modelKey, nickname: `Car ${++count}` };
  const { id } = idSchema.parse(await call(soak, driver, ['POST', '/api/user-cars'], body));
  driver.cars.push({ id, model });
}

async function retireCar(soak: Soak, driver: KnownDriver): Promise<void> {
  const car = pick(soak, driver.cars);
  driver.cars = driver.cars.filter((other) => other !== car);
  await call(soak, driver, ['DELETE', `/api/user-cars/${car.id}`]);
}

/** A driver removes their account, and a new one comes. */
async function leave(soak: Soak, driver: KnownDriver): Promise<void> {
  soak.drivers = soak.drivers.filter((other) => other !== driver);
  await changing(soak.changes, tracksOf(driver), async () => {
    await call(soak, driver, ['DELETE', '/api/account'], { name: driver.name });
    driver.sessions = [];
  });
  soak.drivers.push(await comeIn(soak.db));
}

/** A new driver, signed in for a day, at an address of their own: some calls are limited by address. */
export async function comeIn(db: Soak['db']): Promise<KnownDriver> {
  const name = `Driver ${++count}`;
  const id = await insertUser(db, { displayName: name });
  const headers = await signIn(db, id, DAY_MS);
  const address = `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
  return {
    id,
    name,
    hasAvatar: false,
    headers: { ...headers, 'x-forwarded-for': address },
    cars: [],
    sessions: [],
  };
}
