import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { readLapFile } from '#engine/formats/recognise.ts';
import { openLapFile } from '#engine/time-lap-file.ts';
import { sessions } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { insertKartUpload } from '#server/testing/kart-upload.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp();

const exportAs = (url: string, format: string, who: Person = null) =>
  app.as(who).get(`${url}/export?as=${format}`);

test.each(['vbo', 'gpx', 'racechrono'])(
  'a guest exports a lap as %s: from line to line, and nothing before or after',
  async (format) => {
    const trackId = await insertKartTrack(app.db);
    const { url, lap, content } = await insertKartUpload(app, trackId);
    const response = await exportAs(url, format);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-disposition']).toMatch(
      new RegExp(`^attachment; filename="${trackId}-lap-${lap.number}\\.(vbo|gpx|csv)"$`),
    );
    const { fixes, clock } = readLapFile(Buffer.from(response.body));
    const [first = 0, last = 0] = [fixes.timesMs[0], fixes.timesMs.at(-1)];
    expect(clock).toBe('utc');
    expect(Math.abs(first - lap.startedAt.getTime())).toBeLessThan(1);
    expect(Math.abs(last - first - lap.lapTimeMs)).toBeLessThan(1);
    const driven = openLapFile(Buffer.from(content)).trace.fixes;
    const within = driven.timesMs.filter((timeMs) => timeMs > first && timeMs < last);
    // Times are rounded to a millisecond, so a fix just at the line may be on either side of it.
    expect(Math.abs(fixes.length - within.length - 2)).toBeLessThanOrEqual(1);
    expect(driven.length).toBeGreaterThan(fixes.length + 100);
  },
);

test('a lap as GeoJSON has its name, its times and one lap', async () => {
  const { url, lap } = await insertKartUpload(app, await insertKartTrack(app.db));
  const response = await exportAs(url, 'geojson');
  expect(response.headers['content-type']).toBe('application/geo+json; charset=utf-8');
  const [feature] = response.json().features;
  expect(feature.properties.laps).toMatchObject([{ number: lap.number, lapTimeMs: lap.lapTimeMs }]);
  expect(feature.properties.coordinateProperties.times).toHaveLength(feature.geometry.coordinates.length);
});

test('a private line is exported for its driver alone', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db));
  await app.db.update(users).set({ keepLinesPrivate: true }).where(eq(users.id, upload.userId));
  for (const who of [null, await insertSignedIn(app.db), await insertSignedIn(app.db, { role: 'owner' })]) {
    const response = await exportAs(upload.url, 'gpx', who);
    expect(response.statusCode).toBe(403);
    expect(response.json().error).toBe('lines_private');
  }
  expect((await exportAs(upload.url, 'gpx', upload)).statusCode).toBe(200);
  await app.db.update(sessions).set({ linesPrivate: false }).where(eq(sessions.id, upload.sessionId));
  expect((await exportAs(upload.url, 'gpx')).statusCode).toBe(200);
});

test('a lap that does not rank is exported for its driver alone, and others do not learn of it', async () => {
  const upload = await insertKartUpload(app, await insertKartTrack(app.db));
  const wish = { laps: [{ lapId: upload.lap.id, isLeftOut: true }] };
  expect((await app.as(upload).patch(`/api/sessions/${upload.sessionId}`, wish)).statusCode).toBe(200);
  for (const who of [null, await insertSignedIn(app.db)])
    expect((await exportAs(upload.url, 'vbo', who)).statusCode).toBe(404);
  expect((await exportAs(upload.url, 'vbo', upload)).statusCode).toBe(200);
});

test('no such lap gets 404, no such format 400', async () => {
  const trackId = await insertKartTrack(app.db);
  const upload = await insertKartUpload(app, trackId);
  expect((await exportAs(`/api/tracks/${trackId}/laps/${randomUUID()}`, 'vbo')).statusCode).toBe(404);
  for (const format of ['', 'csv', 'VBO']) expect((await exportAs(upload.url, format)).statusCode).toBe(400);
  expect((await app.asGuest().get(`${upload.url}/export`)).statusCode).toBe(400);
});
