import { beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { errorBodySchema } from '#contract/errors.ts';
import {
  insertApiToken,
  insertDevice,
  insertSavedComparison,
  insertPasskeyRow,
  insertPendingFile,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUserCar,
  type SignedIn,
} from '../builders.ts';
import type { SessionId } from '#contract/ids.ts';
import { deleteSession } from '#server/features/sessions/delete-session.ts';
import { encodeForm } from '../form.ts';
import { GARBAGE, readMessage, WRONG_TYPES } from '../hostile-values.ts';
import { eventBody, runBody } from '../race-events.ts';
import { useTestApp } from '../test-app.ts';
import { UNKNOWN_ID_STATUS } from './unknown-ids.ts';

// Every call of the endpoint table, asked in every wrong way. A new call that the tables below lack fails the first tests.

type Headers = Record<string, string>;

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
/** Calls that change something of one person: whose id to put into the path so that it is somebody else's. */
const SOMEBODY_ELSES: Record<string, (userId: SignedIn['userId']) => Promise<string>> = {
  'PUT /api/pending-files/:fileToken': (userId) => insertPendingFile(app.db, userId),
  'PATCH /api/sessions/:id': insertOtherSession,
  'DELETE /api/sessions/:id': insertOtherSession,
  'DELETE /api/sessions/:id/deletion': insertDeletedSession,
  'DELETE /api/account/tokens/:tokenId': async (userId) => (await insertApiToken(app.db, userId)).id,
  'PUT /api/comparisons/:comparisonId': (userId) => insertSavedComparison(app.db, userId),
  'DELETE /api/comparisons/:comparisonId': (userId) => insertSavedComparison(app.db, userId),
  'DELETE /api/user-cars/:id': (userId) => insertUserCar(app.db, { userId }),
  'PUT /api/cars/:id/photo': (userId) => insertUserCar(app.db, { userId }),
  'DELETE /api/cars/:id/photo': (userId) => insertUserCar(app.db, { userId }),
  'PUT /api/account/passkeys/:passkeyId': (userId) => insertPasskeyRow(app.db, userId),
  'DELETE /api/account/passkeys/:passkeyId': (userId) => insertPasskeyRow(app.db, userId),
  'DELETE /api/account/devices/:deviceId': (userId) => insertDevice(app.db, userId),
};

async function insertOtherSession(userId: SignedIn['userId']): Promise<SessionId> {
  return insertSession(app.db, { trackId: await insertTrack(app.db), userId, laps: [{ lapTimeMs: 60_000 }] });
}

async function insertDeletedSession(userId: SignedIn['userId']): Promise<string> {
  const id = await insertOtherSession(userId);
  await deleteSession(app.db, userId, id);
  return id;
}

const ENTRY = { classId: UNKNOWN_ID, number: '7', group: null };

/** A body that fits, for calls whose ids are asked for only after their body. */
const BODIES: Record<string, object> = {
  'PATCH /api/admin/tracks/:trackId': { name: 'Other Ring' },
  'POST /api/admin/tracks/:trackId/merge': { intoTrackId: 'some-other-track' },
  'POST /api/admin/cars/:carId/merge': { intoCarId: '00000000-0000-4000-8000-000000000001' },
  'PUT /api/admin/tracks/:trackId/corner-names': { corners: [] },
  'PUT /api/admin/users/:userId/role': { role: 'moderator' },
  'PUT /api/admin/people/:userId/suspension': { isSuspended: true },
  'PUT /api/admin/webhooks/:webhookId': { isOn: true },
  'POST /api/tracks/:trackId/laps/:lapId/flags': { reason: 'time', sentence: 'No car is as quick here.' },
  'POST /api/tracks/:trackId/laps/:lapId/appeal': { sentence: 'It was timed right.' },
  'POST /api/admin/tracks/:trackId/laps/:lapId/decision': { verdict: 'keep', reason: null },
  'POST /api/tracks/:trackId/laps/:lapId/answer': { answer: 'It was a dry day.' },
  'POST /api/admin/tracks/:trackId/laps/:lapId/question': { question: 'Which car was it?' },
  'PUT /api/admin/tracks/:trackId/laps/:lapId/official': { source: 'Results of the club.' },
  'PUT /api/account/passkeys/:passkeyId': { name: 'Van' },
  'PUT /api/comparisons/:comparisonId': { name: 'New tyres' },
  'PATCH /api/events/:eventId': eventBody('no-track'),
  'POST /api/events/:eventId/state': { state: 'open' },
  'POST /api/events/:eventId/entries': ENTRY,
  'PATCH /api/events/:eventId/entries/:entryId': ENTRY,
  'POST /api/events/:eventId/runs': runBody({ entryId: UNKNOWN_ID }),
  'PATCH /api/events/:eventId/runs/:runId': runBody({ reason: 'Typed again.' }),
  'PATCH /api/sessions/:id': { tireCompound: 'rcomp' },
  'POST /api/lap-videos/:trackId/:lapId/evidence': {
    camera: 'HERO9',
    timesMs: [0, 1],
    lats: [0, 1],
    lons: [0, 1],
    speedsMetersPerSecond: [0, 1],
  },
  'PUT /api/lap-videos/:trackId/:lapId': { key: 'vimeo:1', anchors: [] },
  'PUT /api/cars/:id/photo': { photoURL: 'http://localhost:4200/api/objects/made.up.token' },
};

const app = useTestApp({ callsAreBlind: true });
let driver: SignedIn;
let clubOwner: SignedIn;
let callCount = 0;

beforeAll(async () => {
  driver = await insertSignedIn(app.db);
  clubOwner = await insertSignedIn(app.db, { role: 'owner' });
});

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const pathWith = ({ path }: Endpoint, id: string) => path.replaceAll(/:\w+/g, () => id);
const calls = ENDPOINTS.map((endpoint) => ({ name: nameOf(endpoint), endpoint }));
const withParams = calls.filter(({ endpoint }) => endpoint.params);
const withBody = calls.filter(({ endpoint }) => endpoint.body);
const changing = calls.filter(({ endpoint }) => endpoint.method !== 'GET');

async function call(endpoint: Endpoint, url: string, headers: Headers, payload?: string | object | Buffer) {
  // Every call has an IP address of its own, so the rate limit refuses none.
  callCount += 1;
  const remoteAddress = `10.${callCount >> 16}.${(callCount >> 8) & 255}.${callCount & 255}`;
  const response = await app.as({ headers, remoteAddress }).send(endpoint.method, url, payload);
  expect(response.statusCode, `${endpoint.method} ${url.slice(0, 200)}: ${response.body}`).toBeLessThan(500);
  expect(response.headers['x-request-id'], url).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers['x-content-type-options'], url).toBe('nosniff');
  expect(response.headers['content-security-policy'], url).toContain("default-src 'self'");
  if (response.statusCode >= 400) {
    const message = readMessage(endpoint, response);
    expect(message).toMatch(/^[A-Z].*[.!?]$/s);
    expect(message).not.toMatch(/\bat \/|node_modules|select |FST_|ERR_/i);
  }
  return response;
}

