import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { hashRecoveryCode } from '#server/features/sign-in/recovery-codes.ts';
import { insertRecoveryCodes } from '#server/model/people/credential-store.ts';
import { saveClubSettings } from '#server/model/club/club-settings-store.ts';
import { useClubApp } from '../club-app.ts';
import { insertKartTrack } from '../kart-uploads.ts';

// A guest's call that holds the event loop delays everybody else. Every call that is open to guests is made with the bodies and
// addresses that cost most, and the longest time that the main thread does nothing else is measured.

/** A password of 128 characters that zxcvbn takes longest for: each character may stand for several letters. */
const SLOW_PASSWORD =
  '@|4p4$$w9@dragonpassword|4p4$$w0r8@5(4%$w<i$5d@p49u3550rd44dragon44p4$$w0rd@||4sp@w0rdm4st3rs4dragondragonp4$$w0rd||s||p4$$w0rd4';

const BODY_BYTES = 1_000_000;
// A body of this size is parsed: calls of guests take 128 KiB.
const PARSED_BYTES = 120_000;
const LONG = 'a'.repeat(BODY_BYTES);
const ATTEMPTS = 8;

const app = useClubApp({ callsAreBlind: true });
const publicCalls = ENDPOINTS.filter(({ access }) => access === 'public');
let trackId: string;
let boundMs: number;
let addresses = 0;

beforeAll(async () => {
  trackId = await insertKartTrack(app.db);
  await saveClubSettings(app.db, { name: 'Club', timeZone: 'UTC', registration: 'open' });
  boundMs = 20 + 4 * measureMachine();
});

/** Measures how long this machine parses the largest body that a guest may send, in milliseconds. */
function measureMachine(): number {
  const text = JSON.stringify({ numbers: Array.from({ length: BODY_BYTES / 8 }, (_, index) => 1e6 + index) });
  const timesMs = Array.from({ length: 10 }, () => {
    const startMs = performance.now();
    JSON.parse(text);
    return performance.now() - startMs;
  });
  return Math.max(...timesMs.toSorted((a, b) => a - b).slice(0, 5));
}

/** Runs `work`, and returns the longest time between two turns of the event loop meanwhile, in milliseconds. */
async function measureBlock(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isDone = false;
  let lastMs = performance.now();
  const turn = (): void => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isDone = true;
  // The last turn counts the work after which the call ended.
  await new Promise((resolve) => setImmediate(resolve));
  return longestMs;
}

/** Makes a call again and again until it blocks less than the bound: other work of the machine does not block each time. */
async function findBlock(send: () => Promise<unknown>): Promise<number> {
  let shortestMs = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && shortestMs > boundMs; attempt++)
    shortestMs = Math.min(shortestMs, await measureBlock(send));
  return shortestMs;
}

