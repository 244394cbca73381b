import { expect, test } from 'vitest';
import { findIdentityUser } from '#server/model/people/auth-session-store.ts';
import { identityFromClaims } from '#server/model/people/identity.ts';
import { findUser } from '#server/model/people/user-store.ts';
import { insertSession, insertTrack, insertUser, signIn, type SignedIn } from '../builders.ts';
import { PASSWORD, useClubApp } from '../club-app.ts';

// Every attack in this file was possible once: a name that looks like that of another driver, or that hides or turns text.

const club = useClubApp(async () => ({ settings: { registration: 'open' as const } }));

let addresses = 0;

const send = async (path: string, names: { firstName: string; lastName: string }, more: object = {}) => {
  addresses += 1;
  const account = { email: `person-${addresses}@club.example`, password: PASSWORD, ...names };
  const device = club.openDevice({ address: `198.51.100.${addresses}` });
  return await device.post(path, { ...account, ...more });
};

const register = async (firstName: string, lastName: string) =>
  await send('/api/auth/register', { firstName, lastName });

test('no account begins with a name that looks like that of another driver, by whatever door', async () => {
  await insertUser(club.db, { firstName: 'Olga', lastName: 'Owner' });
  await insertUser(club.db, { firstName: 'Test', lastName: 'Person', displayName: 'Late Braker' });
  for (const [firstName, lastName] of [
    ['Olga', 'Owner'],
    ['olga', 'OWNER'],
    ['ОIga', 'Оwnеr'], // Cyrillic letters and a capital I
    ['Late', 'Braker'],
  ] as const) {
    const invitation = { token: await club.makeLink({ role: 'member' }) };
    for (const refused of [
      await register(firstName, lastName),
      await send('/api/auth/invitation', { firstName, lastName }, invitation),
    ]) {
      expect(refused.statusCode, `${firstName} ${lastName}`).toBe(409);
      expect(refused.json().fields).toEqual({ lastName: expect.stringContaining('looks the same') });
    }
    // The invitation is not used up.
    const names = { firstName: 'Another', lastName: `Person ${++addresses}` };
    expect((await send('/api/auth/invitation', names, invitation)).statusCode).toBe(200);
  }
  const setUp = {
    token: await club.makeLink({ purpose: 'set-up' }),
    clubName: 'Club',
    timeZone: 'UTC',
    registration: 'open',
  };
  expect((await send('/api/auth/set-up', { firstName: 'Late', lastName: 'Braker' }, setUp)).statusCode).toBe(
    409,
  );
});

