import { eq } from 'drizzle-orm';
import type { SessionId, TrackId, UserCarId } from '#contract/ids.ts';
import { ENDPOINTS } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { openAuthenticator } from './authenticator.ts';
import {
  insertApiToken,
  insertCarModel,
  insertDevice,
  insertSavedComparison,
  insertSession,
  insertPasskeyRow,
  insertSignedIn,
  insertTrack,
  insertUserCar,
  type SignedIn,
} from './builders.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { laps } from '#server/model/laps/schema.ts';
import { startSharing } from '#server/model/live/start-sharing.ts';
import { insertOneTimeToken } from '#server/model/people/one-time-token-store.ts';
import { PASSWORD } from './club-app.ts';
import { phonePhoto } from './images.ts';
import { insertKartTrack, kartCsv } from './kart-uploads.ts';
import { insertWebhook } from '#server/model/webhooks/webhook-store.ts';
import type { TestApp } from './test-app.ts';
import { bodiesOfEvent, insertEvent } from './race-events.ts';

// A driver with something of every kind, and strangers who would like to have or change it.

export const OWNER_EMAIL = 'owner@private.example';

/** Something of the owner for every kind of id that a path or a body names, and who else there is. */
export type Strangers = {
  owner: SignedIn;
  visitor: SignedIn;
  administrator: SignedIn;
  trackId: TrackId;
  carId: UserCarId;
  sessionId: SessionId;
  comparisonId: string;
  /** An image that the owner has sent and not used yet. */
  waitingImage: string;
  /** The path of a call with the owner's ids in it. */
  pathOfOwners: (endpoint: Endpoint) => string;
  /** A body that a call takes, naming what is the owner's; undefined for calls without one. `as` is who sends it. */
  bodyOf: (endpoint: Endpoint, as: SignedIn) => Promise<object | undefined>;
};

/** Names a call in tables of tests. */
export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** A track as an import takes it. */
export const NEW_TRACK = {
  row: 1,
  name: 'Made Here',
  location: 'Adenau',
  configuration: 'Full',
  country: 'Germany',
  centerLat: 10,
  centerLon: 20,
  radiusMeters: 900,
};

const MAIL = { host: 'localhost', port: 9, security: 'none', userName: '', from: 'laps@club.example' };
const UNKNOWN_TOKEN = 'x'.repeat(43);
const UNKNOWN_PASSKEY = openAuthenticator('http://localhost:4200');
const NEW_ACCOUNT = {
  firstName: 'New',
  lastName: 'Member',
  email: 'new@elsewhere.example',
  password: PASSWORD,
};

