import { eq } from 'drizzle-orm';
import type { Endpoint } from '#contract/endpoint.ts';
import type { LapId, SessionId, UserId } from '#contract/ids.ts';
import { laps } from '#server/model/laps/schema.ts';
import { insertPassword } from '#server/model/people/credential-store.ts';
import { OWN_ISSUER } from '#server/model/people/identity.ts';
import { insertOneTimeToken } from '#server/model/people/one-time-token-store.ts';
import { refusedFiles } from '#server/model/refused-files/schema.ts';
import { insertWebhook } from '#server/model/webhooks/webhook-store.ts';
import {
  insertApiToken,
  insertCarModel,
  insertDevice,
  insertPasskeyRow,
  insertPendingFile,
  insertSavedComparison,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  insertUserCar,
  type SignedIn,
} from './builders.ts';
import { insertKartTrack, kartCsv } from './kart-uploads.ts';
import { insertEvent } from './race-events.ts';
import { type Strangers, nameOf } from './strangers.ts';
import type { TestApp } from './test-app.ts';

// Makes what a call is about: something real of one person, so that an answer tells who may have or change it.

type Ids = Record<string, string>;

export type HeldThings = {
  /** Makes the thing that a call names, and returns the parameters of its path and query. */
  insertFor: (endpoint: Endpoint, holder: SignedIn) => Promise<Ids>;
  /** Makes a lap with a private line and an open flag. */
  insertFlaggedUpload: (holder: SignedIn) => Promise<Ids>;
};

