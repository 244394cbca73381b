import { insertComparison } from '#server/model/comparisons/saved-comparison-store.ts';
import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { asSessionId, asTrackId } from '#contract/testing/ids.ts';
import {
  type ApiTokenId,
  type AuthSessionId,
  type CarModelId,
  type LapId,
  lapIdSchema,
  type PasskeyId,
  type SessionId,
  type TrackId,
  type UserCarId,
  type UserId,
  userIdSchema,
  trackIdSchema,
} from '#contract/ids.ts';
import type { TokenScope } from '#contract/sign-in/labels.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { insertToken } from '#server/model/people/api-token-store.ts';
import { hashToken, newToken, SIGN_IN_COOKIE } from '#server/model/people/auth-cookie.ts';
import { insertSignIn } from '#server/model/people/auth-session-store.ts';
import { makeSearchText } from '#server/model/cars/search-text.ts';
import { insertPasskey, listDevices, listPasskeys } from '#server/model/people/credential-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { pendingFiles } from '#server/model/laps/schema.ts';
import { carModels, userCars } from '#server/model/cars/schema.ts';
import { lapFiles, laps, sessions } from '#server/model/laps/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { signIns, users } from '#server/model/people/schema.ts';
import { toLocalIso } from '#server/model/tracks/local-time.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';

// Rows for tests: each has something sensible in every column that the test does not care about.

let count = 0;
const next = () => ++count;

/** Makes the id of a lap. */
export const newLapId = (): LapId => lapIdSchema.parse(randomUUID());

/** Makes the id of a user. */
export const newUserId = (): UserId => userIdSchema.parse(randomUUID());

/** `isAdmin` is short for the role of an administrator. */
type GivenUser = Partial<typeof users.$inferInsert> & { isAdmin?: boolean };

/** Inserts a driver; returns the id. */
export async function insertUser(
  db: Database,
  { isAdmin = false, ...given }: GivenUser = {},
): Promise<UserId> {
  const id = newUserId();
  const name = { firstName: 'Test', lastName: `Driver ${next()}` };
  const { firstName, lastName } = { ...name, ...given };
  const fullName = `${firstName} ${lastName}`;
  await db.insert(users).values({
    id,
    issuer: 'local',
    subject: id,
    role: isAdmin ? 'admin' : 'member',
    ...name,
    fullName,
    ...given,
  });
  return id;
}

// Longer than any file of tests takes on a machine that is busy with others.
const SIGN_IN_LASTS_MS = 3_600_000;

/** Signs a driver in; gives the headers that a browser would send. */
export async function signIn(
  db: Database,
  userId: UserId,
  lastsMs = SIGN_IN_LASTS_MS,
): Promise<{ cookie: string }> {
  const token = newToken();
  await insertSignIn(db, hashToken(token), { userId, lastsMs });
  return { cookie: `${SIGN_IN_COOKIE}=${token}` };
}

/** Moves the sign-ins of a user into the past; without `minutes` so far that changes of credentials ask for a new one. */
export const ageSignIns = (db: Database, userId: UserId, minutes = 16) =>
  db
    .update(signIns)
    .set({ createdAt: sql`now() - ${minutes} * interval '1 minute'` })
    .where(eq(signIns.userId, userId));

/** Inserts an API token of a user; returns its id, and the headers that a program would send. */
export async function insertApiToken(
  db: Database,
  userId: UserId,
  scopes: TokenScope[] = ['read'],
  days = 1,
): Promise<{ id: ApiTokenId; headers: { authorization: string } }> {
  const token = `pb_${newToken()}`;
  const kept = { tokenSha256: hashToken(token), name: 'Test', ending: token.slice(-4) };
  const { id } = await insertToken(db, { userId, scopes, ...kept }, days);
  return { id, headers: { authorization: `Bearer ${token}` } };
}

/** Signs a user in on one more device; returns its id in the list of devices. */
export async function insertDevice(db: Database, userId: UserId): Promise<AuthSessionId> {
  await signIn(db, userId);
  const [device] = await listDevices(db, userId);
  return idOf(device);
}

/** Inserts a lap file of ten bytes, none of which has arrived; returns the token. */
export async function insertPendingFile(db: Database, userId: UserId): Promise<string> {
  const file = { id: randomUUID(), userId, fileName: 'a.csv', byteCount: 10, receivedBytes: 0 };
  await db.insert(pendingFiles).values(file);
  return file.id;
}

/** Inserts a passkey that no authenticator has; returns the id. */
export async function insertPasskeyRow(db: Database, userId: UserId): Promise<PasskeyId> {
  await insertPasskey(db, { userId, name: 'Key', credentialId: randomUUID(), publicKey: 'none', counter: 0 });
  return idOf((await listPasskeys(db, userId)).at(-1));
}

