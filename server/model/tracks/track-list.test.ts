import { gunzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { asTrackId } from '#contract/testing/ids.ts';
import type { TrackId } from '#contract/ids.ts';
import type { ListedTrack } from '#contract/tracks/schemas.ts';
import { loadLibraries } from '#server/features/library/load-libraries.ts';
import { tracks } from './schema.ts';
import { insertSession, insertSignedIn, insertTrack, insertUser } from '#server/testing/builders.ts';
import { useTestApp } from '#server/testing/test-app.ts';
import { openTrackList } from './track-list.ts';
import { listOwnTrackIds } from './track-list-store.ts';

const app = useTestApp();

beforeAll(async () => {
  await loadLibraries(app.db);
});

test('after every change the cached list is the one that a server without a cache builds, for guests and drivers', async () => {
  const { db, pool } = app.database;
  const { userId, headers } = await insertSignedIn(db);
  const drawn = await insertTrack(db, { outline: null });
  const [first, second, third] = (await listed()).map(({ id }) => id);
  const changes = [
    async () => insertSession(db, { trackId: first ?? asTrackId(''), userId, laps: [{ lapTimeMs: 60_000 }] }),
    async () =>
      insertSession(db, {
        trackId: second ?? asTrackId(''),
        userId: await insertUser(db),
        laps: [{ lapTimeMs: 60_000 }],
      }),
    async () =>
      insertSession(db, { trackId: second ?? asTrackId(''), userId, laps: [{ lapTimeMs: 61_000 }] }),
    async () => insertTrack(db, { name: 'A new one', configuration: null }),
    async () => insertTrack(db, { name: 'A new one', configuration: 'Short' }),
    async () => rename(third ?? asTrackId(''), 'Zz “Ring” \\ 100 %'),
    async () => db.delete(tracks).where(eq(tracks.id, third ?? asTrackId(''))),
    // A faster lap draws its outline like this.
    async () =>
      draw(drawn, [
        [50, 8],
        [50.1, 8],
      ]),
    async () =>
      draw(drawn, [
        [51, 8],
        [51.1, 8],
      ]),
  ];
  for (const change of changes) {
    await change();
    for (const asker of [null, { userId, headers }]) {
      const response = await app.as(asker).get('/api/tracks', { 'accept-encoding': 'gzip' });
      const own = asker ? await listOwnTrackIds(pool, asker.userId) : [];
      const fresh = await openTrackList()(app.database, asker?.userId ?? null);
      expect(gunzipSync(response.rawPayload).equals(fresh.json)).toBe(true);
      expect(response.headers.etag).toBe(fresh.etag);
      const inOrder = await pool.query<{ id: string }>(
        'SELECT id FROM tracks ORDER BY id = ANY($1) DESC, entry_count DESC, name, configuration, id',
        [own],
      );
      const list: ListedTrack[] = JSON.parse(fresh.json.toString());
      expect(list.map(({ id }) => id)).toEqual(inOrder.rows.map(({ id }) => id));
    }
  }
  expect((await listed()).find(({ id }) => id === drawn)?.outline).toEqual([
    [51, 8],
    [51.1, 8],
  ]);

  async function listed(): Promise<ListedTrack[]> {
    return (await app.asGuest().get('/api/tracks')).json();
  }
  async function rename(trackId: TrackId, name: string): Promise<void> {
    await db.update(tracks).set({ name, definedAt: new Date() }).where(eq(tracks.id, trackId));
  }
  async function draw(trackId: string, points: [number, number][]): Promise<void> {
    await pool.query('UPDATE tracks SET thin_outline = $2, board_version = board_version + 1 WHERE id = $1', [
      trackId,
      JSON.stringify(points),
    ]);
  }
});