/** An owner calls, because permissions are checked before the values that are tested here. */
const may = () => ({ ...clubOwner.headers });
const asJson = () => ({ ...may(), 'content-type': 'application/json' });

describe('the tables of this file', () => {
  test('say of every call with an id what it answers for an unknown one', () => {
    expect(Object.keys(UNKNOWN_ID_STATUS).toSorted()).toEqual(withParams.map(({ name }) => name).toSorted());
  });

  test('say of every change to something with an id whose it may be', () => {
    // Flags are of laps of others; server/flags tests whose laps may be flagged and appealed for. Courses and sets of tracks have no owner.
    // Moderators change entries of all drivers; race-event-access.test.ts tests who else does.
    const others = ['lapId', 'courseId', 'setName', 'eventId'];
    const ofOne = changing.filter(
      ({ endpoint: { params, access } }) =>
        params && !others.some((name) => name in params.shape) && access === 'signed_in',
    );
    expect(Object.keys(SOMEBODY_ELSES).toSorted()).toEqual(ofOne.map(({ name }) => name).toSorted());
  });
});

describe('who may not call', () => {
  test.each(calls.filter(({ endpoint }) => endpoint.access !== 'public'))(
    '$name answers 401 to a guest',
    async ({ endpoint }) => {
      for (const headers of [{}, { cookie: 'pitboard_sign_in=made-up' }, { cookie: 'pitboard_sign_in=%00' }])
        expect((await call(endpoint, pathWith(endpoint, UNKNOWN_ID), headers)).statusCode).toBe(401);
    },
  );

  test.each(calls.filter(({ endpoint }) => ['admin', 'owner'].includes(endpoint.access)))(
    '$name answers 403 to somebody who is no administrator',
    async ({ endpoint }) => {
      const response = await call(endpoint, pathWith(endpoint, UNKNOWN_ID), driver.headers);
      expect(response.statusCode).toBe(403);
    },
  );

  test.each(Object.entries(SOMEBODY_ELSES))('%s answers 403 for what is not yours', async (name, insert) => {
    const endpoint = endpointOf(name);
    const owner = await insertSignedIn(app.db);
    const url = pathWith(endpoint, await insert(owner.userId));
    for (const { headers } of [driver, clubOwner])
      expect((await call(endpoint, url, headers, BODIES[name])).statusCode).toBe(403);
  });

  test.each(changing)('$name answers 403 to a page of another site', async ({ endpoint }) => {
    for (const sign of [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const response = await call(endpoint, pathWith(endpoint, UNKNOWN_ID), { ...may(), ...sign });
      expect(response.statusCode).toBe(403);
    }
  });
});

describe('what is sent', () => {
  test.each(changing.filter(({ endpoint }) => !endpoint.rawBody))(
    '$name answers 415 to content of another type',
    async ({ endpoint }) => {
      for (const type of [...WRONG_TYPES, endpoint.multipart ? 'application/json' : 'multipart/form-data']) {
        const headers = { ...may(), 'content-type': type };
        const response = await call(endpoint, pathWith(endpoint, UNKNOWN_ID), headers, '{"a":1}');
        expect([type, response.statusCode]).toEqual([type, 415]);
      }
      if (endpoint.multipart) return;
      const form = await encodeForm([['file', { name: 'a.csv', content: 'a' }]]);
      const headers = { ...may(), ...form.headers };
      const response = await call(endpoint, pathWith(endpoint, UNKNOWN_ID), headers, form.payload);
      expect(response.statusCode).toBe(415);
    },
  );

  test.each(withBody)('$name answers 400 to a body that is no object', async ({ endpoint }) => {
    const url = pathWith(endpoint, UNKNOWN_ID);
    const bodies = [
      'null',
      '[]',
      '[{}]',
      '"text"',
      '1',
      'true',
      '',
      '{"half":',
      'undefined',
      '{"a":1}}',
      '\u0000',
    ];
    for (const body of [...bodies, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])]) {
      const response = await call(endpoint, url, asJson(), body);
      expect([body, response.statusCode]).toEqual([body, 400]);
    }
    expect((await call(endpoint, url, may())).statusCode).toBe(400);
  });

  test.each(withBody)(
    '$name answers 400 to fields of the wrong type, and names each',
    async ({ endpoint }) => {
      const names = Object.keys(endpoint.body?.shape ?? {});
      for (const wrong of [{ no: 'such' }, 1.5e300, '\u0000', { toString: null }]) {
        const body = Object.fromEntries(names.map((name) => [name, wrong]));
        const response = await call(endpoint, pathWith(endpoint, UNKNOWN_ID), may(), body);
        expect([wrong, response.statusCode]).toEqual([wrong, 400]);
      }
      const body = Object.fromEntries(names.map((name) => [name, { no: 'such' }]));
      const response = await call(endpoint, pathWith(endpoint, UNKNOWN_ID), may(), body);
      const fields = Object.keys(errorBodySchema.parse(response.json()).fields ?? {});
      expect(fields.map((field) => field.split('.')[0])).toEqual(expect.arrayContaining(names));
    },
  );

  test.each(withBody)('$name answers 413 to a body over its limit', async ({ endpoint }) => {
    const headers = { ...asJson(), 'content-length': '99999999999' };
    expect((await call(endpoint, pathWith(endpoint, UNKNOWN_ID), headers, '{}')).statusCode).toBe(413);
  });

  test.each(calls.filter(({ endpoint }) => endpoint.multipart))(
    '$name answers 413 to a field that is too large, and 400 to a form without a file',
    async ({ endpoint }) => {
      const url = pathWith(endpoint, UNKNOWN_ID);
      const send = async (parts: Parameters<typeof encodeForm>[0]) => {
        const form = await encodeForm(parts);
        return await call(endpoint, url, { ...may(), ...form.headers }, form.payload);
      };
      expect((await send([['trackId', 'a'.repeat(9_000)]])).statusCode).toBe(413);
      expect((await send([['trackId', 'a']])).statusCode).toBe(400);
      const broken = { ...may(), 'content-type': 'multipart/form-data; boundary=x' };
      for (const body of ['', 'nothing of the kind', '--x\r\ncontent-disposition: form-data'])
        expect((await call(endpoint, url, broken, body)).statusCode).toBe(400);
    },
  );
});

