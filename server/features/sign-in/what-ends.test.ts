import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASKED_ABOUT } from '#contract/sign-in/labels.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { users } from '#server/model/people/schema.ts';
import { findDeletion } from '#server/model/people/deletion-store.ts';
import {
  ENDING_THINGS,
  type EndingEvent,
  type EndingThing,
  findEnding,
  WHAT_ENDS,
} from '#server/model/people/what-ends.ts';
import { CLUB_URL, type Member, PASSWORD, useClubApp } from '#server/testing/club-app.ts';
import { type ClubProvider, startClubProvider } from '#server/testing/club-provider.ts';
import { type EndingWorld, makeEndingWorld, USES } from '#server/testing/ending-world.ts';

// Walks through every cell of the table 'what ends with what'.

const POLL_MS = 50;

let provider: ClubProvider;
const club = useClubApp(async () => {
  provider = await startClubProvider(`${CLUB_URL}/api/auth/callback`);
  return { settings: { oidc: provider.settings }, noticePollMs: POLL_MS };
});
let owner: Member;
let target: Member;

beforeAll(async () => {
  owner = await club.join({ role: 'owner' });
  target = await club.join();
});
afterAll(() => provider.close());

const NEW_PASSWORD = 'eleven wet laps in the dark';

type Answer = Promise<{ statusCode: number }>;

const suspend = ({ person }: EndingWorld, isSuspended: boolean): Answer =>
  owner.device.put(`/api/admin/people/${person.userId}/suspension`, { isSuspended });

const changePassword = ({ home }: EndingWorld, alsoEnd: readonly EndingThing[] = []) =>
  home.put('/api/account/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, alsoEnd });

/** Lets each event happen, with the call that a browser makes. */
const HAPPENINGS: Record<EndingEvent, (world: EndingWorld) => Answer> = {
  emailFirstProved: async ({ person: { userId, email } }) => {
    const token = await club.makeLink({ purpose: 'sign-in', userId, email });
    return await club.openDevice().post('/api/auth/sign-in-link', { token });
  },
  passwordChanged: (world) => changePassword(world),
  passwordReset: async ({ person: { userId } }) => {
    const token = await club.makeLink({ purpose: 'reset', userId });
    return await club.openDevice().post('/api/auth/reset', { token, newPassword: NEW_PASSWORD });
  },
  recoveryCodeUsed: ({ person: { email }, codes }) =>
    club.openDevice().post('/api/auth/recover', { email, code: codes[9], newPassword: NEW_PASSWORD }),
  roleLowered: ({ person }) => owner.device.put(`/api/admin/users/${person.userId}/role`, { role: 'member' }),
  suspended: async (world) => {
    const answer = await suspend(world, true);
    // Only a person who is let in again shows what has ended for good.
    await club.database.pool.query('UPDATE users SET suspended_at = NULL WHERE id = $1', [
      world.person.userId,
    ]);
    return answer;
  },
  // The call does the same for a person who is not suspended; a suspension before it would end the streams.
  restored: (world) => suspend(world, false),
  left: async ({ home, person, hasStreams }) => {
    const deletion = await findDeletion(club.db, person.userId);
    const answer = await home.send('DELETE', '/api/account', { name: deletion?.name ?? '' });
    await expect.poll(hasStreams, { timeout: 60_000 }).toEqual({ thisSession: false, otherSessions: false });
    // Only a person who keeps the account shows what has ended for good.
    await home.delete('/api/account/deletion');
    return answer;
  },
  removed: ({ person }) => owner.device.delete(`/api/admin/people/${person.userId}`),
  signedIn: ({ home, person }) => home.signIn(person.email),
  signedOut: ({ home }) => home.post('/api/logout'),
  signedOutElsewhere: ({ home }) => home.delete('/api/account/devices'),
  deviceSignedOut: ({ home, ids }) => home.delete(`/api/account/devices/${ids.device}`),
  passkeyRemoved: ({ home, ids }) => home.delete(`/api/account/passkeys/${ids.passkey}`),
  recoveryCodesReplaced: ({ home }) => home.post('/api/account/recovery-codes'),
  providerUnlinked: ({ home }) => home.delete('/api/account/provider'),
  apiTokenRevoked: ({ home, ids }) => home.delete(`/api/account/tokens/${ids.token}`),
  invitationWithdrawn: ({ home, ids }) => home.delete(`/api/admin/invitations/${ids.invitation}`),
};

const EVENTS = Object.keys(WHAT_ENDS).filter((event): event is EndingEvent => event in WHAT_ENDS);

const makeWorld = (emailVerified = true) => makeEndingWorld(club, provider, { owner, target, emailVerified });

/** Uses everything, and returns the things that have ended. The last use ends most others, so streams are looked at before. */
async function listEnded({ works }: EndingWorld, lookAtStreams = async () => {}): Promise<EndingThing[]> {
  const ended: EndingThing[] = [];
  for (const thing of USES) {
    if (thing === USES.at(-1)) await lookAtStreams();
    if (!(await works[thing]())) ended.push(thing);
  }
  return ended;
}

const inOrder = (things: readonly EndingThing[]) => ENDING_THINGS.filter((thing) => things.includes(thing));

const endingOf = (event: EndingEvent, ending: string) =>
  ENDING_THINGS.filter((thing) => findEnding(event, thing) === ending);

describe('every cell of the table', () => {
  test('everything works before anything happens', async () => {
    const world = await makeWorld();
    expect(await listEnded(world)).toEqual([]);
    for (const works of Object.values((await makeWorld()).worksToo)) expect(await works()).toBe(true);
  });

  test.each(EVENTS)('%s', async (event) => {
    const world = await makeWorld(event !== 'emailFirstProved');
    expect(world.hasStreams()).toEqual({ thisSession: true, otherSessions: true });
    expect((await HAPPENINGS[event](world)).statusCode).toBe(200);
    const looked = sleep(6 * POLL_MS);

    const [all, one] = [endingOf(event, 'ends'), endingOf(event, 'one')];
    for (const thing of one) expect(await world.worksToo[thing]?.(), `the other of ${thing}`).toBe(true);
    const isOpen = (thing: EndingThing) => ![...all, ...one].includes(thing);
    const ended = await listEnded(world, async () => {
      // A stream ends with its session at the next poll; a busy machine takes longer.
      await looked;
      await expect
        .poll(() => world.hasStreams(), { timeout: 60_000 })
        .toEqual({
          // The streams of a user who leaves end at once; the session stays.
          thisSession: event !== 'left' && isOpen('thisSession'),
          otherSessions: isOpen('otherSessions'),
        });
    });
    expect(inOrder(ended)).toEqual(inOrder([...all, ...one]));
  });
});

describe('what is asked about', () => {
  test('ends with a changed password where the person says so; the answer counts what has ended', async () => {
    const asked = ENDING_THINGS.filter((thing) => findEnding('passwordChanged', thing) === 'asks');
    expect(asked).toEqual(ASKED_ABOUT);
    for (const thing of asked) {
      const world = await makeWorld();
      const answer = await changePassword(world, [thing]);
      expect(answer.json()).toEqual({
        changed: true,
        ended: { apiTokens: 2, recoveryCodes: 10, linksMade: 3 },
      });
      for (const one of asked)
        expect(await world.works[one](), `${one}, where ${thing} ends`).toBe(one !== thing);
    }
  });

  test('is nothing else: a call that names what ends anyway is refused', async () => {
    const { home } = await makeWorld();
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, alsoEnd: ['apiTokens'] };
    expect((await home.put('/api/account/password', body)).statusCode).toBe(400);
  });

  test.each(['passwordReset', 'recoveryCodeUsed'] as const)(
    'is counted in the answer to %s, and removed by the person',
    async (event) => {
      const world = await makeWorld();
      const { userId, email } = world.person;
      const token = await club.makeLink({ purpose: 'reset', userId });
      const device = club.openDevice();
      const answer =
        event === 'passwordReset'
          ? await device.post('/api/auth/reset', { token, newPassword: NEW_PASSWORD })
          : await device.post('/api/auth/recover', {
              email,
              code: world.codes[3],
              newPassword: NEW_PASSWORD,
            });
      // The code that was used is not among those that have ended.
      const recoveryCodes = event === 'passwordReset' ? 10 : 9;
      expect(answer.json()).toEqual({
        signedIn: true,
        ended: { apiTokens: 2, recoveryCodes, linksMade: 3 },
        kept: { passkeys: 2, linkedIdentities: 1 },
      });
      expect((await device.delete(`/api/account/passkeys/${world.ids.passkey}`)).statusCode).toBe(200);
      expect((await device.delete('/api/account/provider')).statusCode).toBe(200);
      expect(await world.works.passkeys()).toBe(false);
      expect(await world.works.linkedIdentities()).toBe(false);
    },
  );
});

