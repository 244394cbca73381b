import { beforeAll, describe, expect, test } from 'vitest';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { LOGGER_WRITERS } from '#engine/testing/write-loggers.ts';
import { saveClubSettings } from '#server/model/club/club-settings-store.ts';
import { insertSignedIn, insertUserCar, type SignedIn } from '#server/testing/builders.ts';
import { DRIVEN_AT_MS, insertKartTrack } from '#server/testing/kart-uploads.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';

const app = useTestApp({ settings: { webhookLoopback: true } });
const guest = app.asGuest();

const CLUB = { name: 'Club', timeZone: 'UTC', registration: 'open' } as const;
const NAME = 'Simone Simulated';

let seed = 300;

/** Makes a MoTeC file of three laps at a top speed in metres per second, as a logger or a simulator writes it. */
function writeFile(device: 'ADL3' | 'iRacing', topSpeedMetersPerSecond: number) {
  const around = { leadInMeters: 60, leadOutMeters: 60, startTimeMs: DRIVEN_AT_MS + ++seed * 3_600_000 };
  const drive = simulateDrive(KART_TRACK, { seed, laps: 3, topSpeedMetersPerSecond, ...around });
  const content = LOGGER_WRITERS['motec-csv'](drive).replace(
    '"Log Date"',
    `"Device","${device}"\n"Log Date"`,
  );
  return { name: `${device}.csv`, content };
}

/** Inserts a driver whose first laps are slow and real, and whose last, the fastest of all, come from `device`. */
async function insertDriven(device: 'ADL3' | 'iRacing') {
  const trackId = await insertKartTrack(app.db);
  const rival = await insertSignedIn(app.db, { displayName: 'Rita Real', firstName: null, lastName: null });
  const driver = await insertSignedIn(app.db, { displayName: NAME, firstName: null, lastName: null });
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['record_set', 'personal_best'], format: 'discord' };
  const owner = await insertSignedIn(app.db, { role: 'owner' });
  expect((await app.as(owner).post('/api/admin/webhooks', hook)).statusCode).toBe(200);
  const real = (await app.as(rival).uploadLaps(trackId, writeFile('ADL3', 22))).json();
  await app.runJobs();
  const userCarId = await insertUserCar(app.db, { userId: driver.userId });
  const file = writeFile(device, 30);
  const uploaded = (await app.as(driver).uploadLaps(trackId, file, { userCarId })).json();
  await app.runJobs();
  const [{ sessionId }] = uploaded.results;
  const session = (await app.as(driver).get(`/api/sessions/${sessionId}`)).json();
  const [, lap] = session.laps;
  const rivalLapId = String(real.results[0].bestLapId);
  return { trackId, rival, driver, owner, uploaded, session, lap, rivalLapId };
}

type Driven = Awaited<ReturnType<typeof insertDriven>>;

/** Lists everything that ranks laps or tells of ranks, each as a text that others, or the driver, read. */
const LISTS: Record<string, (driven: Driven) => Promise<string>> = {
  board: ({ trackId }) => read(`/api/laps/track/${trackId}/best`),
  'board as CSV': ({ trackId }) => read(`/api/tracks/${trackId}/board.csv`),
  'embedded board': ({ trackId }) => read(`/api/embed/track/${trackId}`),
  'feed of records': ({ trackId }) => read(`/api/feed/records?track=${trackId}`),
  'history of the record': ({ trackId }) => read(`/api/laps/track/${trackId}/record-history`),
  'neighbours and record of a rival': ({ trackId, rivalLapId, rival }) =>
    read(`/api/tracks/${trackId}/laps/${rivalLapId}`, rival),
  'notices of a rival': ({ rival }) => read('/api/notices', rival),
  'webhook deliveries': async ({ trackId, driver }) => {
    const { rows } = await app.database.pool.query(
      'SELECT * FROM webhook_deliveries WHERE track_id = $1 AND $2 = ANY (user_ids)',
      [trackId, driver.userId],
    );
    return JSON.stringify(rows);
  },
};

const read = async (url: string, who: Person = null): Promise<string> => (await app.as(who).get(url)).body;

/** Lists figures of a driver and of a track that a real lap changes. */
const FIGURES: Record<string, (driven: Driven) => Promise<unknown>> = {
  'laps and drivers of the board': async ({ trackId }) =>
    (await guest.get(`/api/laps/track/${trackId}/summary`)).json(),
  'best laps by track': async ({ driver }) =>
    (await app.as(driver).get(`/api/laps/user/${driver.userId}/by-track`)).json(),
  'best laps by car': async ({ driver }) =>
    (await app.as(driver).get(`/api/laps/user/${driver.userId}/by-car`)).json(),
  'number of laps': async ({ driver }) =>
    (await app.as(driver).get(`/api/laps/user/${driver.userId}/total-count`)).json(),
  'best sectors of the board': async ({ trackId }) =>
    (await guest.get(`/api/laps/track/${trackId}/record-sectors`)).json(),
  'progress, theoretical best included': async ({ trackId, driver }) => {
    const {
      sessions: _sessions,
      userName: _userName,
      ...figures
    } = (await app.as(driver).get(`/api/tracks/${trackId}/drivers/${driver.userId}/laps`)).json();
    return figures;
  },
  'session bests': async ({ driver }) =>
    (await app.database.pool.query('SELECT FROM session_bests WHERE user_id = $1', [driver.userId])).rowCount,
};