describe('URLs', () => {
  test.each(withParams)('$name answers as it should for an unknown id', async ({ name, endpoint }) => {
    const response = await call(endpoint, pathWith(endpoint, UNKNOWN_ID), may(), BODIES[name]);
    expect(response.statusCode).toBe(UNKNOWN_ID_STATUS[name]);
  });

  test.each(withParams)('$name answers 4xx for an id of garbage', async ({ name, endpoint }) => {
    for (const id of GARBAGE) {
      const { statusCode } = await call(endpoint, pathWith(endpoint, id), may(), BODIES[name]);
      expect([id.slice(0, 40), statusCode >= 400 && statusCode < 500]).toEqual([id.slice(0, 40), true]);
    }
  });

  test.each(calls.filter(({ endpoint }) => endpoint.query))(
    '$name survives any query',
    async ({ endpoint }) => {
      for (const field of [...Object.keys(endpoint.query?.shape ?? {}), '__proto__', 'constructor', '']) {
        for (const value of [...GARBAGE, `a&${field}=b`, '1e999'])
          await call(endpoint, `${pathWith(endpoint, UNKNOWN_ID)}?${field}=${value}`, may());
      }
    },
  );
});

function endpointOf(name: string): Endpoint {
  const found = calls.find((one) => one.name === name)?.endpoint;
  if (!found) throw new Error(`There is no call ${name}.`);
  return found;
}
