import { beforeAll, expect, test } from 'vitest';
import { videoEndpoints } from '#contract/lap-view/videos.ts';
import { LIMITS } from '#contract/limits.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { insertSignedIn, type SignedIn } from '#server/testing/builders.ts';
import { insertKartUpload, type KartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();
let upload: KartUpload;
let reader: SignedIn;
let url: string;
let startMs: number;

beforeAll(async () => {
  upload = await insertKartUpload(app, await insertKartTrack(app.db), writeGenericCsv(drive()));
  reader = await insertSignedIn(app.db);
  url = `/api/lap-videos/${upload.trackId}/${upload.lap.id}`;
  startMs = upload.lap.startedAt.getTime();
});

const STARTED_AT_MS = Date.UTC(2026, 4, 16, 9, 30);

/** Drives the session of the upload; another receiver in the same car errs otherwise. */
function drive(other: { receiver?: { rateHz: number }; receiverSeed?: number } = {}) {
  const around = { leadInMeters: 60, leadOutMeters: 60, startTimeMs: STARTED_AT_MS };
  return simulateDrive(KART_TRACK, { seed: 4_711, laps: 3, ...around, ...other });
}

const KEY = `file:64000000000:${'a'.repeat(64)}`;
const anchors = (...seconds: number[]) =>
  seconds.map((videoSeconds) => ({ videoSeconds, timeMs: startMs + videoSeconds * 1_000 }));

const save = (who: Person, body: object) => app.as(who).put(url, body);

async function list(who: Person) {
  return videoEndpoints.list.response.parse((await app.as(who).get(url)).json());
}

test('the anchors of its driver put a video in step for everybody', async () => {
  expect((await save(upload, { key: KEY, anchors: anchors(12.34) })).json()).toEqual({ saved: true });
  expect((await save(upload, { key: KEY, anchors: anchors(12, 312) })).statusCode).toBe(200);
  const seen = await list(reader);
  expect(seen).toMatchObject({
    sessionId: upload.sessionId,
    isOwn: false,
    mayProve: false,
    utcOffsetMinutes: expect.any(Number),
    videos: [{ key: KEY, anchors: anchors(12, 312) }],
  });
  expect(Math.abs(seen.lapStartMs - startMs)).toBeLessThan(1);
  expect(seen.sessionStartMs).toBeLessThan(seen.lapStartMs);
  expect(await list(upload)).toMatchObject({ isOwn: true, mayProve: true });
  expect((await app.asGuest().get(url)).statusCode).toBe(200);
  await save(upload, { key: KEY, anchors: [] });
  expect((await list(reader)).videos).toEqual([]);
});

test('guests get 401 and other drivers 403, and nothing changes', async () => {
  const body = { key: KEY, anchors: anchors(1) };
  expect((await app.asGuest().put(url, body)).statusCode).toBe(401);
  expect((await save(reader, body)).statusCode).toBe(403);
  expect((await save(await insertSignedIn(app.db, { role: 'owner' }), body)).statusCode).toBe(403);
  expect((await list(upload)).videos).toEqual([]);
});

test('bad keys and anchors are refused', async () => {
  const [anchor] = anchors(1);
  for (const body of [
    { key: KEY },
    { key: 'file:0:aa', anchors: [anchor] },
    { key: 'https://video.example', anchors: [anchor] },
    { key: 'youtube:<script>---', anchors: [anchor] },
    { key: KEY, anchors: anchors(1, 20, 40) },
    { key: KEY, anchors: anchors(1, 2) },
    { key: KEY, anchors: [{ videoSeconds: 1 }] },
    { key: KEY, anchors: [{ ...anchor, note: 'x'.repeat(1e5) }] },
    { key: KEY, anchors: [{ videoSeconds: 'NaN', timeMs: startMs }] },
    { key: KEY, anchors: [{ videoSeconds: 1, timeMs: startMs + 3 * 86_400_000 }] },
    { key: KEY, anchors: [{ videoSeconds: LIMITS.videoSecondsMax + 1, timeMs: startMs }] },
    { key: KEY, anchors: [...anchors(0), { videoSeconds: 100, timeMs: startMs + 200_000 }] },
  ])
    expect((await save(upload, body)).statusCode, JSON.stringify(body).slice(0, 200)).toBe(400);
  const unknown = `/api/lap-videos/${upload.trackId}/2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d934`;
  expect((await app.as(upload).put(unknown, { key: KEY, anchors: [] })).statusCode).toBe(404);
  expect((await app.as(upload).get(unknown)).statusCode).toBe(404);
});

test('a session has so many videos at most, also when they are saved at once', async () => {
  const saved = await Promise.all(
    Array.from({ length: LIMITS.videosPerSessionMax + 3 }, (_, index) =>
      save(upload, { key: `vimeo:${index + 1}`, anchors: anchors(1) }),
    ),
  );
  const refused = saved.filter(({ statusCode }) => statusCode === 409);
  expect(refused).toHaveLength(3);
  expect((await list(upload)).videos).toHaveLength(LIMITS.videosPerSessionMax);
});

test('private lines hide when the lap began, and a removed session takes its videos with it', async () => {
  const own = await insertKartUpload(app, await insertKartTrack(app.db));
  const ownUrl = `/api/lap-videos/${own.trackId}/${own.lap.id}`;
  const timeMs = own.lap.startedAt.getTime();
  await app.as(own).put(ownUrl, { key: KEY, anchors: [{ videoSeconds: 3, timeMs }] });
  await app.as(own).patch(`/api/sessions/${own.sessionId}`, { linesPrivate: true });
  expect((await app.as(reader).get(ownUrl)).statusCode).toBe(403);
  expect((await app.as(own).get(ownUrl)).statusCode).toBe(200);
  expect((await app.as(own).delete(`/api/sessions/${own.sessionId}`)).statusCode).toBe(200);
  const { rows } = await app.database.pool.query(
    'SELECT count(*)::int AS count FROM session_videos WHERE session_id = $1',
    [own.sessionId],
  );
  expect(rows).toEqual([{ count: 0 }]);
});

/** Films the drive of the upload: another receiver in the same car, which wanders by half a metre and is a metre off. */
function film(laterMs = 0, wander = 1) {
  const { fixes } = drive({ receiver: { rateHz: 18.2 }, receiverSeed: 91 });
  const around = fixes.filter(({ timeMs }) => Math.abs(timeMs - startMs) < 90_000);
  return {
    camera: 'HERO9',
    timesMs: around.map(({ timeMs }) => timeMs + laterMs),
    lats: around.map(({ timeMs, lat }) => lat + (wander * (1 + 0.5 * Math.sin(timeMs / 7_000))) / 111_195),
    lons: around.map(({ timeMs, lon }) => lon + (wander * 0.5 * Math.cos(timeMs / 9_000)) / 70_000),
    speedsMetersPerSecond: around.map(
      ({ timeMs, speedMetersPerSecond }) => speedMetersPerSecond + wander * 0.2 * Math.sin(timeMs / 900),
    ),
  };
}

const prove = (who: Person, body: object) => app.as(who).post(`${url}/evidence`, body);

test('a video that its driver opens is evidence where the server finds that its positions agree', async () => {
  const agreed = (await prove(upload, film())).json();
  expect(agreed, agreed.sentence).toMatchObject({ agrees: true });
  // The browser does not compare a proven lap again.
  expect((await list(upload)).mayProve).toBe(false);
  const lap = (await app.as(reader).get(upload.url)).json();
  expect(lap.evidence).toContain('video-gps');
  expect(lap.grantedEvidence).toEqual([
    {
      kind: 'video-gps',
      source: 'HERO9; its driver opened the video, and the server compared its positions',
    },
  ]);
});

test('a video of another time or place, and a copy of the lap file, are no evidence', async () => {
  const nextUrl = `/api/lap-videos/${upload.trackId}/${upload.nextLap.id}/evidence`;
  const { lats, ...rest } = film();
  for (const body of [film(20_000), { ...rest, lats: lats.map((lat) => lat + 0.001) }, film(0, 0)]) {
    const answer = (await app.as(upload).post(nextUrl, body)).json();
    expect(answer).toMatchObject({ agrees: false, sentence: expect.stringMatching(/^The camera .+\.$/) });
  }
  expect(
    (await app.as(reader).get(`/api/tracks/${upload.trackId}/laps/${upload.nextLap.id}`)).json().evidence,
  ).not.toContain('video-gps');
});

test('only its driver proves a lap by a video, and bad positions are refused', async () => {
  expect((await app.asGuest().post(`${url}/evidence`, film())).statusCode).toBe(401);
  expect((await prove(reader, film())).statusCode).toBe(403);
  const good = film();
  for (const body of [
    {},
    { ...good, camera: '<b>' },
    { ...good, lats: good.lats.slice(1) },
    { ...good, timesMs: good.timesMs.toReversed() },
    { ...good, lons: good.lons.map(() => 'east') },
    { ...good, timesMs: [], lats: [], lons: [], speedsMetersPerSecond: [] },
  ])
    expect((await prove(upload, body)).statusCode, JSON.stringify(body).slice(0, 100)).toBe(400);
});

test('pages may show the players of YouTube and Vimeo alone, and play files of the device', async () => {
  const policy = String((await app.asGuest().get('/api/health')).headers['content-security-policy']);
  expect(/frame-src [^;]*/.exec(policy)?.[0]).toBe(
    "frame-src 'self' https://www.youtube-nocookie.com https://player.vimeo.com",
  );
  expect(policy).toContain("media-src 'self' blob:");
  expect(policy).toContain("script-src 'self'");
});
