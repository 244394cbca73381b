import { afterAll, beforeEach, expect, test } from 'vitest';
import { CLUB_URL, type Device, type Member, useClubApp } from '#server/testing/club-app.ts';
import { type ClubProvider, startClubProvider } from '#server/testing/club-provider.ts';

// Accounts of this server next to an outside provider, whose identities are linked to them on purpose only.

let provider: ClubProvider;
const club = useClubApp(async () => {
  provider = await startClubProvider(`${CLUB_URL}/api/auth/callback`);
  return { settings: { oidc: provider.settings } };
});
let member: Member;

beforeEach(async () => {
  member = await club.join();
});
afterAll(async () => {
  await provider.close();
});

const look = async ({ device }: Member) =>
  (await device.get('/api/account/credentials')).json().linkableProvider;

/** Goes to the provider and comes back with `device`; gives where the browser ends. */
async function link({ device }: Member, comesBack: Device = device): Promise<string | undefined> {
  const begun = await device.post('/api/account/provider');
  for (const [name, value] of device.cookies) if (comesBack !== device) comesBack.cookies.set(name, value);
  const back = new URL(await provider.visit(begun.json().url));
  return (await comesBack.get(back.pathname + back.search)).headers.location;
}

test('an identity is linked, signs in to the account, and is unlinked; each is in the log and a notice', async () => {
  expect(await look(member)).toMatchObject({ isLinked: false });
  expect(await link(member)).toBe('/profile/edit/sign-in?done=linked');
  expect(await look(member)).toMatchObject({ isLinked: true });

  const phone = club.openDevice();
  const begun = await phone.get('/api/login?returnTo=/');
  const back = new URL(await provider.visit(begun.headers.location ?? ''));
  await phone.get(back.pathname + back.search);
  expect((await phone.get('/api/auth/user')).json()).toMatchObject({ id: member.userId });

  expect((await member.device.delete('/api/account/provider')).statusCode).toBe(200);
  expect(await look(member)).toMatchObject({ isLinked: false });
  const { rows } = await club.database.pool.query(
    `SELECT action FROM audit_log WHERE user_id = $1 AND action LIKE '%link%' ORDER BY at`,
    [member.userId],
  );
  expect(rows).toEqual([{ action: 'link-provider' }, { action: 'unlink-provider' }]);
  const { notices } = (await member.device.get('/api/notices')).json();
  expect(notices.map(({ text }: { text: string }) => text.split('.')[0])).toEqual([
    'A provider was unlinked from your account',
    'Another provider was linked to your account',
  ]);
});

test('an identity of somebody else, or one that another user brings back, is not linked', async () => {
  const first = await club.join();
  expect(await link(first)).toBe('/profile/edit/sign-in?done=linked');
  expect(await link(member)).toBe('/profile/edit/sign-in?error=linked');
  expect(await look(member)).toMatchObject({ isLinked: false });
  await first.device.delete('/api/account/provider');
  await member.device.post('/api/logout');
  expect((await member.device.post('/api/account/provider')).statusCode).toBe(401);
});