const board = async ({ trackId }: Driven) => (await guest.get(`/api/laps/track/${trackId}/simulated`)).json();

describe('a lap of a simulator', () => {
  let real: Driven;
  let simulated: Driven;
  let none: Record<string, unknown>;

  beforeAll(async () => {
    await saveClubSettings(app.db, { ...CLUB, hasSimulatorBoards: true });
    simulated = await insertDriven('iRacing');
    real = await insertDriven('ADL3');
    const idle = await insertSignedIn(app.db, { displayName: 'Ida Idle' });
    none = {};
    for (const [name, find] of Object.entries(FIGURES))
      none[name] = await find({ ...simulated, driver: idle });
  });

  test.each(Object.keys(LISTS))('is not in: %s', async (name) => {
    const shows = async (driven: Driven) => {
      const text = (await LISTS[name]?.(driven)) ?? '';
      return [NAME, driven.driver.userId, driven.lap.lapId].some((trace) => text.includes(trace));
    };
    expect(await shows(real)).toBe(true);
    expect(await shows(simulated)).toBe(false);
  });

  test.each(Object.keys(FIGURES))('changes nothing of: %s', async (name) => {
    const find = FIGURES[name] ?? (() => Promise.reject(new Error(name)));
    expect(await find(real)).not.toEqual(none[name]);
    expect(await find(simulated)).toEqual(none[name]);
  });

  test('is distinguished from a real one in the upload and its session, and brings no personal best', () => {
    expect(real.uploaded.best).toMatchObject({ isNew: true, isRecord: true });
    expect(simulated.uploaded.best).toBeNull();
    expect(simulated.uploaded.results[0]).toMatchObject({
      success: true,
      bestLapTimeMs: null,
      bestLapId: null,
    });
    expect(simulated.lap).toMatchObject({ status: 'simulated', reasons: ['simulated'] });
    expect(real.lap).toMatchObject({ status: 'valid', reasons: [] });
  });

  test('can be opened, compared, proven and exported by everybody, and says so', async () => {
    const url = `/api/tracks/${simulated.trackId}/laps/${simulated.lap.lapId}`;
    const view = (await guest.get(url)).json();
    expect(view).toMatchObject({ status: 'simulated', place: null, canBeCompared: true });
    expect((await guest.get(`${url}/comparison?with=${simulated.rivalLapId}`)).statusCode).toBe(200);
    expect((await guest.get(`${url}/proof`)).json().lapFile).toMatchObject({ isSimulated: true });
    expect((await guest.get(`${url}/export?as=vbo`)).statusCode).toBe(200);
    const realUrl = `/api/tracks/${real.trackId}/laps/${real.lap.lapId}`;
    expect((await guest.get(`${realUrl}/proof`)).json().lapFile).not.toHaveProperty('isSimulated');
  });

  test('is on the board of simulators alone, which real laps are not on', async () => {
    expect(await board(real)).toEqual({ isOn: true, records: [], raceClasses: [] });
    const { isOn, records } = await board(simulated);
    expect(isOn).toBe(true);
    expect(records).toMatchObject([{ userName: NAME, rank: 1, gapMs: 0, driverId: simulated.driver.userId }]);
    const second = await insertSignedIn(app.db, { displayName: 'Sven Second' });
    await app.as(second).uploadLaps(simulated.trackId, writeFile('iRacing', 25));
    const both = (await board(simulated)).records;
    expect(both.map(({ userName, rank }: { userName: string; rank: number }) => [userName, rank])).toEqual([
      [NAME, 1],
      ['Sven Second', 2],
    ]);
    expect(both[1].gapMs).toBe(both[1].lapTimeMs - both[0].lapTimeMs);
  });

  test('is left out by its driver, and comes back as a lap of a simulator', async () => {
    const url = `/api/sessions/${simulated.session.id}`;
    const leave = async (isLeftOut: boolean) => {
      const laps = simulated.session.laps.map(({ lapId }: { lapId: string }) => ({ lapId, isLeftOut }));
      const changed = await app.as(simulated.driver).patch(url, { laps });
      expect(changed.statusCode, changed.body).toBe(200);
      return (await board(simulated)).records.map(({ userName }: { userName: string }) => userName);
    };
    expect(await leave(true)).not.toContain(NAME);
    expect(await leave(false)).toContain(NAME);
    expect((await app.as(simulated.driver).get(url)).json().laps).toEqual(simulated.session.laps);
  });

  test('is flagged and rejected like another one, and comes back when that is undone', async () => {
    const { trackId, lap, rival, owner } = simulated;
    const flag = { reason: 'other', sentence: 'The tyres were changed.' };
    const url = `/api/tracks/${trackId}/laps/${lap.lapId}/flags`;
    const flagged = await app.as(rival).post(url, flag);
    expect(flagged.statusCode, flagged.body).toBe(200);
    const decision = `/api/admin/tracks/${trackId}/laps/${lap.lapId}/decision`;
    const rejection = { verdict: 'reject', reason: 'The car had other tyres.' };
    expect((await app.as(owner).post(decision, rejection)).statusCode).toBe(200);
    expect(JSON.stringify((await board(simulated)).records)).not.toContain(lap.lapId);
    const session = async () =>
      (await app.as(simulated.driver).get(`/api/sessions/${simulated.session.id}`)).json();
    expect((await session()).laps[1]).toMatchObject({ lapId: lap.lapId, status: 'rejected' });
    expect((await app.as(owner).delete(decision)).statusCode).toBe(200);
    expect((await session()).laps).toEqual(simulated.session.laps);
  });

  test('is on the board of its class alone', async () => {
    const { raceClasses } = await board(simulated);
    expect(raceClasses).toHaveLength(1);
    const url = `/api/laps/track/${simulated.trackId}/simulated`;
    const ofClass = async (raceClass: string) =>
      (await guest.get(`${url}?raceClass=${encodeURIComponent(raceClass)}`)).json().records;
    expect((await ofClass(raceClasses[0])).length).toBeGreaterThan(0);
    expect(await ofClass('No such class')).toEqual([]);
  });

  test('proposes no track', async () => {
    const { startFinishLine, sectors } = KART_TRACK;
    const track = { name: 'Sim Ring', location: 'Munich', country: 'Germany', startFinishLine, sectors };
    const file = writeFile('iRacing', 27);
    const shown = await app.as(simulated.driver).postForm('/api/tracks/proposals', [
      ['track', JSON.stringify(track)],
      ['file', file],
    ]);
    expect(shown.statusCode).toBe(400);
    expect(shown.json().message).toContain('only a real drive can propose a track');
  });

  test('stays simulated when slow laps are classified and the session is timed again', async () => {
    await app.runJobs();
    const session = (await app.as(simulated.driver).get(`/api/sessions/${simulated.session.id}`)).json();
    expect(session.laps).toEqual(simulated.session.laps);
  });
});

