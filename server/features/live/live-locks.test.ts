import { beforeAll, expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import type { LiveSharing, LiveStateAnswer } from '#contract/live/schemas.ts';
import { endLiveSharing } from '#server/model/live/live-store.ts';
import { startSharing } from '#server/model/live/start-sharing.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let trackId: TrackId;
let ana: SignedIn;
let bo: SignedIn;

beforeAll(async () => {
  trackId = await insertKartTrack(app.db);
  [ana, bo] = [
    await insertSignedIn(app.db, { displayName: 'Ana' }),
    await insertSignedIn(app.db, { displayName: 'Bo' }),
  ];
});

const start = async (who: SignedIn, body: object = {}): Promise<LiveSharing> => {
  const response = await app.as(who).post('/api/live/sharing', { trackId, visibility: 'link', ...body });
  expect([response.statusCode, response.body]).toEqual([200, expect.any(String)]);
  return response.json();
};

const stop = (who: SignedIn) => app.as(who).delete('/api/live/sharing');

const watch = async (code: string): Promise<LiveStateAnswer> =>
  (await app.asGuest().get(`/api/live/${code}`)).json();

const countSessions = async () => (await app.database.pool.query('SELECT FROM live_sessions')).rowCount;

const WAITING = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Waits until a transaction waits for the lock of another one. */
const untilOneWaits = () =>
  expect.poll(async () => (await app.database.pool.query(WAITING)).rowCount, { timeout: 20_000 }).toBe(1);

test('the stop of the last driver waits for one who is starting, whose session goes on', async () => {
  const { code } = await start(ana);
  let stopping: ReturnType<typeof stop> | undefined;
  await app.db.transaction(async (tx) => {
    await startSharing(tx, bo.userId, { trackId, visibility: 'link', code });
    stopping = stop(ana);
    await untilOneWaits();
  });
  expect((await stopping)?.json()).toEqual({ ended: true });
  expect((await watch(code)).drivers.map(({ name }) => name)).toEqual(['Bo']);
  await stop(bo);
  expect(await countSessions()).toBe(0);
});

test('the stop of the last driver leaves a new session to one who is starting', async () => {
  const { code } = await start(ana, { visibility: 'everybody' });
  let starting: Promise<LiveSharing> | undefined;
  await app.db.transaction(async (tx) => {
    await endLiveSharing(tx, [ana.userId]);
    starting = start(bo, { visibility: 'everybody' });
    await untilOneWaits();
  });
  const begun = await starting;
  expect(begun?.code).not.toBe(code);
  expect((await watch(begun?.code ?? '')).drivers.map(({ name }) => name)).toEqual(['Bo']);
  await stop(bo);
});

test('of two sharings that one driver starts at once on two tracks the later one goes on', async () => {
  const otherTrackId = await insertKartTrack(app.db);
  let starting: Promise<LiveSharing> | undefined;
  await app.db.transaction(async (tx) => {
    await startSharing(tx, ana.userId, { trackId, visibility: 'link' });
    starting = start(ana, { trackId: otherTrackId });
    await untilOneWaits();
  });
  const begun = await starting;
  expect((await app.as(ana).get('/api/live/sharing')).json().sharing).toMatchObject({ code: begun?.code });
  expect(await countSessions()).toBe(1);
  await stop(ana);
});