test('the first proof ends the same things whichever mailed link proves the address', async () => {
  for (const purpose of ['reset', 'confirmation'] as const) {
    const world = await makeWorld(false);
    const { userId, email } = world.person;
    const token = await club.makeLink({ purpose, userId, email });
    const answer =
      purpose === 'reset'
        ? await club.openDevice().post('/api/auth/reset', { token, newPassword: NEW_PASSWORD })
        : await world.home.post('/api/auth/confirmation', { token });
    expect(answer.statusCode).toBe(200);
    expect(inOrder(await listEnded(world))).toEqual([...ENDING_THINGS]);
    // The browser that confirmed goes on with a new session, to choose a new password.
    if (purpose === 'confirmation') expect(await world.home.whoAmI()).toBe(200);
  }
});

test('a proof of an address that is verified already ends nothing', async () => {
  const world = await makeWorld();
  const [{ emailVerified } = {}] = await club.db
    .select({ emailVerified: users.emailVerified })
    .from(users)
    .where(eq(users.id, world.person.userId));
  expect(emailVerified).toBe(true);
  await HAPPENINGS.emailFirstProved(world);
  expect(await listEnded(world)).toEqual([]);
});

test('the documentation shows the same table', async () => {
  const text = await readFile(join(projectFolder, 'docs/authentication.md'), 'utf8');
  const lines = text.slice(text.indexOf('## What ends with what')).split('\n');
  const table = lines.filter((line) => line.startsWith('|')).map(readCells);
  const [head, , ...rows] = table;
  expect(head?.slice(1)).toEqual(ENDING_THINGS.map((thing) => `\`${thing}\``));
  expect(rows.map(([event]) => event?.split('`')[1])).toEqual(EVENTS);
  for (const [event, ...cells] of rows) {
    const name = EVENTS.find((one) => event?.includes(`\`${one}\``));
    expect(cells, name).toEqual(ENDING_THINGS.map((thing) => (name && findEnding(name, thing)) ?? ''));
  }
});

function readCells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}