/** Each call comes from another address, so that no limit refuses it before it costs anything. */
function send(method: Endpoint['method'], url: string, payload?: string) {
  addresses += 1;
  const device = app.openDevice({
    address: `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
  });
  return device.send(
    method,
    url,
    payload,
    payload === undefined ? {} : { 'content-type': 'application/json' },
  );
}

const nested = (bytes: number, open: string, close: string): string => {
  const depth = Math.floor(bytes / (open.length + close.length + 1));
  return `${open.repeat(depth)}0${close.repeat(depth)}`;
};

/** Values for one field, as JSON, that have made validators and parsers slow. */
const listValues = (bytes: number): [string, string][] => [
  ['a long text', JSON.stringify('a'.repeat(bytes))],
  ['an e-mail address of dots', JSON.stringify(`${'a.'.repeat(bytes / 2)}@`)],
  ['an e-mail address of hosts', JSON.stringify(`a@${'a-'.repeat(bytes / 4)}${'a.'.repeat(bytes / 4)}`)],
  ['spaces with a letter at the end', JSON.stringify(`${' '.repeat(bytes)}a`)],
  ['combining marks', JSON.stringify(`a${'\u0316\u0301'.repeat(bytes / 4)}`)],
  ['letters that become eighteen', JSON.stringify('\ufdfa'.repeat(bytes / 3))],
  ['digits', '9'.repeat(bytes)],
  ['a deep list', nested(bytes, '[', ']')],
  ['a deep object', nested(bytes, '{"a":', '}')],
  ['a list of lists', `[${'[],'.repeat(bytes / 3)}[]]`],
  [
    'an object of many keys',
    `{${Array.from({ length: bytes / 12 }, (_, index) => `"k${index}":1`).join(',')}}`,
  ],
];
const VALUES = [...listValues(PARSED_BYTES), ...listValues(BODY_BYTES)];

describe('the main thread is not held', () => {
  const withBody = publicCalls.filter(({ body }) => body);
  test.each(withBody.map((endpoint) => ({ endpoint, name: `${endpoint.method} ${endpoint.path}` })))(
    '$name, by no body',
    async ({ endpoint }) => {
      const names = Object.keys(endpoint.body?.shape ?? {});
      for (const [what, value] of VALUES) {
        for (const name of [...names, 'unknown'])
          expect(
            await findBlock(() => send(endpoint.method, urlOf(endpoint), `{"${name}":${value}}`)),
            `${name}: ${what}`,
          ).toBeLessThan(boundMs);
      }
    },
  );

  test.each(publicCalls.map((endpoint) => ({ endpoint, name: `${endpoint.method} ${endpoint.path}` })))(
    '$name, by no URL',
    async ({ endpoint }) => {
      const long = [LONG.slice(0, 15_000), '%20'.repeat(5_000), '%CC%81'.repeat(2_500), '-1.'.repeat(5_000)];
      const url = urlOf(endpoint);
      const queries = Object.keys(endpoint.query?.shape ?? {}).flatMap((name) =>
        long.map((value) => `${url}?${name}=${value}`),
      );
      const paths = endpoint.params ? long.map((value) => endpoint.path.replaceAll(/:\w+/g, value)) : [];
      for (const one of [url, `${url}?${'a=1&'.repeat(3_500)}`, ...queries, ...paths])
        expect(await findBlock(() => send(endpoint.method, one)), one.slice(0, 120)).toBeLessThan(boundMs);
    },
  );

  test('by no body for a call that does not exist', async () => {
    for (const [what, value] of VALUES)
      for (const url of ['/api/nothing', '/nothing', '/'])
        expect(await findBlock(() => send('POST', url, value)), what).toBeLessThan(boundMs);
  });

  test('by no password, with a valid code, invitation or link, and in a registration', async () => {
    const { userId, email } = await app.join();
    const code = 'abcdef'.repeat(4);
    await insertRecoveryCodes(app.db, userId, [hashRecoveryCode(code)]);
    const account = { firstName: 'Ana', lastName: 'Lima', email: 'ana@club.example' };
    // A weak end is refused, so that the code and the links stay valid.
    const weak = 'p4$$w0rd'.repeat(16);
    const bodies: [string, object][] = [
      ['/api/auth/recover', { email, code, newPassword: weak }],
      ['/api/auth/recover', { email: 'unknown@club.example', code, newPassword: SLOW_PASSWORD }],
      ['/api/auth/reset', { token: await app.makeLink({ purpose: 'reset', userId }), newPassword: weak }],
      ['/api/auth/invitation', { token: await app.makeLink({}), ...account, password: weak }],
      ['/api/auth/register', { ...account, password: weak }],
      ['/api/auth/register', { ...account, password: SLOW_PASSWORD }],
      ['/api/auth/password', { email, password: SLOW_PASSWORD }],
    ];
    for (const [url, body] of bodies)
      expect(await findBlock(() => send('POST', url, JSON.stringify(body))), url).toBeLessThan(boundMs);
  });
});

/** Fills the path of a call with ids that exist where they make the server work. */
const urlOf = ({ path }: Endpoint): string =>
  path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    name === 'trackId' ? trackId : '00000000-0000-4000-8000-000000000000',
  );

test('passwords are rated in a worker thread alone: no other file loads zxcvbn', () => {
  const folder = join(projectFolder, 'server');
  const users = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => path.endsWith('.ts') && readFileSync(join(folder, path), 'utf8').includes("'@zxcvbn-ts/"),
    )
    .filter((path) => !path.endsWith('.test.ts'));
  expect(users).toEqual(['features/sign-in/password-worker.ts']);
});
