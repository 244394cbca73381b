import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { leave } from '#server/testing/leave.ts';
import { insertKartUpload } from '#server/testing/kart-upload.ts';
import { driveKart, insertKartTrack } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

const exportAs = (sessionId: string, format: string, who: Person = null) =>
  app.as(who).get(`/api/sessions/${sessionId}/export?as=${format}`);

const TYPES = {
  vbo: ['text/plain; charset=utf-8', 'vbo'],
  gpx: ['application/gpx+xml; charset=utf-8', 'gpx'],
  racechrono: ['text/csv; charset=utf-8', 'csv'],
  geojson: ['application/geo+json; charset=utf-8', 'geojson'],
};

test('a driver exports a session in every format, and the laps are the same to the millisecond', async () => {
  const trackId = await insertKartTrack(app.db);
  const upload = await insertKartUpload(app, trackId);
  const driven = timeLaps(openLapFile(Buffer.from(upload.content)), KART_TRACK).laps;
  for (const [format, [type, suffix]] of Object.entries(TYPES)) {
    const response = await exportAs(upload.sessionId, format, upload);
    expect(response.statusCode, format).toBe(200);
    expect(response.headers['content-type']).toBe(type);
    expect(response.headers['content-disposition']).toBe(
      `attachment; filename="${trackId}-2026-06-06.${suffix}"`,
    );
    expect(response.body).toContain('Kart Track');
    if (format === 'geojson') {
      expect(JSON.parse(response.body).features[0].properties.laps).toHaveLength(driven.length);
      continue;
    }
    const again = timeLaps(openLapFile(Buffer.from(response.body)), KART_TRACK).laps;
    expect(again.map(({ status }) => status)).toEqual(driven.map(({ status }) => status));
    for (const [index, { lapTimeMs }] of again.entries())
      expect(Math.abs(lapTimeMs - (driven[index]?.lapTimeMs ?? 0))).toBeLessThan(1);
  }
  await vi.waitFor(async () => expect(await readdir(app.incomingFolder)).toEqual([]), {
    timeout: 20_000,
  });
});

test('a recording without a date is exported with the date of its session', async () => {
  const drive = driveKart();
  const firstMs = drive.fixes[0]?.timeMs ?? 0;
  const rows = drive.fixes.map(({ timeMs, lat, lon }) => `${(timeMs - firstMs) / 1000},${lat},${lon}`);
  const content = ['time (s),latitude,longitude', ...rows].join('\n');
  const upload = await insertKartUpload(app, await insertKartTrack(app.db), content);
  const { body } = await exportAs(upload.sessionId, 'gpx', upload);
  const session = (await app.as(upload).get(`/api/sessions/${upload.sessionId}`)).json();
  const first = /<time>([^<]+)<\/time>/.exec(body)?.[1] ?? '';
  expect(Math.abs(Date.parse(first) - Date.parse(session.sessionDate))).toBeLessThan(1000);
});

test('moderators export a session only while a flag on one of its laps is open', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db), writeGenericCsv(driveKart()));
  const moderator = await insertSignedIn(app.db, { role: 'moderator' });
  expect((await exportAs(upload.sessionId, 'vbo', moderator)).statusCode).toBe(403);
  const flag = { reason: 'track', sentence: 'Another layout.' };
  const flagged = await app.as(await insertSignedIn(app.db)).post(`${upload.url}/flags`, flag);
  expect(flagged.statusCode, flagged.body).toBe(200);
  expect((await exportAs(upload.sessionId, 'vbo', moderator)).statusCode).toBe(200);
  expect((await exportAs(upload.sessionId, 'vbo', await insertSignedIn(app.db))).statusCode).toBe(403);
  expect((await leave(app, upload)).statusCode).toBe(200);
  expect((await exportAs(upload.sessionId, 'vbo', moderator)).statusCode).toBe(403);
});

test('the own flag of a moderator opens neither the session nor the private line of a lap', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db), writeGenericCsv(driveKart()));
  expect(
    (await app.as(upload).patch(`/api/sessions/${upload.sessionId}`, { linesPrivate: true })).statusCode,
  ).toBe(200);
  const moderator = await insertSignedIn(app.db, { role: 'moderator' });
  const read = async () => {
    const urls = [
      `${upload.url.replace('/api/', '/api/admin/')}/lap-file`,
      `${upload.url}/trace`,
      `${upload.url}/export?as=gpx`,
    ];
    const answers = await Promise.all(urls.map((url) => app.as(moderator).get(url)));
    return [...answers, await exportAs(upload.sessionId, 'vbo', moderator)].map(
      ({ statusCode }) => statusCode,
    );
  };
  const flag = async (person: Person) =>
    (await app.as(person).post(`${upload.url}/flags`, { reason: 'track', sentence: 'Another layout.' }))
      .statusCode;
  expect(await flag(moderator)).toBe(200);
  expect(await read()).toEqual([409, 403, 403, 403]);
  expect(await flag(await insertSignedIn(app.db))).toBe(200);
  expect(await read()).toEqual([200, 200, 200, 200]);
});

test('guests get 401, other drivers and administrators 403, no such session 404, and no such format 400', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db));
  expect((await exportAs(upload.sessionId, 'vbo')).statusCode).toBe(401);
  for (const role of ['member', 'admin', 'owner'] as const)
    expect((await exportAs(upload.sessionId, 'vbo', await insertSignedIn(app.db, { role }))).statusCode).toBe(
      403,
    );
  expect((await exportAs(randomUUID(), 'vbo', upload)).statusCode).toBe(404);
  for (const format of ['', 'exe', '../vbo'])
    expect((await exportAs(upload.sessionId, format, upload)).statusCode).toBe(400);
  expect((await app.as(upload).get(`/api/sessions/${upload.sessionId}/export`)).statusCode).toBe(400);
  expect((await exportAs('no-uuid', 'vbo', upload)).statusCode).toBe(400);
});

test('a session whose lap file is gone gets 404', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db));
  await app.storage.remove(upload.storageKey);
  expect((await exportAs(upload.sessionId, 'gpx', upload)).statusCode).toBe(404);
});
