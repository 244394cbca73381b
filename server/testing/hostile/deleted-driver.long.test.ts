import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { asLapId, asTrackId } from '#contract/testing/ids.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { insertAutomaticFlags } from '#server/model/flags/check-store.ts';
import { ANOTHER_DRIVER } from '#server/model/flags/flag-store.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { saveClubSettings } from '#server/model/club/club-settings-store.ts';
import { insertOneTimeToken } from '#server/model/people/one-time-token-store.ts';
import { addMail } from '#server/model/mail/send-mail.ts';
import {
  insertApiToken,
  insertPasskeyRow,
  insertSignedIn,
  insertTrack,
  insertUserCar,
  type SignedIn,
} from '../builders.ts';
import { phonePhoto } from '../images.ts';
import type { TestFile } from '../form.ts';
import { DRIVEN_AT_MS, insertKartTrack, kartCsv } from '../kart-uploads.ts';
import { leave, passSevenDays } from '../leave.ts';
import { insertRowsOfDriver, listTablesWithout, searchTables } from '../rows-of-driver.ts';
import { readObjects } from '../test-storage.ts';
import { useTestApp } from '../test-app.ts';
import { unzip } from '../unzip.ts';
import { libraryTrack } from '../../../tests/library.ts';

// Others see nothing of a driver who leaves, and after seven days nothing of the driver is stored anywhere.

const logLines: string[] = [];
const logger = pino({ level: 'trace' }, { write: (line: string) => void logLines.push(line) });
const app = useTestApp({ settings: { webhookLoopback: true }, logger });
const guest = app.asGuest();

const NAMES = { firstName: 'Zebulon', lastName: 'Ghostwright', displayName: 'Zeb the Ghost' };
const EMAIL = 'zebulon.g@ghosts.example';
const FILE_NAME = 'ghost-at-the-track.csv';

const ZANDVOORT = asTrackId('circuit-zandvoort-grand-prix');
const SAMPLE = 'zandvoort-5hz.gpx';

let admin: SignedIn;
let other: SignedIn;

beforeAll(async () => {
  admin = await insertSignedIn(app.db, { role: 'owner' });
  other = await insertSignedIn(app.db, { firstName: 'Olga', lastName: 'Stays' });
  await insertTrack(app.db, libraryTrack(ZANDVOORT));
  const club = { name: 'Club', timeZone: 'UTC', registration: 'open' } as const;
  await saveClubSettings(app.db, { ...club, hasSamples: true, hasSimulatorBoards: true });
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['record_set', 'personal_best'], format: 'discord' };
  expect((await app.as(admin).post('/api/admin/webhooks', hook)).statusCode).toBe(200);
});

let seed = 0;

/** Makes the lap file of a drive at a top speed in metres per second, unlike all drives before. */
function driveKart(name: string, topSpeedMetersPerSecond: number): TestFile {
  const startTimeMs = DRIVEN_AT_MS + ++seed * 3_600_000;
  const around = { leadInMeters: 60, leadOutMeters: 60, startTimeMs };
  const drive = simulateDrive(KART_TRACK, { seed, laps: 3, topSpeedMetersPerSecond, ...around });
  return { name, content: writeGenericCsv(drive, {}) };
}

