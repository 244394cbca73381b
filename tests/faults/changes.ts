import { z } from 'zod';
import { simulateDrive } from '#engine/simulation/drive.ts';
import type { Random } from '#engine/simulation/random.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import type { Track } from '#engine/track.ts';
import { call, sampleFile, upload, type Answer, type Client, type SampleFile } from './client.ts';
import type { Ledger, Outcome } from './ledger.ts';

// Everything that drivers and administrators change, each noted in a ledger under the name that `readThings` gives it too.

/** Somebody who changes things of their own, one after the other. */
export type Changer = {
  client: Client;
  account: string;
  track: Track;
  ledger: Ledger;
  random: Random;
  photo: Blob;
  /** Own sessions and cars that were acknowledged: id by the name in the ledger. */
  sessions: Map<string, string>;
  cars: Map<string, string>;
  /** Files whose upload got no response. */
  unanswered: SampleFile[];
};

// Different in every change of a run, so that no two things share a name.
let count = 0;

const idSchema = z.object({ id: z.string() });
const addressSchema = z.object({ uploadURL: z.url() });

const CARS_PER_IMPORT = 300;
const TRACKS_PER_IMPORT = 20;

/** Makes one change of a driver, of a random kind. */
export async function changeSomething(changer: Changer): Promise<void> {
  const draw = changer.random.uniform();
  if (draw < 0.4) await uploadDrive(changer);
  else if (draw < 0.5) await deleteSession(changer);
  else if (draw < 0.65) await addCar(changer);
  else if (draw < 0.75) await changePhoto(changer);
  else if (draw < 0.8) await retireCar(changer);
  else if (draw < 0.9) await changeAvatar(changer);
  else await changeName(changer);
}

/** Makes one import of an administrator: cars or tracks, all of them or none. */
export async function importSomething(changer: Changer): Promise<void> {
  const batch = ++count;
  if (changer.random.uniform() < 0.5) {
    const cars = Array.from({ length: CARS_PER_IMPORT }, (_, index) => newCar(batch, index));
    await changer.ledger.change(`cars ${batch}`, String(CARS_PER_IMPORT), async () =>
      outcomeOf(await call(changer.client, 'POST', '/api/admin/car-library/import', { cars })),
    );
  } else {
    const tracks = Array.from({ length: TRACKS_PER_IMPORT }, (_, index) => newTrack(batch, index));
    await changer.ledger.change(`tracks ${batch}`, String(TRACKS_PER_IMPORT), async () =>
      outcomeOfTracks(await call(changer.client, 'POST', '/api/admin/create-tracks', { tracks })),
    );
  }
}

/** Uploads a new drive and notes the outcome. */
export async function uploadDrive(changer: Changer, laps = 2): Promise<void> {
  const { client, track, ledger, sessions, unanswered } = changer;
  const seed = ++count;
  const startTimeMs = Date.UTC(2026, 4, 16, 9) + seed * 3_600_000;
  const drive = simulateDrive(track, { seed, laps, startTimeMs });
  const file = sampleFile(`drive-${seed}.csv`, writeGenericCsv(drive));
  const thing = `session ${file.sha256}`;
  const outcome = await ledger.change(thing, 'there', async () => {
    const result = await upload(client, track.id, file);
    if (!('sessionId' in result)) return 'unknown';
    sessions.set(thing, result.sessionId);
    return 'done';
  });
  if (outcome === 'unknown') unanswered.push(file);
}

async function deleteSession({ client, ledger, sessions }: Changer): Promise<void> {
  const [[thing, id] = []] = sessions;
  if (thing === undefined) return;
  sessions.delete(thing);
  await ledger.change(thing, null, async () =>
    outcomeOf(await call(client, 'DELETE', `/api/sessions/${id}`)),
  );
}

