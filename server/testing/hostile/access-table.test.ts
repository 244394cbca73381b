import { beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { TokenScope } from '#contract/sign-in/labels.ts';
import { OWN_ISSUER } from '#server/model/people/identity.ts';
import {
  ageSignIns,
  insertApiToken,
  insertDevice,
  insertPasskeyRow,
  insertPendingFile,
  insertSavedComparison,
  insertSession,
  insertSignedIn,
  insertTrack,
  insertUser,
  insertUserCar,
  type SignedIn,
} from '../builders.ts';
import { insertStrangers, nameOf, type Strangers } from '../strangers.ts';
import { type Person, useTestApp } from '../test-app.ts';

// access-table.txt says who may make which call. A call that is new, or that answers somebody otherwise, fails this test; read the
// difference before `npx vitest run server/testing/hostile/access-table -u` writes it.

const app = useTestApp({ settings: { hasOwnAccounts: true, registration: 'open' }, callsAreBlind: true });
let strangers: Strangers;
let addresses = 0;

beforeAll(async () => {
  strangers = await insertStrangers(app, { issuer: OWN_ISSUER });
});

type Role = 'member' | 'moderator' | 'admin' | 'owner';
type Given = { role?: Role; suspendedAt?: Date };

// Every change has a caller of its own, so that a call that removes an account or ends its sessions changes no other.
const sign = (given: Given = {}): Promise<SignedIn> =>
  insertSignedIn(app.db, { issuer: OWN_ISSUER, ...given });

const signLongAgo = async (role: Role): Promise<SignedIn> => {
  const caller = await sign({ role });
  await ageSignIns(app.db, caller.userId);
  return caller;
};

const withToken = async (scope: TokenScope): Promise<SignedIn> => {
  const { userId } = await sign({ role: 'owner' });
  return { userId, headers: { cookie: '', ...(await insertApiToken(app.db, userId, [scope])).headers } };
};

/** The columns of the table: `mine` is a member whose data a call is about, `other` another member. */
const CALLERS: Record<string, () => Promise<SignedIn | null>> = {
  guest: async () => null,
  mine: () => sign(),
  other: () => sign(),
  moderator: () => sign({ role: 'moderator' }),
  admin: () => sign({ role: 'admin' }),
  owner: () => sign({ role: 'owner' }),
  suspended: () => sign({ role: 'owner', suspendedAt: new Date() }),
  read: () => withToken('read'),
  upload: () => withToken('upload'),
  administer: () => withToken('admin'),
  'old member': () => signLongAgo('member'),
  'old owner': () => signLongAgo('owner'),
};

/** Makes something of one person for the id in a path. All other ids do not exist, so that no call changes anything. */
const THINGS: Record<string, (userId: SignedIn['userId']) => Promise<string>> = {
  'pending-files/:fileToken': (userId) => insertPendingFile(app.db, userId),
  'sessions/:id': async (userId) =>
    insertSession(app.db, { trackId: await insertTrack(app.db), userId, laps: [{ lapTimeMs: 60_000 }] }),
  'tokens/:tokenId': async (userId) => (await insertApiToken(app.db, userId)).id,
  'user-cars/:id': (userId) => insertUserCar(app.db, { userId }),
  'cars/:id/photo': (userId) => insertUserCar(app.db, { userId }),
  'passkeys/:passkeyId': (userId) => insertPasskeyRow(app.db, userId),
  'devices/:deviceId': (userId) => insertDevice(app.db, userId),
  'comparisons/:comparisonId': (userId) => insertSavedComparison(app.db, userId),
  // Somebody whom the call may suspend or remove.
  'admin/people/:userId': () => insertUser(app.db, { issuer: OWN_ISSUER }),
  'admin/users/:userId': () => insertUser(app.db, { issuer: OWN_ISSUER }),
};

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
const EXAMPLES: Record<string, string> = { name: 'backup-20260607-022300-000' };

/** A call whose query is wrong would be refused before anybody asks whose data it is about. */
const QUERIES: Record<string, string> = { '/export': '?as=vbo' };

async function urlFor({ path }: Endpoint, userId: SignedIn['userId'] | null): Promise<string> {
  const [, insert] = Object.entries(THINGS).find(([part]) => path.includes(part)) ?? [];
  const id = insert && userId ? await insert(userId) : UNKNOWN_ID;
  const [, query = ''] = Object.entries(QUERIES).find(([ending]) => path.endsWith(ending)) ?? [];
  return path.replaceAll(/:(\w+)/g, (_match, name: string) => EXAMPLES[name] ?? id) + query;
}

/** Classifies an answer: refused for a missing sign-in, a missing permission or an old sign-in, or none of these. */
async function classify(endpoint: Endpoint, name: string, caller: SignedIn | null): Promise<string> {
  const holder = name === 'mine' ? caller : strangers.owner;
  const url = await urlFor(endpoint, holder?.userId ?? null);
  const body = await bodyFor(endpoint, caller);
  addresses += 1;
  const person: Person = {
    ...(caller && { headers: caller.headers }),
    remoteAddress: `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
  };
  const { statusCode, body: answer } = await app.as(person).send(endpoint.method, url, body);
  expect(statusCode, `${name}: ${endpoint.method} ${url}`).not.toBe(500);
  if (answer.includes('"confirmation_needed"')) return 'again';
  return [401, 403].includes(statusCode) ? String(statusCode) : 'open';
}

async function bodyFor(endpoint: Endpoint, caller: SignedIn | null): Promise<object | undefined> {
  if (!endpoint.body) return undefined;
  try {
    return await strangers.bodyOf(endpoint, caller ?? strangers.visitor);
  } catch {
    // This caller may not send the image that the body would name.
    return await strangers.bodyOf(endpoint, strangers.visitor);
  }
}

test('every call answers every kind of caller as access-table.txt says', async () => {
  const names = Object.keys(CALLERS);
  const nameWidth = Math.max(...ENDPOINTS.map((endpoint) => nameOf(endpoint).length));
  const format = (title: string, cells: readonly string[]): string =>
    [title.padEnd(nameWidth), ...cells.map((cell, index) => cell.padEnd(names[index]?.length ?? 0))]
      .join('  ')
      .trimEnd();
  const lines: string[] = [];
  const readers = new Map<string, SignedIn | null>();
  for (const [name, open] of Object.entries(CALLERS)) readers.set(name, await open());
  for (const endpoint of ENDPOINTS) {
    const answers = Object.entries(CALLERS).map(async ([name, open]) => {
      const reader = endpoint.method === 'GET' ? readers.get(name) : undefined;
      return classify(endpoint, name, reader === undefined ? await open() : reader);
    });
    const cells = await Promise.all(answers);
    lines.push(format(nameOf(endpoint), cells));
  }
  const table = [...LEGEND, '', format('', names), ...lines, ''].join('\n');
  await expect(table).toMatchFileSnapshot('access-table.txt');
});

const LEGEND = [
  'Who may make which call. access-table.test.ts makes every one of them.',
  '',
  'open   neither of these: the call was made, or refused for what it asks for',
  '401    sign in first; in a sign-in itself, a wrong password, code or passkey',
  '403    not allowed: too small a role, data of somebody else, a token without the scope, a suspended account',
  'again  the sign-in is older than 15 minutes',
  '',
  'mine, other               members; in calls about data of one person, that person and another',
  'read, upload, administer  API tokens of an owner with that one scope',
  'old member, old owner     signed in 16 minutes ago',
];