/** Inserts a driver who has used everything that the product stores of a driver. */
async function insertGhost() {
  const ghost = await insertSignedIn(app.db, {
    ...NAMES,
    fullName: `${NAMES.firstName} ${NAMES.lastName}`,
    email: EMAIL,
    emailVerified: true,
    emailUpdates: true,
    username: 'ghost.rider',
  });
  const { userId } = ghost;
  const client = app.as(ghost);
  const trackId = await insertKartTrack(app.db, { outline: null });
  const send = async (who: SignedIn, name: string, userCarId?: string): Promise<UploadedSession> => {
    const fields = userCarId === undefined ? {} : { userCarId };
    const response = await app.as(who).uploadLaps(trackId, driveKart(name, who === other ? 20 : 25), fields);
    return z.object({ results: z.array(uploadedSchema) }).parse(response.json()).results[0] ?? NOTHING;
  };
  const carId = await insertUserCar(app.db, { userId, nickname: 'Ghostmobile' });
  const slow = await send(other, 'other.csv');
  const driven = await send(ghost, FILE_NAME, carId);
  const avatarURL = await client.sendImage(await phonePhoto());
  const photoURL = await client.sendImage(await phonePhoto());
  const { profileImageUrl } = (await client.put('/api/user/avatar', { avatarURL })).json();
  const { photoUrl } = (await client.put(`/api/cars/${carId}/photo`, { photoURL })).json();
  await client.sendImage(await phonePhoto());
  await client.postForm('/api/analyze-gps', [['file', kartCsv({}, `analysed-${FILE_NAME}`)]]);
  const sample = { name: SAMPLE, content: readFileSync(join(projectFolder, 'data/lap-files', SAMPLE)) };
  const { simulatedLapId } = (await client.uploadLaps(ZANDVOORT, sample)).json().results[0];
  await client.post('/api/pending-files', { fileName: `parts-${FILE_NAME}`, byteCount: 1_000_000 });
  const refused = { name: `refused-${FILE_NAME}`, content: `${NAMES.displayName} drove this` };
  expect((await client.postForm('/api/refused-files', [['file', refused]])).statusCode).toBe(200);
  await insertPasskeyRow(app.db, userId);
  await insertApiToken(app.db, userId);
  await insertOneTimeToken(app.db, { purpose: 'invitation', email: EMAIL, lastsMs: 1e9 });
  await insertOneTimeToken(app.db, { purpose: 'invitation', createdBy: userId, lastsMs: 1e9 });
  await addMail(app.db, { kind: 'sign-in', email: EMAIL });
  const flag = { reason: 'other', sentence: 'Looks shorter than it was.' };
  const flagUrl = (lapId: string) => `/api/tracks/${trackId}/laps/${lapId}/flags`;
  expect((await client.post(flagUrl(slow.bestLapId), flag)).statusCode).toBe(200);
  expect((await app.as(other).post(flagUrl(driven.bestLapId), flag)).statusCode).toBe(200);
  const copied = { trackId, lapId: asLapId(slow.bestLapId), userId: other.userId };
  const sentence = `Follows a lap of ${ANOTHER_DRIVER} within 0.3 m and 0.1 % of pace all around.`;
  const otherLapId = asLapId(driven.bestLapId);
  await insertAutomaticFlags(app.db, copied, [{ reason: 'copy', sentence, figures: {}, otherLapId }]);
  await client.put('/api/notices/settings', { muted: [] });
  const live = { trackId, visibility: 'everybody', title: `Day of ${NAMES.displayName}` };
  const { sharingId } = (await client.post('/api/live/sharing', live)).json();
  const fixes = [[Date.now(), KART_TRACK.centerLat, KART_TRACK.centerLon, 20, null]];
  expect((await client.post('/api/live/sharing/fixes', { sharingId, fixes })).statusCode).toBe(200);
  const asked = await client.post('/api/track-sets/open-racetrack-db/requests');
  expect(asked.statusCode, asked.body).toBe(200);
  const lap = { trackId, lapId: slow.bestLapId, driverId: other.userId };
  await insertRowsOfDriver(app, { userId, email: EMAIL }, lap);
  for (const [who, lapIds] of [
    [ghost, [driven.bestLapId, slow.bestLapId]],
    [other, [slow.bestLapId, driven.bestLapId]],
  ] as const) {
    const saved = await app.as(who).post('/api/comparisons', { name: 'Both drives', trackId, lapIds });
    expect(saved.statusCode).toBe(200);
  }
  const videoUrl = `/api/lap-videos/${trackId}/${driven.bestLapId}`;
  const { lapStartMs } = (await client.get(videoUrl)).json();
  const anchors = [{ videoSeconds: 12, timeMs: lapStartMs }];
  expect((await client.put(videoUrl, { key: 'youtube:M7lc1UVf-VE', anchors })).statusCode).toBe(200);
  await app.runJobs();
  const deleted = await send(ghost, `deleted-${FILE_NAME}`);
  expect((await client.delete(`/api/sessions/${deleted.sessionId}`)).statusCode).toBe(200);
  return {
    ...ghost,
    trackId,
    slow,
    driven,
    carId,
    simulatedLapId: String(simulatedLapId),
    profileImageUrl,
    photoUrl,
  };
}

type Ghost = Awaited<ReturnType<typeof insertGhost>>;

const uploadedSchema = z.object({ sessionId: z.string(), bestLapId: z.string() });
type UploadedSession = z.infer<typeof uploadedSchema>;
const NOTHING: UploadedSession = { sessionId: '', bestLapId: '' };

/** Lists the texts that name the driver or lead to them. */
const listTraces = ({ userId, driven, simulatedLapId, carId }: Ghost): string[] => [
  userId,
  EMAIL,
  'zebulon.g',
  'Ghostwright',
  NAMES.displayName,
  'ghost.rider',
  FILE_NAME,
  'Ghostmobile',
  driven.sessionId,
  driven.bestLapId,
  simulatedLapId,
  carId,
];