test('where simulator boards are off, the upload says so, only the driver sees the laps, and the board is empty', async () => {
  await saveClubSettings(app.db, { ...CLUB, hasSimulatorBoards: false });
  const { trackId, driver, lap } = await insertDriven('iRacing');
  const analyze = async () => {
    const file = writeFile('iRacing', 28);
    return (
      await app.as(driver).postForm('/api/analyze-gps', [
        ['file', file],
        ['trackId', trackId],
      ])
    ).json();
  };
  expect((await analyze()).message).toMatch(/written by a simulator.*until an owner.*switches/);
  const url = `/api/tracks/${trackId}/laps/${lap.lapId}`;
  const statusFor = async (who: SignedIn | null) => (await app.as(who).get(url)).statusCode;
  expect(await statusFor(driver)).toBe(200);
  expect(await statusFor(null)).toBe(404);
  expect(await statusFor(await insertSignedIn(app.db))).toBe(404);
  expect((await guest.get(`${url}/export?as=gpx`)).statusCode).toBe(404);
  const flag = { reason: 'other', sentence: 'The tyres were changed.' };
  expect((await app.as(await insertSignedIn(app.db)).post(`${url}/flags`, flag)).statusCode).toBe(404);
  expect((await guest.get(`/api/laps/track/${trackId}/simulated`)).json()).toEqual({
    isOn: false,
    records: [],
    raceClasses: [],
  });
  expect((await guest.get('/api/laps/track/no-such-track/simulated')).statusCode).toBe(404);
  expect((await guest.get('/api/laps/track/NO/simulated')).statusCode).toBe(400);
  await saveClubSettings(app.db, { ...CLUB, hasSimulatorBoards: true });
  expect((await analyze()).message).toMatch(/written by a simulator.*simulator board/);
  expect(await statusFor(null)).toBe(200);
});

test('an owner switches simulator boards on; a call without the switch leaves it', async () => {
  const owner = await insertSignedIn(app.db, { role: 'owner' });
  const save = async (body: object) => (await app.as(owner).put('/api/admin/club', body)).json().club;
  expect(await save({ ...CLUB, hasSimulatorBoards: true })).toEqual({
    ...CLUB,
    hasSimulatorBoards: true,
    hasSamples: true,
  });
  expect(await save(CLUB)).toMatchObject({ hasSimulatorBoards: true });
  expect(await save({ ...CLUB, hasSimulatorBoards: false })).toMatchObject({ hasSimulatorBoards: false });
  expect((await app.as(owner).put('/api/admin/club', { ...CLUB, hasSimulatorBoards: 'on' })).statusCode).toBe(
    400,
  );
});