/** Inserts a saved comparison of laps that do not exist; the next change of laps on its track deletes it. Returns the id. */
export const insertSavedComparison = (db: Database, userId: UserId): Promise<string> =>
  insertComparison(db, {
    userId,
    name: 'Old tyres',
    trackId: trackIdSchema.parse('no-track'),
    lapIds: [newLapId(), newLapId()],
  });

export type SignedIn = { userId: UserId; headers: { cookie: string } };

/** Inserts a driver who is signed in. */
export async function insertSignedIn(db: Database, given: GivenUser = {}): Promise<SignedIn> {
  const userId = await insertUser(db, given);
  return { userId, headers: await signIn(db, userId) };
}

/** A track with any text as its id. */
export type GivenTrack = Partial<Omit<Track, 'id'> & { id: string }>;

/** Inserts a track near Lydden Hill with a line and no outline; returns the id. */
export async function insertTrack(db: Database, given: GivenTrack = {}): Promise<TrackId> {
  const id = asTrackId(given.id ?? `test-ring-${next()}`);
  await db.insert(tracks).values({
    name: `Test Ring ${id}`,
    location: 'Canterbury',
    configuration: 'Full',
    country: 'United Kingdom',
    lengthMeters: 1_600,
    status: 'official',
    radiusMeters: 900,
    centerLat: 51.1777,
    centerLon: 1.1989,
    startFinishLine: {
      a: { lat: 51.17785, lon: 1.1989 },
      b: { lat: 51.17755, lon: 1.1989 },
      bearingDeg: 90,
    },
    sectors: [],
    timeZone: 'Europe/London',
    ...given,
    id,
  });
  return id;
}

/** Inserts a car model of the library; returns the id. */
export async function insertCarModel(
  db: Database,
  given: Partial<typeof carModels.$inferInsert> = {},
): Promise<CarModelId> {
  const names = { make: 'Mazda', modelFamily: 'MX-5', variant: '1.8', generation: 'NB', ...given };
  const modelKey = given.modelKey ?? `test-model-${next()}`;
  const modelDisplay = `${names.make} ${names.modelFamily} ${names.variant} (${names.generation})`;
  const [row] = await db
    .insert(carModels)
    .values({
      years: '1998-2005',
      drivetrain: 'RWD',
      raceClass: 'Roadster',
      modelDisplay,
      ...names,
      modelKey,
      searchText: makeSearchText([modelDisplay]),
    })
    .returning({ id: carModels.id });
  return idOf(row);
}

/** Inserts a car in a garage; returns the id. */
export async function insertUserCar(
  db: Database,
  given: { userId: UserId; carModelId?: CarModelId; nickname?: string; retiredAt?: Date },
): Promise<UserCarId> {
  const carModelId = given.carModelId ?? (await insertCarModel(db));
  const [row] = await db
    .insert(userCars)
    .values({ ...given, carModelId })
    .returning({ id: userCars.id });
  return idOf(row);
}

export type TestLap = { lapTimeMs: number } & Partial<typeof laps.$inferInsert>;

/** Inserts a session with its lap file and laps; returns the id. The laps follow one another. */
export async function insertSession(
  db: Database,
  given: { trackId: TrackId; userId: UserId; laps: TestLap[] } & Partial<typeof sessions.$inferInsert>,
): Promise<SessionId> {
  const { laps: givenLaps, ...rest } = given;
  const id = asSessionId(randomUUID());
  const startedAt = given.startedAt ?? new Date('2026-06-06T10:00:00Z');
  const { trackId, userId } = given;
  await db.transaction((tx) =>
    changeLaps(tx, { trackId, userIds: [userId] }, async () => {
      await tx.insert(lapFiles).values({
        sha256: id,
        storageKey: `lap-files/${id}`,
        userId: given.userId,
        fileName: 'laps.csv',
        byteCount: 1,
        format: 'generic-csv',
      });
      await tx.insert(sessions).values({
        id,
        startedAt,
        sessionDate: toLocalIso(startedAt, 'Europe/London'),
        droppedCounts: {},
        engineVersion: 'test',
        lapFileSha256: id,
        ...rest,
      });
      let lapStartMs = startedAt.getTime();
      for (const [index, lap] of givenLaps.entries()) {
        await tx.insert(laps).values({
          trackId: given.trackId,
          sessionId: id,
          number: index + 1,
          uncertaintyMs: 5,
          status: 'valid',
          reasons: [],
          startedAt: new Date(lapStartMs),
          sectorTimesMs: [],
          ...lap,
        });
        lapStartMs += lap.lapTimeMs;
      }
    }),
  );
  return id;
}

function idOf<Id extends string>(row: { id: Id } | undefined): Id {
  if (!row) throw new Error('Nothing was inserted.');
  return row.id;
}