/** Makes things with the calls of `strangers`: their administrator decides on laps, the other lap of a comparison is their visitor's. */
export function openHeldThings({ as, db }: Pick<TestApp, 'as' | 'db'>, strangers: Strangers): HeldThings {
  const { administrator, visitor } = strangers;

  async function insertLap(userId: UserId) {
    const trackId = await insertTrack(db);
    const sessionId = await insertSession(db, { trackId, userId, laps: [{ lapTimeMs: 61_000 }] });
    return { trackId, sessionId, lapId: await findLap(sessionId) };
  }

  async function findLap(sessionId: SessionId): Promise<LapId> {
    const [lap] = await db.select({ id: laps.id }).from(laps).where(eq(laps.sessionId, sessionId));
    if (!lap) throw new Error('The session has no lap.');
    return lap.id;
  }

  async function deleteLap(holder: SignedIn): Promise<Ids> {
    const { sessionId } = await insertLap(holder.userId);
    checkDone(await as(holder).delete(`/api/sessions/${sessionId}`));
    return { id: sessionId };
  }

  const uploads = onceForEach(uploadLap);
  const flaggedUploads = onceForEach(async (holder) => {
    const ids = await uploadLap(holder);
    checkDone(await flag(ids['trackId'] ?? '', ids['lapId'] ?? ''));
    return ids;
  });

  /** Uploads a lap with a private line, and a public one of somebody else. */
  async function uploadLap(holder: SignedIn): Promise<Ids> {
    const trackId = await insertKartTrack(db);
    const upload = async (who: SignedIn) => (await as(who).uploadLaps(trackId, kartCsv())).json().results[0];
    const [{ sessionId, bestLapId }, other] = [await upload(holder), await upload(visitor)];
    checkDone(await as(holder).patch(`/api/sessions/${sessionId}`, { linesPrivate: true }));
    return { trackId, id: sessionId, lapId: bestLapId, with: other.bestLapId };
  }

  /** Flags a lap as a new person, because the flags of one person a day are limited. */
  const flag = async (trackId: string, lapId: string) =>
    as(await insertSignedIn(db, { issuer: OWN_ISSUER })).post(`/api/tracks/${trackId}/laps/${lapId}/flags`, {
      reason: 'other',
      sentence: 'Looks shorter than it was.',
    });

  /** Inserts a flagged lap, and lets a moderator do something about it before the call of the test. */
  async function insertFlagged(userId: UserId, act?: { method: 'POST' | 'PUT'; end: string; body: object }) {
    const { trackId, lapId } = await insertLap(userId);
    checkDone(await flag(trackId, lapId));
    const url = `/api/admin/tracks/${trackId}/laps/${lapId}`;
    if (act) checkDone(await as(administrator).send(act.method, `${url}/${act.end}`, act.body));
    return { trackId, lapId };
  }

  const rejection = { verdict: 'reject', reason: 'The lap is shorter than the track.' };
  const rejected = { method: 'POST', end: 'decision', body: rejection } as const;
  const asked = { method: 'POST', end: 'question', body: { question: 'Which car was it?' } } as const;
  const confirmed = { method: 'PUT', end: 'official', body: { source: 'Results of the club.' } } as const;

  const insertAccount = async () => {
    const userId = await insertUser(db, { issuer: OWN_ISSUER });
    await insertPassword(db, { userId, email: `${userId}@held.example`, hash: 'none' });
    return { userId };
  };
  /** The last passkey of an account cannot be removed. */
  const insertPasskeys = async ({ userId }: SignedIn) => {
    await insertPasskeyRow(db, userId);
    return { passkeyId: await insertPasskeyRow(db, userId) };
  };
  const insertHook = async () => {
    const hook = { url: 'https://hooks.example.org/', events: ['record_set' as const] };
    return { webhookId: (await insertWebhook(db, { ...hook, format: 'pitboard', secret: 'secret' })).id };
  };
  const insertProposal = async () => ({ trackId: await insertTrack(db, { status: 'community_submitted' }) });

  /** Sends a file as a new person, because those of one person a day are limited. */
  const sendRefusedFile = async () => {
    const sender = await insertSignedIn(db, { issuer: OWN_ISSUER });
    const file = { name: 'log.bin', content: 'unreadable' };
    checkDone(await as(sender).postForm('/api/refused-files', [['file', file]]));
    const [row] = await db.select().from(refusedFiles).where(eq(refusedFiles.userId, sender.userId));
    return { fileId: String(row?.id) };
  };

  const shareLive = onceForEach(async (holder) => {
    const trackId = await insertTrack(db);
    const answer = await as(holder).post('/api/live/sharing', { trackId, visibility: 'link' });
    checkDone(answer);
    return { code: answer.json().code };
  });

  /** Makes an event by a new moderator, because the changes of one person a minute are limited. */
  const makeEvent = async (given: { driver?: SignedIn; state?: 'open' }) => {
    const organiser = await insertSignedIn(db, { issuer: OWN_ISSUER, role: 'moderator' });
    return await insertEvent({ as }, { organiser, trackId: await insertTrack(db), ...given });
  };

  /** The first entry whose text is part of the name of a call makes the thing of the call. */
  const makers: [part: string, make: (holder: SignedIn) => Promise<Ids>][] = [
    // A set that is fetched cannot be fetched again, so only requests name one that exists.
    ['track-sets/:setName/requests', async () => ({ setName: 'open-racetrack-db' })],
    ['/api/live/:code', shareLive],
    ['POST /api/events/:eventId/entries', () => makeEvent({})],
    ['/api/events/:eventId/entries', (driver) => makeEvent({ driver, state: 'open' })],
    // A class with entries stays.
    ['PATCH /api/events/:eventId/runs', (driver) => makeEvent({ driver })],
    ['PATCH /api/events/:eventId', () => makeEvent({})],
    ['/api/events/:eventId', (driver) => makeEvent({ driver })],
    ['/laps/:lapId/appeal', ({ userId }) => insertFlagged(userId, rejected)],
    ['/laps/:lapId/answer', ({ userId }) => insertFlagged(userId, asked)],
    ['POST /api/tracks/:trackId/laps/:lapId/flags', ({ userId }) => insertLap(userId)],
    [
      'DELETE /api/admin/tracks/:trackId/laps/:lapId/decision',
      ({ userId }) => insertFlagged(userId, rejected),
    ],
    [
      'DELETE /api/admin/tracks/:trackId/laps/:lapId/official',
      ({ userId }) => insertFlagged(userId, confirmed),
    ],
    ['GET /api/admin/tracks/:trackId/laps/:lapId', flaggedUploads],
    ['/api/admin/tracks/:trackId/laps/:lapId', ({ userId }) => insertFlagged(userId)],
    ['/api/admin/tracks/:trackId', insertProposal],
    [':trackId', uploads],
    ['GET /api/sessions/:id', uploads],
    ['sessions/:id/deletion', deleteLap],
    ['sessions/:id', async ({ userId }) => ({ id: (await insertLap(userId)).sessionId })],
    ['refused-files/:fileId', sendRefusedFile],
    ['pending-files/:fileToken', async ({ userId }) => ({ fileToken: await insertPendingFile(db, userId) })],
    ['tokens/:tokenId', async ({ userId }) => ({ tokenId: (await insertApiToken(db, userId)).id })],
    ['user-cars/:id', async ({ userId }) => ({ id: await insertUserCar(db, { userId }) })],
    ['cars/:id/photo', async ({ userId }) => ({ id: await insertUserCar(db, { userId }) })],
    ['passkeys/:passkeyId', insertPasskeys],
    ['devices/:deviceId', async ({ userId }) => ({ deviceId: await insertDevice(db, userId) })],
    [
      'comparisons/:comparisonId',
      async ({ userId }) => ({ comparisonId: await insertSavedComparison(db, userId) }),
    ],
    ['admin/people/:userId', insertAccount],
    ['admin/users/:userId', insertAccount],
    ['webhooks/:webhookId', insertHook],
    [
      'invitations/:invitationId',
      async () => ({
        invitationId: (await insertOneTimeToken(db, { purpose: 'invitation', lastsMs: 60_000 })).id,
      }),
    ],
    [
      'cars/:carId',
      async () => ({ carId: await insertCarModel(db, { make: 'Jem', status: 'community_submitted' }) }),
    ],
  ];

  return {
    insertFor: async (endpoint, holder) => {
      const [, make] = makers.find(([part]) => nameOf(endpoint).includes(part)) ?? [];
      return { userId: holder.userId, idOrName: holder.userId, ...(await make?.(holder)) };
    },
    insertFlaggedUpload: flaggedUploads,
  };
}

/** Returns a function that makes something once for each person. */
function onceForEach(make: (holder: SignedIn) => Promise<Ids>): (holder: SignedIn) => Promise<Ids> {
  const made = new Map<UserId, Promise<Ids>>();
  return (holder) => {
    const ids = made.get(holder.userId) ?? make(holder);
    made.set(holder.userId, ids);
    return ids;
  };
}

function checkDone({ statusCode, body }: { statusCode: number; body: string }): void {
  if (statusCode !== 200) throw new Error(`The thing cannot be prepared: ${body}`);
}
