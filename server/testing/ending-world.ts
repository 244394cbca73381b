import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { EndingThing } from '#server/model/people/what-ends.ts';
import { hashToken, newToken, signInCookieName } from '#server/model/people/auth-cookie.ts';
import { insertSignIn } from '#server/model/people/auth-session-store.ts';
import { users } from '#server/model/people/schema.ts';
import { openAuthenticator } from './authenticator.ts';
import { insertApiToken, insertTrack } from './builders.ts';
import { CLUB_URL, type ClubApp, type Device, type Member, PASSWORD } from './club-app.ts';
import type { ClubProvider } from './club-provider.ts';
import { openStream } from './open-stream.ts';

// An administrator who has two of everything that gives access, so that a test can see what an event ends and what it keeps.

export type EndingWorld = {
  owner: Member;
  person: Member;
  /** The session in which the events happen: the browser that made the account. */
  home: Device;
  /** The ids of the things that events about one thing end. */
  ids: { device: string; passkey: string; token: string; invitation: string };
  codes: readonly string[];
  /** Tells by using the thing, the first of two, whether it works. Ask in the order of `USES`. */
  works: Record<EndingThing, () => Promise<boolean>>;
  /** Does the same for the second of two things, which events about one thing keep. */
  worksToo: Partial<Record<EndingThing, () => Promise<boolean>>>;
  /** Tells whether the event streams of this session and of the other one are open. */
  hasStreams: () => { thisSession: boolean; otherSessions: boolean };
};

const is = (response: { statusCode: number }, refusal: 401 | 404): boolean => {
  if (response.statusCode !== 200 && response.statusCode !== refusal)
    throw new Error(`An unexpected answer: ${response.statusCode}`);
  return response.statusCode === 200;
};

async function addPasskey(device: Device) {
  const authenticator = openAuthenticator(CLUB_URL);
  const { options } = (await device.post('/api/account/passkeys/options')).json();
  const credential = authenticator.create(options.challenge);
  await device.post('/api/account/passkeys', { name: 'Key', credential });
  const { passkeys } = (await device.get('/api/account/credentials')).json();
  return { authenticator, id: String(passkeys.at(-1).id) };
}

/** Opens the event stream of a device; returns a function that says whether it is still open. */
async function openStreamOf(club: ClubApp, { cookies }: Device): Promise<() => boolean> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return (await openStream(club.fastify, { headers: { cookie } })).isOpen;
}

async function visitProvider(provider: ClubProvider, device: Device, url: string): Promise<void> {
  const back = new URL(await provider.visit(url));
  await device.get(back.pathname + back.search);
}

const hasSession = async (device: Device) => (await device.whoAmI()) === 200;

/** Makes a device with the cookies that another one has now. */
function copyDevice(club: ClubApp, { cookies }: Device, address: string): Device {
  const copy = club.openDevice({ address });
  for (const [name, value] of cookies) copy.cookies.set(name, value);
  return copy;
}

let worlds = 0;