/** Lists the calls that may show something of the driver to others, with those who make them. */
function listCalls({ userId, trackId, driven, slow, simulatedLapId, profileImageUrl, photoUrl }: Ghost) {
  const track = `/api/tracks/${trackId}`;
  const lap = `${track}/laps/${driven.bestLapId}`;
  const publicUrls = [
    `/api/laps/track/${trackId}/best`,
    `/api/laps/track/${trackId}/summary`,
    `/api/laps/track/${trackId}/filter-options`,
    `/api/laps/track/${trackId}/record-sectors`,
    `/api/laps/track/${trackId}/record-history`,
    `/api/embed/track/${trackId}`,
    `${track}/board.csv`,
    track,
    '/api/tracks',
    '/api/feed/records',
    lap,
    `${lap}/trace`,
    `${lap}/proof`,
    `${lap}/preview.png`,
    `/api/users/${userId}/preview.png`,
    `${lap}/lines`,
    `${lap}/export?as=gpx`,
    `/api/lap-videos/${trackId}/${driven.bestLapId}`,
    `${track}/laps/${slow.bestLapId}`,
    `${track}/laps/${slow.bestLapId}/lines`,
    `${track}/laps/${slow.bestLapId}/comparison?with=${driven.bestLapId}`,
    `/api/laps/track/${ZANDVOORT}/simulated`,
    `/api/tracks/${ZANDVOORT}`,
    `/api/tracks/${ZANDVOORT}/laps/${simulatedLapId}`,
    `/api/tracks/${ZANDVOORT}/laps/${simulatedLapId}/lines`,
    profileImageUrl,
    photoUrl,
  ];
  const drivers = [userId, NAMES.displayName, `${NAMES.firstName} ${NAMES.lastName}`];
  const signedInUrls = [
    ...drivers.map((idOrName) => `/api/users/${encodeURIComponent(idOrName)}`),
    `/api/users/${userId}/cars`,
    '/api/comparisons',
    `/api/sessions/user/${userId}`,
    `/api/laps/user/${userId}/by-car`,
    `/api/laps/user/${userId}/by-track`,
    `/api/laps/user/${userId}/total-count`,
    `${track}/drivers/${userId}/laps`,
    `${track}/laps/${slow.bestLapId}/flags`,
    '/api/notices',
    '/api/account/export',
  ];
  const moderatedUrls = [
    '/api/admin/flagged-laps',
    '/api/admin/refused-files',
    '/api/admin/track-proposals',
    `${lap}/flags`,
    `/api/admin${lap.slice(4)}/lap-file`,
    `/api/sessions/${driven.sessionId}/export?as=vbo`,
  ];
  return [
    ...publicUrls.map((url) => ({ who: null, url })),
    ...[...publicUrls, ...signedInUrls].map((url) => ({ who: other, url })),
    ...[...publicUrls, ...signedInUrls, ...moderatedUrls].map((url) => ({ who: admin, url })),
  ];
}

async function call({ who, url }: { who: SignedIn | null; url: string }) {
  const { statusCode, headers, rawPayload } = await app.as(who).get(url);
  const isZip = headers['content-type'] === 'application/zip' && statusCode === 200;
  const parts = isZip
    ? [...unzip(rawPayload)].map(([name, content]) => `${name}\n${content.toString()}`)
    : [rawPayload];
  return { statusCode, text: parts.join('\n') };
}