/** Inserts them; `given` is what all of them have, such as the issuer of their accounts. */
export async function insertStrangers(
  { as, db }: Pick<TestApp, 'as' | 'db'>,
  given: { issuer?: string } = {},
): Promise<Strangers> {
  const imageOf = async (who: SignedIn) => as(who).sendImage(await phonePhoto());
  const lapsOf = async ({ userId }: SignedIn) => {
    const trackId = await insertTrack(db);
    const driven = { trackId, userId, laps: [{ lapTimeMs: 61_000 }, { lapTimeMs: 62_000 }] };
    const isOfSession = eq(laps.sessionId, await insertSession(db, driven));
    const rows = await db.select({ id: laps.id }).from(laps).where(isOfSession);
    return { trackId, lapIds: rows.map(({ id }) => id) };
  };

  const owner = await insertSignedIn(db, {
    email: OWNER_EMAIL,
    emailVerified: true,
    displayName: 'Owner',
    ...given,
  });
  const visitor = await insertSignedIn(db, {
    email: 'visitor@elsewhere.example',
    emailVerified: true,
    ...given,
  });
  const administrator = await insertSignedIn(db, { isAdmin: true, ...given });
  const trackId = await insertKartTrack(db);
  const carId = await insertUserCar(db, { userId: owner.userId, nickname: 'Toy' });
  const sessionId: SessionId = (await as(owner).uploadLaps(trackId, kartCsv(), { userCarId: carId })).json()
    .results[0].sessionId;
  const car = await as(owner).put(`/api/cars/${carId}/photo`, { photoURL: await imageOf(owner) });
  const waitingImage = await imageOf(owner);
  const begun = await as(owner).post('/api/pending-files', { fileName: 'a.csv', byteCount: 10 });
  const libraryCarId = await insertCarModel(db, { modelKey: 'of-the-library' });
  const proposedCarId = await insertCarModel(db, { make: 'Jem', status: 'community_submitted' });

  const proposedTrackId = await insertTrack(db, { status: 'community_submitted' });
  const nearTrackId = await insertTrack(db);

  const drivenToDelete = { trackId: nearTrackId, userId: owner.userId, laps: [{ lapTimeMs: 63_000 }] };
  const deletedSessionId = await insertSession(db, drivenToDelete);
  await as(owner).delete(`/api/sessions/${deletedSessionId}`);

  const comparisonId = await insertSavedComparison(db, owner.userId);
  const eventIds = await insertEvent({ as }, { organiser: administrator, driver: owner, trackId });
  const ids: Record<string, string> = {
    trackId,
    carId: proposedCarId,
    userId: owner.userId,
    idOrName: owner.userId,
    fileToken: begun.json().fileToken,
    key: car.json().photoUrl.split('/').at(-1),
    tokenId: (await insertApiToken(db, owner.userId)).id,
    webhookId: (
      await insertWebhook(db, {
        url: 'https://hooks.example.org/',
        events: ['record_set'],
        format: 'pitboard',
        secret: 'secret',
      })
    ).id,
    passkeyId: await insertPasskeyRow(db, owner.userId),
    invitationId: (await insertOneTimeToken(db, { purpose: 'invitation', lastsMs: 60_000 })).id,
    deviceId: await insertDevice(db, owner.userId),
    comparisonId,
    ...eventIds,
    token: new URL(waitingImage).pathname.split('/').at(-1) ?? '',
  };
  const eventBodies = Object.fromEntries(
    Object.entries(bodiesOfEvent(eventIds)).map(([name, body]) => [name, async () => body]),
  );
  const bodies: Record<string, (as: SignedIn) => Promise<object>> = {
    // Servers without accounts of their own, as that of these tests, refuse what follows; server/credentials tests others.
    'POST /api/auth/password': async () => ({ email: OWNER_EMAIL, password: PASSWORD }),
    'POST /api/auth/passkey': async () => ({ credential: UNKNOWN_PASSKEY.get('none') }),
    'POST /api/auth/recover': async () => ({ email: OWNER_EMAIL, code: 'none', newPassword: PASSWORD }),
    'POST /api/auth/link': async () => ({ kind: 'reset', token: UNKNOWN_TOKEN }),
    'POST /api/auth/invitation': async () => ({ token: UNKNOWN_TOKEN, ...NEW_ACCOUNT }),
    'POST /api/auth/reset/mail': async () => ({ email: OWNER_EMAIL }),
    'POST /api/auth/sign-in-link/mail': async () => ({ email: OWNER_EMAIL }),
    'POST /api/auth/sign-in-link': async () => ({ token: UNKNOWN_TOKEN }),
    'POST /api/auth/confirmation': async () => ({ token: UNKNOWN_TOKEN }),
    'POST /api/auth/reset': async () => ({ token: UNKNOWN_TOKEN, newPassword: PASSWORD }),
    'POST /api/auth/set-up': async () => ({
      token: UNKNOWN_TOKEN,
      ...NEW_ACCOUNT,
      clubName: 'Club',
      timeZone: 'UTC',
      registration: 'open',
    }),
    'POST /api/auth/register': async () => NEW_ACCOUNT,
    'POST /api/auth/set-up/mail-test': async () => ({ token: UNKNOWN_TOKEN, to: OWNER_EMAIL, mail: MAIL }),
    'PUT /api/admin/mail': async () => MAIL,
    'POST /api/admin/mail/settings/test': async () => MAIL,
    'PUT /api/account/passkeys/:passkeyId': async () => ({ name: 'Van' }),
    'PUT /api/admin/first-steps': async () => ({ isHidden: false }),
    'PUT /api/admin/club': async () => ({ name: 'Club', timeZone: 'UTC', registration: 'open' }),
    'PUT /api/account/password': async () => ({ newPassword: PASSWORD }),
    'DELETE /api/account': async () => ({ name: 'Somebody Else' }),
    'POST /api/account/passkeys': async () => ({ name: 'Key', credential: UNKNOWN_PASSKEY.create('none') }),
    'PATCH /api/auth/user/preferences': async () => ({ emailUpdates: true }),
    'POST /api/account/tokens': async () => ({ name: 'Van', scopes: ['read'], days: 7 }),
    'POST /api/comparisons': async (as) => ({ name: 'Old tyres', ...(await lapsOf(as)) }),
    'POST /api/lap-videos/:trackId/:lapId/evidence': async () => ({
      camera: 'HERO9',
      timesMs: [0, 1],
      lats: [0, 1],
      lons: [0, 1],
      speedsMetersPerSecond: [0, 1],
    }),
    'PUT /api/lap-videos/:trackId/:lapId': async () => ({ key: 'vimeo:1', anchors: [] }),
    'PUT /api/comparisons/:comparisonId': async () => ({ name: 'New tyres' }),
    'POST /api/live/sharing': async () => ({ trackId, visibility: 'link' }),
    'POST /api/live/sharing/fixes': async ({ userId }) => {
      const { sharingId } = await startSharing(db, userId, { trackId, visibility: 'link' });
      const { centerLat, centerLon } = KART_TRACK;
      return { sharingId, fixes: [[Date.now(), centerLat, centerLon, 20, null]] };
    },
    'PUT /api/notices/read': async () => ({ untilId: 0 }),
    'PUT /api/notices/settings': async () => ({ muted: [] }),
    'PUT /api/user/avatar': async (as) => ({ avatarURL: as === owner ? waitingImage : await imageOf(as) }),
    'PUT /api/cars/:id/photo': async (as) => ({ photoURL: as === owner ? waitingImage : await imageOf(as) }),
    ...eventBodies,
    'POST /api/pending-files': async () => ({ fileName: 'a.csv', byteCount: 10 }),
    'POST /api/user-cars': async () => ({ modelKey: 'of-the-library' }),
    'POST /api/user-cars/proposals': async () => ({ make: 'Jem', modelFamily: 'Bruja', variant: '1.6' }),
    'POST /api/admin/cars/:carId/merge': async () => ({ intoCarId: libraryCarId }),
    'POST /api/admin/tracks/:trackId/merge': async () => ({ intoTrackId: nearTrackId }),
    'POST /api/admin/invitations': async () => ({ role: 'member' }),
    'POST /api/admin/webhooks': async () => ({
      url: 'https://hooks.example.org/',
      events: ['record_set'],
      format: 'pitboard',
    }),
    'PUT /api/admin/webhooks/:webhookId': async () => ({ isOn: false }),
    'PUT /api/admin/people/:userId/suspension': async () => ({ isSuspended: false }),
    'POST /api/admin/create-tracks': async () => ({ tracks: [NEW_TRACK] }),
    'POST /api/apex/import': async () => ({ tracks: [] }),
    'POST /api/admin/car-library/import': async () => ({ cars: [] }),
    'PATCH /api/sessions/:id': async () => ({ tireCompound: 'rcomp' }),
    'PUT /api/admin/users/:userId/role': async () => ({ role: 'member' }),
    'PATCH /api/admin/tracks/:trackId': async () => ({ location: 'Elsewhere' }),
    'PUT /api/admin/tracks/:trackId/corner-names': async () => ({ corners: [] }),
    'POST /api/tracks/:trackId/laps/:lapId/flags': async () => ({
      reason: 'time',
      sentence: 'Too quick a lap.',
    }),
    'POST /api/tracks/:trackId/laps/:lapId/appeal': async () => ({ sentence: 'It was timed right.' }),
    'POST /api/tracks/:trackId/laps/:lapId/answer': async () => ({ answer: 'It was a dry day.' }),
    'POST /api/admin/tracks/:trackId/laps/:lapId/question': async () => ({ question: 'Which car was it?' }),
    'PUT /api/admin/tracks/:trackId/laps/:lapId/official': async () => ({ source: 'Results of the club.' }),
    'POST /api/admin/tracks/:trackId/laps/:lapId/decision': async () => ({ verdict: 'keep', reason: null }),
  };
  const unknown = ENDPOINTS.filter((endpoint) => endpoint.body && !(nameOf(endpoint) in bodies));
  if (unknown.length > 0) throw new Error(`Say what these calls take: ${unknown.map(nameOf).join(', ')}.`);
  return {
    owner,
    visitor,
    administrator,
    trackId,
    carId,
    sessionId,
    comparisonId,
    waitingImage,
    pathOfOwners: ({ path }) => {
      const ofSession = path.endsWith('/deletion') ? deletedSessionId : sessionId;
      const id = path.startsWith('/api/sessions') ? ofSession : carId;
      const isOfProposal = /^\/api\/admin\/tracks\/:trackId\/(approve|merge)$/.test(path);
      if (isOfProposal) return path.replace(':trackId', proposedTrackId);
      return path.replaceAll(/:(\w+)/g, (_match, name: string) => ({ ...ids, id })[name] ?? 'unknown');
    },
    bodyOf: async (endpoint, as) => bodies[nameOf(endpoint)]?.(as),
  };
}