test('of two who register under one name at once one gets it', async () => {
  const answers = await Promise.all([register('The Only', 'One'), register('The Only', 'One')]);
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test.each(['An\u202ea', 'An\u200ba', 'An\na', '\u2800', '\u3164', 'Ana\u2066'])(
  'a name that hides or turns text is refused where it is typed (%#)',
  async (name) => {
    for (const refused of [await register(name, 'Li'), await register('Ana', name)]) {
      expect(refused.statusCode).toBe(400);
    }
  },
);

const ISSUER = 'https://issuer.example';

async function comeFromProvider(subject: string, claims: Record<string, unknown>) {
  const userId = await findIdentityUser(club.db, identityFromClaims(ISSUER, subject, claims));
  const user = await findUser(club.db, userId);
  return { userId, name: [user?.firstName, user?.lastName].filter(Boolean).join(' ') };
}

test('a provider that gives the name of another driver gives it with a number, the same at every sign-in', async () => {
  await insertUser(club.db, { firstName: 'Petra', lastName: 'Pole' });
  const claims = { given_name: 'Petra', family_name: 'Pole' };
  const second = await comeFromProvider('petra-2', claims);
  expect(second.name).toBe('Petra Pole 2');
  const third = await comeFromProvider('petra-3', { name: 'PETRA POLE' });
  expect(third.name).toBe('PETRA POLE 3');
  expect(await comeFromProvider('petra-2', claims)).toEqual(second);
  expect(await comeFromProvider('petra-3', { name: 'PETRA POLE' })).toEqual(third);
  // A name in one piece.
  await insertUser(club.db, { displayName: 'Cher' });
  expect((await comeFromProvider('cher', { name: 'Cher' })).name).toBe('Cher 2');
  // A driver with another name who takes that of the first at the provider.
  const renamed = await comeFromProvider('renamed', { name: 'Ruth Real' });
  expect(renamed.name).toBe('Ruth Real');
  expect((await comeFromProvider('renamed', claims)).name).toBe('Petra Pole 4');
  const unnamed = await comeFromProvider('unnamed', {});
  expect(unnamed.name).toBe('');
});

test('the name on a board is the one with the number', async () => {
  await insertUser(club.db, { firstName: 'Bo', lastName: 'Ard' });
  const { userId } = await comeFromProvider('bo', { name: 'Bo Ard' });
  const trackId = await insertTrack(club.db);
  await insertSession(club.db, { trackId, userId, laps: [{ lapTimeMs: 60_000 }] });
  const [record] = (await club.asGuest().get(`/api/laps/track/${trackId}/best`)).json();
  expect(record).toMatchObject({ userName: 'Bo Ard 2' });
});

test('a provider cannot send names that hide or turn text', async () => {
  expect((await comeFromProvider('turn', { name: '\u202elive\u202c Turn' })).name).toBe('live Turn');
  expect((await comeFromProvider('hide', { given_name: '\u200b', family_name: 'Hi\u200bdden' })).name).toBe(
    'Hidden',
  );
  expect((await comeFromProvider('nothing', { name: '\u200b\u2800' })).name).toBe('');
});

async function insertMember(given: object = {}): Promise<SignedIn> {
  const userId = await insertUser(club.db, { issuer: 'own', ...given });
  const { cookie } = await signIn(club.db, userId);
  return { userId, headers: { cookie: cookie.replace(/^[^=]*/, '__Host-pitboard_sign_in') } };
}

const choose = async (who: SignedIn | null, username: unknown) => {
  const origin = { host: 'laps.example', origin: 'https://laps.example' };
  const person = { headers: { ...who?.headers, ...origin } };
  return await club.as(person).patch('/api/auth/user/preferences', { username });
};

test('a driver chooses a username, which hides the mail address, and takes it back', async () => {
  const driver = await insertMember({ email: 'secret.address@club.example' });
  const reader = await insertMember();
  const read = async () => (await club.as(reader).get(`/api/users/${driver.userId}`)).json().username;
  expect(await read()).toBe('secret.address');
  expect((await choose(driver, ' Fast_One.27 ')).json()).toMatchObject({ username: 'fast_one.27' });
  expect(await read()).toBe('fast_one.27');
  expect((await choose(driver, 'fast_one.27')).statusCode).toBe(200);
  expect((await choose(driver, null)).json()).toMatchObject({ username: null });
  expect(await read()).toBe('secret.address');
  expect((await choose(null, 'guest.one')).statusCode).toBe(401);
});

test('a username is plain, not reserved, and unlike the names of all others', async () => {
  const driver = await insertMember();
  await insertMember({ email: 'sam.w@club.example' });
  await insertMember({ username: 'quick-ben' });
  await insertMember({ displayName: 'Jo Fastest' });
  for (const username of ['ab', 'x'.repeat(31), 'with space', 'ünïcode', 'a\u200bbc', 'a/b/c', '', 7])
    expect((await choose(driver, username)).statusCode, String(username)).toBe(400);
  for (const username of ['admin', 'Owner', 'pit.board', 'p_i_t_board', 'sup-port', 'me..'])
    expect((await choose(driver, username)).statusCode, username).toBe(400);
  for (const username of [
    'sam.w',
    'samw',
    's-a-m.w',
    'quick-ben',
    'QUICKBEN',
    'qulck.ben',
    'jofastest',
    'jo_fastest',
  ]) {
    const refused = await choose(driver, username);
    expect(refused.statusCode, username).toBe(409);
    expect(refused.json().fields).toHaveProperty('username');
  }
  expect((await choose(driver, 'quick-tom')).statusCode).toBe(200);
});

test('one of two drivers who choose the same username at once gets it', async () => {
  const drivers = await Promise.all([insertMember(), insertMember()]);
  const answers = await Promise.all(drivers.map((driver) => choose(driver, 'one.of.two')));
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
});

test.each([
  ['ride\u202egpj.exe', 'ridegpj.exe'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\laps\\a\u0007b\u200b.csv', 'ab.csv'],
])(
  'the name %j of a lap file is shown as %s, whether it comes in a form or in parts',
  async (name, shown) => {
    const driver = await insertMember();
    const origin = { host: 'laps.example', origin: 'https://laps.example' };
    const client = club.as({ headers: { ...driver.headers, ...origin } });
    const content = Buffer.from('nothing');
    const begun = await client.post('/api/pending-files', { fileName: name, byteCount: content.length });
    const { fileToken } = begun.json();
    const type = { 'content-type': 'application/octet-stream' };
    expect((await client.put(`/api/pending-files/${fileToken}?offset=0`, content, type)).statusCode).toBe(
      200,
    );
    for (const file of [{ name, content }, fileToken]) {
      const analysis = await client.postForm('/api/analyze-gps', [['file', file]]);
      expect(analysis.statusCode, analysis.body).toBe(200);
      await client.postForm('/api/refused-files', [['file', file]]);
    }
    const { rows } = await club.database.pool.query(
      'SELECT file_name FROM pending_files WHERE user_id = $1 UNION SELECT file_name FROM refused_files WHERE user_id = $1',
      [driver.userId],
    );
    expect(rows).toEqual([{ file_name: shown }]);
  },
);
