import { beforeAll, expect, test } from 'vitest';
import { ENDPOINTS } from '#contract/api.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { TokenScope } from '#contract/sign-in/labels.ts';
import { insertPassword } from '#server/model/people/credential-store.ts';
import { OWN_ISSUER } from '#server/model/people/identity.ts';
import { webhooks } from '#server/model/webhooks/schema.ts';
import {
  ageSignIns,
  insertApiToken,
  insertSignedIn,
  insertTrack,
  insertUser,
  type SignedIn,
} from '../builders.ts';
import { type HeldThings, openHeldThings } from '../held-things.ts';
import { insertStrangers, nameOf, type Strangers } from '../strangers.ts';
import { bodiesOfEvent } from '../race-events.ts';
import { type Person, useTestApp } from '../test-app.ts';

// access-table.txt says who may make which call. A call that is new, or that answers somebody otherwise, fails this test; read the
// difference before `PITBOARD_LONG_TESTS=on npx vitest run server/testing/hostile/access-table -u` writes it.

const app = useTestApp({ settings: { hasOwnAccounts: true, registration: 'open' }, callsAreBlind: true });
let strangers: Strangers;
let things: HeldThings;
let addresses = 0;

beforeAll(async () => {
  strangers = await insertStrangers(app, { issuer: OWN_ISSUER });
  things = openHeldThings(app, strangers);
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

/** Lists the columns of the table: `mine` is a member whose data a call is about, `other` another member. */
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

/** Rows for calls whose answer depends on more than the path. */
const VARIANTS: Record<string, Record<string, Variant>> = {
  'POST /api/admin/invitations': {
    'role moderator': { body: { role: 'moderator' } },
    'role owner': { body: { role: 'owner' } },
  },
  'PUT /api/admin/users/:userId/role': {
    'to admin': { body: { role: 'admin' } },
    'of an admin': { insertIds: () => insertPerson('admin') },
  },
  'DELETE /api/admin/people/:userId': { 'an admin': { insertIds: () => insertPerson('admin') } },
  'POST /api/admin/people/:userId/reset-link': { 'of an admin': { insertIds: () => insertPerson('admin') } },
  'PUT /api/admin/people/:userId/suspension': { 'of an admin': { insertIds: () => insertPerson('admin') } },
  'GET /api/sessions/:id/export': {
    'of a flagged lap': { insertIds: (holder) => things.insertFlaggedUpload(holder) },
  },
  'DELETE /api/admin/tracks/:trackId': {
    official: { insertIds: async () => ({ trackId: await insertTrack(app.db) }) },
    'with laps': { query: '?laps=remove' },
  },
};

type Ids = Record<string, string>;
type Variant = { body?: object; query?: string; insertIds?: (holder: SignedIn) => Promise<Ids> };

const insertPerson = async (role: Role): Promise<Ids> => {
  const userId = await insertUser(app.db, { issuer: OWN_ISSUER, role });
  await insertPassword(app.db, { userId, email: `${userId}@club.example`, hash: 'none' });
  return { userId };
};

/** Parameters that name nothing of anybody. */
const EXAMPLES: Ids = {
  name: 'backup-20260607-022300-000',
  kind: 'digest',
  fileName: 'none',
  courseId: '00000000-0000-4000-8000-000000000000',
};

async function insertIdsFor(endpoint: Endpoint, holder: SignedIn, { insertIds }: Variant): Promise<Ids> {
  return { ...EXAMPLES, ...(await things.insertFor(endpoint, holder)), ...(await insertIds?.(holder)) };
}

function urlFor(endpoint: Endpoint, ids: Ids, { query }: Variant): string {
  const path = /:(key|token)$/.test(endpoint.path)
    ? strangers.pathOfOwners(endpoint)
    : endpoint.path.replaceAll(/:(\w+)/g, (_match, name: string) => ids[name] ?? `no-${name}`);
  return path + (query ?? queryFor(endpoint, ids));
}

/** Returns the query that a call cannot do without. */
function queryFor({ path }: Endpoint, ids: Ids): string {
  if (path.endsWith('/comparison')) return `?with=${ids['with']}`;
  return /Id\/export$|:id\/export$/.test(path) ? '?as=vbo' : '';
}

/** Says what a call answered; see the legend. */
async function classify(
  endpoint: Endpoint,
  { name, caller, variant }: { name: string; caller: SignedIn | null; variant: Variant },
): Promise<string> {
  const holder = name === 'mine' && caller ? caller : strangers.owner;
  const ids = await insertIdsFor(endpoint, holder, variant);
  const url = urlFor(endpoint, ids, variant);
  const isOfEvent = endpoint.path.startsWith('/api/events/');
  const body =
    variant.body ?? (isOfEvent ? bodiesOfEvent(ids)[nameOf(endpoint)] : await bodyFor(endpoint, caller));
  addresses += 1;
  const person: Person = {
    ...(caller && { headers: caller.headers }),
    remoteAddress: `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`,
  };
  const { statusCode, body: answer } = await app.as(person).send(endpoint.method, url, body);
  expect([429, 500], `${name}: ${endpoint.method} ${url}`).not.toContain(statusCode);
  if (answer.includes('"confirmation_needed"')) return 'again';
  return statusCode < 400 ? 'ok' : String(statusCode);
}

/** Bodies that every caller sends with another name, because the first call takes the name. */
const NEW_BODIES: Record<string, (index: number) => object> = {
  'POST /api/auth/register': (index) => ({
    firstName: 'New',
    lastName: `Member ${index}`,
    email: `new-${index}@club.example`,
    password: 'seven kerbs and a hairpin',
  }),
  'POST /api/user-cars/proposals': (index) => ({ make: 'Jem', modelFamily: 'Bruja', variant: `1.${index}` }),
};

async function bodyFor(endpoint: Endpoint, caller: SignedIn | null): Promise<object | undefined> {
  if (!endpoint.body) return undefined;
  const newBody = NEW_BODIES[nameOf(endpoint)];
  if (newBody) return newBody((addresses += 1));
  try {
    return await strangers.bodyOf(endpoint, caller ?? strangers.visitor);
  } catch {
    // This caller may not send the image that the body would name.
    return await strangers.bodyOf(endpoint, strangers.visitor);
  }
}

test('every call answers every kind of caller as access-table.txt says', async () => {
  // A club has 20 webhooks at most, so a second attempt needs the place that those of the first have taken.
  await app.db.delete(webhooks);
  const names = Object.keys(CALLERS);
  const nameWidth = Math.max(...listRows().map(([title]) => title.length));
  const format = (title: string, cells: readonly string[]): string =>
    [title.padEnd(nameWidth), ...cells.map((cell, index) => cell.padEnd(names[index]?.length ?? 0))]
      .join('  ')
      .trimEnd();
  const lines: string[] = [];
  const readers = new Map<string, SignedIn | null>();
  for (const [name, open] of Object.entries(CALLERS)) readers.set(name, await open());
  for (const [title, endpoint, variant] of listRows()) {
    const answers = Object.entries(CALLERS).map(async ([name, open]) => {
      const reader = endpoint.method === 'GET' ? readers.get(name) : undefined;
      return classify(endpoint, { name, caller: reader === undefined ? await open() : reader, variant });
    });
    lines.push(format(title, await Promise.all(answers)));
  }
  const table = [...LEGEND, '', format('', names), ...lines, ''].join('\n');
  await expect(table).toMatchFileSnapshot('access-table.txt');
});

test('no call that reads fails on what all the others have left behind', async () => {
  const { guest, owner } = CALLERS;
  const callers = [await guest?.(), await owner?.()];
  for (const [title, endpoint, variant] of listRows().filter(([, { method }]) => method === 'GET')) {
    // `classify` requires that none answers 500.
    await Promise.all(
      callers.map((caller) =>
        classify(endpoint, { name: `${title} again`, caller: caller ?? null, variant }),
      ),
    );
  }
});

function listRows(): [title: string, endpoint: Endpoint, variant: Variant][] {
  return ENDPOINTS.flatMap((endpoint) => [
    [nameOf(endpoint), endpoint, {}],
    ...Object.entries(VARIANTS[nameOf(endpoint)] ?? {}).map(
      ([title, variant]): [string, Endpoint, Variant] => [`  ${title}`, endpoint, variant],
    ),
  ]);
}

const LEGEND = [
  'Who may make which call. access-table.long.test.ts makes every one of them, about something real of one person.',
  '',
  'ok     the call was made',
  '401    sign in first; in a sign-in itself, a wrong password, code or passkey',
  '403    not allowed: too small a role, data of somebody else, a token without the scope, a suspended account',
  'again  the sign-in is older than 15 minutes',
  '4xx    allowed, and refused for what the call says: 400 and 415 for its body, 404 for a link, file or backup that does not exist, 409',
  '',
  'mine, other               members; in calls about data of one person, that person and another',
  'read, upload, administer  API tokens of an owner with that one scope',
  'old member, old owner     signed in 16 minutes ago',
];