test('others see nothing of a driver who leaves, and everything again once the driver stays', async () => {
  const ghost = await insertGhost();
  const calls = listCalls(ghost);
  const before = await Promise.all(calls.map(call));
  const traces = listTraces(ghost);
  const isSeen = ({ text }: { text: string }) => traces.some((trace) => text.includes(trace));
  // The test would prove nothing if these calls showed nothing before.
  expect(before.filter(isSeen).length).toBeGreaterThan(25);
  expect(await findOutlineSource(ghost.trackId)).toEqual(ghost.driven.sessionId);

  expect((await leave(app, ghost)).statusCode).toBe(200);
  await app.runJobs();
  for (const asked of calls) {
    const { text, statusCode } = await call(asked);
    const what = `${asked.who === null ? 'guest' : asked.who.userId} ${asked.url} ${statusCode}`;
    // Errors repeat what was asked for.
    if (statusCode >= 400) expect([403, 404], what).toContain(statusCode);
    else
      expect(
        traces.filter((trace) => text.includes(trace) && !isOwnFlag(asked, trace, ghost)),
        what,
      ).toEqual([]);
  }
  for (const url of [ghost.profileImageUrl, ghost.photoUrl])
    expect((await guest.get(url)).statusCode).toBe(404);
  expect(await findOutlineSource(ghost.trackId)).toBeNull();

  expect((await app.as(ghost).delete('/api/account/deletion')).json()).toEqual({ kept: true });
  await app.runJobs();
  const after = await Promise.all(calls.map(call));
  expect(after.map(({ statusCode }) => statusCode)).toEqual(before.map(({ statusCode }) => statusCode));
  // Files that were sent to the owners do not come back.
  const showsDriver = (answers: readonly { text: string }[]) =>
    answers.map((answer, index) => calls[index]?.url !== '/api/admin/refused-files' && isSeen(answer));
  expect(showsDriver(after)).toEqual(showsDriver(before));
  const board = (await guest.get(`/api/laps/track/${ghost.trackId}/best`)).json();
  expect(board).toHaveLength(2);
  expect((await leave(app, ghost)).statusCode).toBe(200);
  await passSevenDays(app);
});

/** Tells whether a trace is the lap in a flag of the other driver, in that driver's own export: an id that leads nowhere. */
const isOwnFlag = ({ url }: { url: string }, trace: string, { driven }: Ghost) =>
  url === '/api/account/export' && trace === driven.bestLapId;

/** Finds the session that the outline of a track was drawn from. */
async function findOutlineSource(trackId: string): Promise<unknown> {
  const query = 'SELECT thin_outline_session_id AS id FROM tracks WHERE id = $1';
  const { rows } = await app.database.pool.query(query, [trackId]);
  return rows[0]?.id;
}

// The id of the driver stays in these columns, and nothing else: docs/privacy.md lists them.
const ID_STAYS_IN = ['audit_log', 'lap_decisions', 'lap_questions', 'lap_evidence'].map(
  (name) => `public.${name}`,
);

test('after seven days no table, no stored object and no line of the log names the driver', async () => {
  const objectsBefore = await readObjects(app.storage);
  const logLinesBefore = logLines.length;
  const ghost = await insertGhost();
  const traces = listTraces(ghost);
  expect((await searchTables(app, traces)).length).toBeGreaterThan(30);
  // A new table with the id of a driver fails this until the driver of this test has a row in it.
  expect(await listTablesWithout(app, ghost.userId)).toEqual([]);
  const waiting = await app.database.pool.query("SELECT FROM webhook_deliveries WHERE state = 'waiting'");
  expect(waiting.rowCount).toBeGreaterThan(0);

  expect((await leave(app, ghost)).statusCode).toBe(200);
  // Files that wait for an upload or were sent to the owners go at once, and nothing waits to be sent.
  const passing = /^(incoming|pending-files|refused-files)\//;
  expect([...(await readObjects(app.storage)).keys()].filter((key) => passing.test(key))).toEqual([]);
  expect(await searchTables(app, traces, 'webhook_deliveries')).toEqual([]);
  await passSevenDays(app);

  const found = await searchTables(app, traces);
  const isAllowed = (hit: string) => ID_STAYS_IN.some((table) => hit === `${table}: ${ghost.userId}`);
  expect(found.filter((hit) => !isAllowed(hit) && !isReferenceToLap(hit, ghost))).toEqual([]);

  const objects = await readObjects(app.storage);
  const others = [...objects.keys()].filter((key) => !objectsBefore.has(key));
  // The two files of the other driver: one lap file and its traces.
  expect(new Set(others.map((key) => key.split('/')[0]))).toEqual(new Set(['lap-files', 'lap-traces']));
  expect(others).toHaveLength(2);
  for (const [key, content] of objects)
    expect(traces.filter((trace) => key.includes(trace) || content.includes(trace))).toEqual([]);

  const [, ...secrets] = traces.filter(
    (trace) => ![ghost.driven.sessionId, ghost.driven.bestLapId, ghost.carId].includes(trace),
  );
  const after = logLines.slice(logLinesBefore);
  // The log has the ids of drivers in events.
  expect(after.some((line) => line.includes(ghost.userId))).toBe(true);
  expect(after.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([]);
});

/** Other drivers' rows name laps that are gone, by ids which lead nowhere. */
const isReferenceToLap = (hit: string, { driven }: Ghost) =>
  hit.endsWith(driven.bestLapId) || hit === `public.audit_log: ${driven.sessionId}`;