/** Makes the person with everything. The target is a member whose password the person may set. */
export async function makeEndingWorld(
  club: ClubApp,
  provider: ClubProvider,
  { owner, target, emailVerified }: { owner: Member; target: Member; emailVerified: boolean },
): Promise<EndingWorld> {
  worlds += 1;
  const address = `198.51.100.${worlds}`;
  const { db } = club;
  await db.delete(users).where(eq(users.issuer, provider.settings.issuer));
  await club.database.pool.query('DELETE FROM linked_identities');
  const person = await club.join({ role: 'admin' });
  const { device: home, email, userId } = person;
  await db.update(users).set({ emailVerified }).where(eq(users.id, userId));
  const [phone, tablet] = [club.openDevice({ address }), club.openDevice({ address })];
  await phone.signIn(email);
  const { devices } = (await phone.get('/api/account/credentials')).json();
  const phoneId = devices.find((one: { isThisOne: boolean }) => one.isThisOne).id;
  await tablet.signIn(email);
  const begun = await home.post('/api/account/provider');
  await visitProvider(provider, home, begun.json().url);
  const keys = [await addPasskey(home), await addPasskey(home)];
  const tokens = [await insertApiToken(db, userId), await insertApiToken(db, userId)];
  const { codes } = (await home.post('/api/account/recovery-codes')).json<{ codes: string[] }>();
  const invite = async () =>
    tokenOf((await home.post('/api/admin/invitations', { role: 'member', days: 30 })).json().url);
  const invitations = [await invite(), await invite()];
  const { rows } = await club.database.pool.query('SELECT id FROM one_time_tokens WHERE token_sha256 = $1', [
    hashToken(invitations[0] ?? ''),
  ]);
  const resetOfTarget = tokenOf(
    (await home.post(`/api/admin/people/${target.userId}/reset-link`)).json().url,
  );
  const [signInLink, resetLink, confirmationLink] = [
    await club.makeLink({ purpose: 'sign-in', userId, email }),
    await club.makeLink({ purpose: 'reset', userId }),
    await club.makeLink({ purpose: 'confirmation', userId, email }),
  ];
  const live = await home.post('/api/live/sharing', {
    trackId: await insertTrack(db),
    visibility: 'link',
  });
  const liveCode = String(live.json().code);
  const before = copyDevice(club, home, address);
  const streams = [await openStreamOf(club, home), await openStreamOf(club, phone)];

  const open = (body: object, url: string) => club.openDevice({ address }).post(url, body);
  const look = async (kind: string, token: string) => is(await open({ kind, token }, '/api/auth/link'), 404);
  const accept = async (token = '') => {
    const account = { firstName: 'New', lastName: randomUUID(), password: PASSWORD };
    const body = { token, ...account, email: `${token.toLowerCase().slice(0, 20)}@club.example` };
    return is(await open(body, '/api/auth/invitation'), 404);
  };
  const callWith = async (token: (typeof tokens)[number] | undefined) =>
    is(await club.as({ headers: token?.headers ?? {}, remoteAddress: address }).get('/api/tracks'), 401);
  const usePasskey = async (key: (typeof keys)[number] | undefined) => {
    const device = club.openDevice({ address });
    const { options } = (await device.post('/api/auth/passkey/options')).json();
    const credential = key?.authenticator.get(options.challenge);
    return is(await device.post('/api/auth/passkey', { credential }), 401);
  };

  return {
    owner,
    person,
    home,
    ids: {
      device: phoneId,
      passkey: keys[0]?.id ?? '',
      token: tokens[0]?.id ?? '',
      invitation: rows[0].id,
    },
    codes,
    works: {
      password: async () => is(await club.openDevice({ address }).signIn(email), 401),
      passkeys: () => usePasskey(keys[0]),
      recoveryCodes: async () => {
        const body = { email, code: codes[0], newPassword: 'nine laps in the pouring rain' };
        return is(await open(body, '/api/auth/recover'), 401);
      },
      linkedIdentities: async () => {
        const device = club.openDevice({ address });
        await visitProvider(provider, device, (await device.get('/api/login')).headers.location ?? '');
        return (await device.get('/api/auth/user')).json().id === userId;
      },
      apiTokens: () => callWith(tokens[0]),
      liveSharing: async () => is(await club.openDevice({ address }).get(`/api/live/${liveCode}`), 404),
      signInLinks: async () => is(await open({ token: signInLink }, '/api/auth/sign-in-link'), 404),
      resetLinks: () => look('reset', resetLink),
      confirmationLinks: async () => {
        const exists = (await db.$count(users, eq(users.id, userId))) > 0;
        if (!exists) return await look('confirmation', confirmationLink);
        const device = club.openDevice({ address });
        const token = newToken();
        await insertSignIn(db, hashToken(token), { userId, lastsMs: 60_000 });
        device.cookies.set(signInCookieName(CLUB_URL), token);
        return is(await device.post('/api/auth/confirmation', { token: confirmationLink }), 404);
      },
      linksMade: async () => {
        const [invitation, reset] = [await accept(invitations[0]), await look('reset', resetOfTarget)];
        // The withdrawal of one invitation keeps the link for a password.
        return invitation && reset;
      },
      thisSession: () => hasSession(before),
      otherSessions: () => hasSession(phone),
    },
    worksToo: {
      passkeys: () => usePasskey(keys[1]),
      apiTokens: () => callWith(tokens[1]),
      linksMade: async () => (await look('reset', resetOfTarget)) && (await accept(invitations[1])),
      otherSessions: () => hasSession(tablet),
    },
    hasStreams: () => ({ thisSession: streams[0]?.() === true, otherSessions: streams[1]?.() === true }),
  };
}

function tokenOf(url: string): string {
  return new URL(url).hash.slice(1);
}

/** Lists the uses in an order in which they do not disturb each other: a recovery ends most of the others. */
export const USES: readonly EndingThing[] = [
  'thisSession',
  'otherSessions',
  'apiTokens',
  'liveSharing',
  'linksMade',
  'signInLinks',
  'confirmationLinks',
  'resetLinks',
  'password',
  'passkeys',
  'linkedIdentities',
  'recoveryCodes',
];
