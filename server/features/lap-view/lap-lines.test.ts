import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { TrackId } from '#contract/ids.ts';
import { type LapComparison, lapComparisonSchema } from '#contract/lap-view/comparison.ts';
import { lapLinesSchema, type LapTrace, lapTraceSchema, lapViewSchema } from '#contract/lap-view/schemas.ts';
import { fromDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { planeAround, planeX, planeY } from '#engine/geo.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { KART_TRACK, kartTrackAt } from '#engine/testing/kart-track.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { sessions } from '#server/model/laps/schema.ts';
import { users } from '#server/model/people/schema.ts';
import { insertSignedIn } from '#server/testing/builders.ts';
import { insertKartTrack } from '#server/testing/kart-uploads.ts';
import { insertKartUpload, type KartUpload } from '#server/testing/kart-upload.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { packTraces } from '#server/model/laps/timing/session-traces.ts';
import { putTraces } from '#server/model/laps/trace-storage.ts';

const app = useTestApp();
const guest = app.asGuest();

const status = async (url: string) => (await guest.get(url)).statusCode;

const insertUpload = (trackId: TrackId) => insertKartUpload(app, trackId);

type Columns = Omit<LapTrace, 'latSteps' | 'lonSteps'> & { lats: number[]; lons: number[] };

async function getTrace({ url }: Pick<KartUpload, 'url'>, who: Person = null): Promise<Columns> {
  const response = await app.as(who).get(`${url}/trace`);
  expect(response.statusCode).toBe(200);
  const { latSteps, lonSteps, ...columns } = lapTraceSchema.strict().parse(response.json());
  return { ...columns, lats: fromDegreeSteps(latSteps), lons: fromDegreeSteps(lonSteps) };
}

async function compare(
  { url }: Pick<KartUpload, 'url'>,
  lapIds: string[],
  who: Person = null,
): Promise<LapComparison> {
  const response = await app.as(who).get(`${url}/comparison?with=${lapIds.join()}`);
  expect(response.statusCode).toBe(200);
  return lapComparisonSchema.strict().parse(response.json());
}

const getLines = async (url: string, who: Person = null) => {
  const response = await app.as(who).get(`${url}/lines`);
  expect(response.statusCode).toBe(200);
  return lapLinesSchema.strict().parse(response.json());
};

/** Two drivers with the URLs and ids of their best laps; the first has the record. */
async function insertRecordAndSlower(trackId: TrackId) {
  const uploads = [await insertUpload(trackId), await insertUpload(trackId)];
  const drivers = [];
  for (const { url, userId, headers } of uploads) {
    const { driverBest, record } = lapViewSchema.parse((await guest.get(url)).json());
    if (!driverBest || !record) throw new Error('Both laps rank.');
    const { lapId } = driverBest;
    const lapUrl = `/api/tracks/${trackId}/laps/${lapId}`;
    drivers.push({ userId, headers, lapId, url: lapUrl, isRecord: record.lapId === lapId });
  }
  const [record, slower] = drivers.toSorted((a, b) => Number(b.isRecord) - Number(a.isRecord));
  if (!record || !slower) throw new Error('There are two drivers.');
  return { record, slower, laps: uploads.flatMap(({ lap, nextLap }) => [lap.id, nextLap.id]) };
}

const linePlane = () => {
  const { startFinishLine } = KART_TRACK;
  if (!startFinishLine) throw new Error('The kart track has a line.');
  return { plane: planeAround(startFinishLine.a), line: startFinishLine };
};

/** How far a position is from the start/finish line, seen along the way. */
function metersFromLine(lat = Number.NaN, lon = Number.NaN): number {
  const { plane, line } = linePlane();
  const [x, y] = [planeX(plane, line.b.lon), planeY(plane, line.b.lat)];
  return Math.abs(planeX(plane, lon) * y - planeY(plane, lat) * x) / Math.hypot(x, y);
}

test('a trace runs from line to line, with a position for every fix in between', async () => {
  const upload = await insertUpload(await insertKartTrack(app.db));
  const trace = await getTrace(upload);
  const { timesMs, meters, lats, lons, speedsKmh } = trace;
  const { lap } = upload;

  expect(new Set([meters, lats, lons, speedsKmh].map(({ length }) => length))).toEqual(
    new Set([timesMs.length]),
  );
  // At 10 Hz.
  expect(timesMs.length).toBeGreaterThan(lap.lapTimeMs / 100);
  expect(timesMs.length).toBeLessThan(lap.lapTimeMs / 100 + 4);
  expect(timesMs[0]).toBe(0);
  expect(Math.abs((timesMs.at(-1) ?? 0) - lap.lapTimeMs)).toBeLessThanOrEqual(0.5);
  expect(timesMs).toEqual(timesMs.toSorted((a, b) => a - b));
  expect(meters[0]).toBeCloseTo(0, 0);
  expect(meters).toEqual(meters.toSorted((a, b) => a - b));
  for (const end of [0, -1]) expect(metersFromLine(lats.at(end), lons.at(end))).toBeLessThan(1.5);
  expect(Math.min(...speedsKmh)).toBeGreaterThan(10);
  expect(Math.max(...speedsKmh)).toBeLessThan(250);
});

/** The positions of an upload's file within its best lap, and those before and after it. */
function positionsOf({ content, lap }: KartUpload) {
  const { fixes } = openLapFile(Buffer.from(content)).trace;
  const startMs = lap.startedAt.getTime();
  const keys = positionKeys({ lats: [...fixes.lats], lons: [...fixes.lons] });
  const isWithin = (timeMs: number) => timeMs > startMs - 1 && timeMs < startMs + lap.lapTimeMs + 1;
  const pick = (wanted: boolean) =>
    new Set(keys.filter((_, fix) => isWithin(fixes.timesMs[fix] ?? 0) === wanted));
  return { inside: pick(true), outside: pick(false) };
}

const positionKeys = ({ lats, lons }: Pick<Columns, 'lats' | 'lons'>) =>
  lats.map((lat, index) => `${lat.toFixed(6)} ${lons[index]?.toFixed(6)}`);

test('nothing before the lap and nothing after it can be seen, in a trace or a comparison', async () => {
  const trackId = await insertKartTrack(app.db);
  const [upload, other] = [await insertUpload(trackId), await insertUpload(trackId)];
  const { inside, outside } = positionsOf(upload);
  expect(outside.size).toBeGreaterThan(100);
  const trace = await getTrace(upload, other);
  const seen = positionKeys(trace).slice(1, -1);
  expect(seen.filter((key) => !inside.has(key))).toEqual([]);
  expect(seen.filter((key) => outside.has(key) && !inside.has(key))).toEqual([]);

  const { reference } = await compare(other, [upload.lap.id], other);
  const [lats, lons] = [fromDegreeSteps(reference.latSteps), fromDegreeSteps(reference.lonSteps)];
  for (const end of [0, -1]) expect(metersFromLine(lats.at(end), lons.at(end))).toBeLessThan(5);
});

test('the parts of an uncertainty add up to the whole', async () => {
  const { url, lap } = await insertUpload(await insertKartTrack(app.db));
  const { uncertaintyParts } = lapViewSchema.parse((await guest.get(url)).json());
  const whole = Math.hypot(...Object.values(uncertaintyParts ?? {}));
  expect(Math.ceil(whole)).toBe(lap.uncertaintyMs);
  expect(uncertaintyParts?.noiseMs).toBeGreaterThan(0);
});

test('a comparison ends at the difference of the lap times and says where time is lost', async () => {
  const trackId = await insertKartTrack(app.db);
  const uploads = [await insertUpload(trackId), await insertUpload(trackId), await insertUpload(trackId)];
  const [first, ...others] = uploads;
  if (!first) throw new Error('There are three.');
  const lapIds = [first.nextLap.id, ...others.map(({ lap }) => lap.id)];
  const comparison = await compare(first, lapIds);
  const { reference, laps: compared, corners, stretches, placesToGain } = comparison;

  expect(reference).toMatchObject({ lapId: first.lap.id, lapTimeMs: first.lap.lapTimeMs });
  expect(compared.map(({ lapId }) => lapId)).toEqual(lapIds);
  for (const { gapMs, bandMs, speedsKmh, lapTimeMs } of compared) {
    expect(new Set([gapMs, bandMs, speedsKmh].map(({ length }) => length))).toEqual(
      new Set([reference.meters.length]),
    );
    expect(gapMs[0]).toBeCloseTo(0, 5);
    expect(gapMs.at(-1)).toBe(lapTimeMs - first.lap.lapTimeMs);
    expect(Math.min(...bandMs)).toBeGreaterThanOrEqual(0);
  }
  expect(reference.elapsedMs.at(-1)).toBe(first.lap.lapTimeMs);
  // Both laps are from one file, so from one receiver.
  expect(compared[0]?.offsetMeters).toEqual({ east: 0, north: 0 });
  // An oval.
  expect(corners).toHaveLength(2);
  expect(corners.map(({ number }) => number)).toEqual(corners.map((_, index) => index + 1));
  expect(stretches.map(({ startMeters }) => startMeters)).toEqual([
    0,
    ...stretches.slice(0, -1).map(({ endMeters }) => endMeters),
  ]);
  expect(stretches.at(-1)?.endMeters).toBe(reference.meters.at(-1));
  for (const stretch of stretches) {
    expect(stretch.laps).toHaveLength(4);
    expect(stretch.laps[0]).toMatchObject({ lostMs: 0, bandMs: 0, cause: null });
    const start = reference.meters.indexOf(stretch.startMeters);
    expect(stretch.laps[0]?.startKmh).toBe(reference.speedsKmh[start]);
    expect(stretch.laps[1]?.startKmh).toBe(compared[0]?.speedsKmh[start]);
  }
  compared.forEach(({ gapMs }, lap) => {
    const lostMs = stretches.reduce((sum, { laps }) => sum + (laps[lap + 1]?.lostMs ?? 0), 0);
    expect(lostMs).toBe(gapMs.at(-1));
  });
  expect(placesToGain).toHaveLength(3);
  placesToGain.forEach((places, lap) => {
    for (const index of places) {
      const { lostMs = 0, bandMs = 0 } = stretches[index]?.laps[lap + 1] ?? {};
      expect(lostMs).toBeGreaterThan(bandMs);
    }
  });
});

test('private lines are refused and say so, to administrators too; the driver goes on seeing them', async () => {
  const trackId = await insertKartTrack(app.db);
  const [hidden, other] = [await insertUpload(trackId), await insertUpload(trackId)];
  const administrator = await insertSignedIn(app.db, { isAdmin: true });
  // Once before, so that every cache has it.
  await getTrace(hidden);
  await compare(other, [hidden.lap.id]);
  await app.db.update(users).set({ keepLinesPrivate: true }).where(eq(users.id, hidden.userId));

  const refused = { error: 'lines_private', fields: { lapId: hidden.lap.id } };
  for (const headers of [{}, other.headers, administrator.headers]) {
    for (const url of [
      `${hidden.url}/trace`,
      `${hidden.url}/comparison?with=${other.lap.id}`,
      `${other.url}/comparison?with=${other.nextLap.id},${hidden.lap.id}`,
    ]) {
      const response = await app.as({ headers }).get(url);
      expect(response.statusCode).toBe(403);
      expect(response.json()).toMatchObject(refused);
    }
  }
  await getTrace(hidden, hidden);
  await compare(hidden, [other.lap.id], hidden);
  await app.db.update(sessions).set({ linesPrivate: false }).where(eq(sessions.id, hidden.sessionId));
  await getTrace(hidden);
});

test('the lines of a lap are its comparison with the lap that is offered first, or its trace alone', async () => {
  const trackId = await insertKartTrack(app.db);
  const { record, slower, laps } = await insertRecordAndSlower(trackId);

  expect(await getLines(record.url)).toEqual({
    comparison: null,
    trace: (await guest.get(`${record.url}/trace`)).json(),
  });
  expect(await getLines(slower.url)).toEqual({
    comparison: await compare(record, [slower.lapId]),
    trace: null,
  });
  // The viewer's own best comes before the record.
  const next = laps.find((lapId) => lapId !== record.lapId && lapId !== slower.lapId);
  const nextUrl = `/api/tracks/${trackId}/laps/${next}`;
  expect((await getLines(nextUrl, slower)).comparison?.reference.lapId).toBe(slower.lapId);
  expect((await getLines(nextUrl)).comparison?.reference.lapId).toBe(record.lapId);
});

test('the lines of a lap hide private lines: its own and those of the other lap', async () => {
  const trackId = await insertKartTrack(app.db);
  const { record, slower } = await insertRecordAndSlower(trackId);
  await getLines(slower.url);
  await app.db.update(users).set({ keepLinesPrivate: true }).where(eq(users.id, record.userId));
  expect(await getLines(record.url, slower)).toEqual({ comparison: null, trace: null });
  const seen = await getLines(slower.url);
  expect([seen.comparison, seen.trace?.timesMs[0]]).toEqual([null, 0]);
});

test('a lap that does not rank shows its line to its driver only', async () => {
  const trackId = await insertKartTrack(app.db);
  const [upload, other] = [await insertUpload(trackId), await insertUpload(trackId)];
  const administrator = await insertSignedIn(app.db, { isAdmin: true });
  const lapId = upload.nextLap.id;
  const url = `/api/tracks/${trackId}/laps/${lapId}`;
  await getTrace({ url }, other);
  const leftOut = await app
    .as(upload)
    .patch(`/api/sessions/${upload.sessionId}`, { laps: [{ lapId, isLeftOut: true }] });
  expect(leftOut.statusCode).toBe(200);
  await getTrace({ url }, upload);
  expect((await app.as(administrator).get(`${url}/trace`)).json()).toMatchObject({ error: 'not_allowed' });
  for (const headers of [{}, other.headers]) {
    expect((await app.as({ headers }).get(`${url}/trace`)).statusCode).toBe(404);
    expect((await app.as({ headers }).get(`${url}/lines`)).statusCode).toBe(404);
    expect((await app.as({ headers }).get(`${other.url}/comparison?with=${lapId}`)).statusCode).toBe(404);
  }
});

const post = async (url: string, who: Pick<KartUpload, 'headers'>, payload: object) => {
  const { statusCode } = await app.as(who).post(url, payload);
  expect(statusCode).toBe(200);
};

test('moderators see the line of a rejected lap under appeal, others do not', async () => {
  const trackId = await insertKartTrack(app.db);
  const [upload, other] = [await insertUpload(trackId), await insertUpload(trackId)];
  const administrator = await insertSignedIn(app.db, { isAdmin: true });
  const sentence = 'The times of that day are published.';
  const trace = async (who: { headers: object }) => (await app.as(who).get(`${upload.url}/trace`)).statusCode;
  await app.db.update(users).set({ keepLinesPrivate: true }).where(eq(users.id, upload.userId));
  expect(await trace(administrator)).toBe(403);

  await post(`${upload.url}/flags`, other, { reason: 'time', sentence });
  expect([await trace(administrator), await trace(other)]).toEqual([200, 403]);
  const decisionUrl = `${upload.url.replace('/api/', '/api/admin/')}/decision`;
  await post(decisionUrl, administrator, { verdict: 'reject', reason: sentence });
  expect(await trace(administrator)).toBe(403);
  await post(`${upload.url}/appeal`, upload, { sentence });
  expect([await trace(administrator), await trace(other)]).toEqual([200, 404]);
  await compare(upload, [other.lap.id], administrator);
  expect((await app.as(administrator).get(upload.url)).json()).toMatchObject({ canBeCompared: true });
});

test('laps that were driven elsewhere do not compare', async () => {
  const trackId = await insertKartTrack(app.db);
  const [upload, other] = [await insertUpload(trackId), await insertUpload(trackId)];
  const elsewhere = kartTrackAt({ lat: KART_TRACK.centerLat + 0.01, lon: KART_TRACK.centerLon });
  const around = { leadInMeters: 60, leadOutMeters: 60 };
  const drive = simulateDrive(elsewhere, { seed: 7, laps: 3, startTimeMs: Date.UTC(2026, 1, 1), ...around });
  const file = openLapFile(Buffer.from(writeGenericCsv(drive)));
  const traces = packTraces(file, timeLaps(file, elsewhere).laps);
  const workPath = join(app.incomingFolder, 'elsewhere');
  await putTraces(app.storage, other.storageKey, { traces, workPath });
  const response = await guest.get(`${upload.url}/comparison?with=${other.lap.id}`);
  expect(response.statusCode).toBe(422);
  expect(response.json()).toMatchObject({ error: 'laps_do_not_compare' });
});

test('bad input is refused', async () => {
  const upload = await insertUpload(await insertKartTrack(app.db));
  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await status(`${upload.url}/comparison`)).toBe(400);
  expect(await status(`${upload.url}/comparison?with=`)).toBe(400);
  expect(await status(`${upload.url}/comparison?with=no-id`)).toBe(400);
  expect(await status(`${upload.url}/comparison?with=${upload.lap.id}`)).toBe(400);
  expect(await status(`${upload.url}/comparison?with=${unknown},${unknown}`)).toBe(400);
  const four = [1, 2, 3, 4].map((digit) => unknown.replace(/0$/, String(digit))).join();
  expect(await status(`${upload.url}/comparison?with=${four}`)).toBe(400);
  expect(await status(`${upload.url}/comparison?with=${unknown}`)).toBe(404);
  expect(await status(`/api/tracks/${upload.trackId}/laps/${unknown}/trace`)).toBe(404);
  expect(await status(`/api/tracks/${await insertKartTrack(app.db)}/laps/${upload.lap.id}/trace`)).toBe(404);
  expect(await status(`/api/tracks/${upload.trackId}/laps/no-id/trace`)).toBe(400);
  expect(await status(`/api/tracks/${upload.trackId}/laps/${unknown}/lines`)).toBe(404);
  expect(await status(`/api/tracks/${upload.trackId}/laps/no-id/lines`)).toBe(400);
});

test('an answer that has not changed is 304, and caches ask for it each time', async () => {
  const upload = await insertUpload(await insertKartTrack(app.db));
  const calls = ['trace', 'lines', `comparison?with=${upload.nextLap.id}`];
  for (const url of calls.map((call) => `${upload.url}/${call}`)) {
    const { etag, ...headers } = (await guest.get(url)).headers;
    expect(headers['cache-control']).toBe('private, no-cache');
    expect((await guest.get(url, { 'if-none-match': etag })).statusCode).toBe(304);
  }
});