async function addCar({ client, ledger, cars }: Changer): Promise<void> {
  const nickname = `Car ${++count}`;
  const modelKey = 'mazda-mx-5-nb-1-8';
  await ledger.change(nickname, 'without photo', async () => {
    const answer = await call(client, 'POST', '/api/user-cars', { modelKey, nickname });
    if (answer.status === 200) cars.set(nickname, idSchema.parse(answer.body).id);
    return outcomeOf(answer);
  });
}

async function changePhoto(changer: Changer): Promise<void> {
  const { client, ledger, cars } = changer;
  const [nickname, id] = [...cars].at(-1) ?? [];
  if (nickname === undefined) return;
  const path = `/api/cars/${id}/photo`;
  if (ledger.valueOf(nickname) === 'with photo') {
    await ledger.change(nickname, 'without photo', async () => outcomeOf(await call(client, 'DELETE', path)));
    return;
  }
  const photoURL = await sendPhoto(changer);
  if (photoURL === null) return;
  await ledger.change(nickname, 'with photo', async () =>
    outcomeOf(await call(client, 'PUT', path, { photoURL })),
  );
}

async function retireCar({ client, ledger, cars }: Changer): Promise<void> {
  const [[nickname, id] = []] = cars;
  if (nickname === undefined) return;
  cars.delete(nickname);
  await ledger.change(nickname, null, async () =>
    outcomeOf(await call(client, 'DELETE', `/api/user-cars/${id}`)),
  );
}

async function changeAvatar(changer: Changer): Promise<void> {
  const { client, account, ledger } = changer;
  const thing = `avatar of ${account}`;
  if (ledger.valueOf(thing) === 'there') {
    const remove = () => call(client, 'DELETE', '/api/user/avatar');
    await ledger.change(thing, null, async () => outcomeOf(await remove()));
    return;
  }
  const avatarURL = await sendPhoto(changer);
  if (avatarURL === null) return;
  await ledger.change(thing, 'there', async () =>
    outcomeOf(await call(client, 'PUT', '/api/user/avatar', { avatarURL })),
  );
}

async function changeName({ client, account, ledger }: Changer): Promise<void> {
  const displayName = `Name ${++count}`;
  await ledger.change(`name of ${account}`, displayName, async () =>
    outcomeOf(await call(client, 'PATCH', '/api/auth/user/preferences', { displayName })),
  );
}

async function sendPhoto({ client, photo }: Changer): Promise<string | null> {
  const given = addressSchema.safeParse((await call(client, 'POST', '/api/objects/upload')).body);
  if (!given.success) return null;
  const { uploadURL } = given.data;
  const { pathname } = new URL(uploadURL);
  return (await call(client, 'PUT', pathname, photo)).status === 200 ? uploadURL : null;
}

/** A server error says nothing about the change: it may have been made before something broke. */
function outcomeOf({ status }: Answer): Outcome {
  if (status >= 200 && status < 300) return 'done';
  return status >= 400 && status < 500 ? 'refused' : 'unknown';
}

const createdSchema = z.array(z.object({ status: z.literal('success') }));

/** Every row has its own result; they are all good, or the data of this file is wrong. */
function outcomeOfTracks(answer: Answer): Outcome {
  if (answer.status === 200) createdSchema.parse(answer.body);
  return outcomeOf(answer);
}

function newCar(batch: number, index: number): object {
  return {
    make: 'Import',
    modelFamily: `Batch ${batch}`,
    variant: `Variant ${index}`,
    generation: 'One',
    modelKey: `import-${batch}-${index}`,
    modelDisplay: `Import ${batch} ${index}`,
    years: null,
    drivetrain: 'RWD',
    raceClass: 'GT',
  };
}

function newTrack(batch: number, index: number): object {
  const place = { centerLat: -60 + (batch % 100) / 10, centerLon: -120 + index, radiusMeters: 900 };
  const names = {
    name: `Import ${batch} Ring ${index}`,
    location: 'Sea',
    configuration: 'Full',
    country: 'None',
  };
  return { row: index + 1, ...names, ...place, status: 'official', sectors: [], outline: null };
}
