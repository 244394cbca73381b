import { describe, expect, test } from 'vitest';
import { type Device, PASSWORD, useClubApp } from '../club-app.ts';

// Ways to lock others out by guessing. Every attack in this file was possible once.

const NEW_PASSWORD = 'eleven wet laps in the dark';

const club = useClubApp();
let strangers = 0;

const stranger = () => club.openDevice({ address: `198.51.100.${(strangers += 1)}` });
const statusOf = async (answer: Promise<{ statusCode: number }>) => (await answer).statusCode;

const guess = async (email: string, count: number) => {
  for (let tries = 0; tries < count; tries += 1) await stranger().signIn(email, `guess number ${tries}`);
};

describe('a stranger', () => {
  test('locks out neither a known device nor a new one, nor a change of the password', async () => {
    const { device, email } = await club.join();
    const laptop = stranger();
    await laptop.signIn(email);
    await laptop.post('/api/logout');
    await guess(email, 12);

    expect(await statusOf(laptop.signIn(email))).toBe(200);
    await guess(email, 11);
    expect(await statusOf(stranger().signIn(email))).toBe(200);

    await guess(email, 11);
    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect(await statusOf(device.put('/api/account/password', change))).toBe(200);
  });

  test('behind the address of a known device does not block it either', async () => {
    const { email, device } = await club.join();
    const address = '203.0.113.7';
    for (let tries = 0; tries < 11; tries += 1)
      await club.openDevice({ address }).signIn(email, `guess number ${tries}`);
    expect(await statusOf(club.openDevice({ address }).signIn(email))).toBe(429);
    await device.post('/api/logout');
    expect(await statusOf(device.signIn(email))).toBe(200);
  });

  test('does not get the count of a known device by its cookie of another account, a forged one, or an old password', async () => {
    const [mine, theirs] = [await club.join(), await club.join()];
    const cookie = '__Host-pitboard_device';
    const known = mine.device.cookies.get(cookie) ?? '';
    const tryTwelve = async (device: Device, email: string) => {
      const statuses = [];
      for (let tries = 0; tries < 12; tries += 1)
        statuses.push(await statusOf(device.signIn(email, `guess number ${tries}`)));
      return statuses.slice(-2);
    };
    const other = club.openDevice({ address: '192.0.2.50' });
    other.cookies.set(cookie, known);
    expect(await tryTwelve(other, theirs.email)).toEqual([429, 429]);
    other.cookies.set(cookie, theirs.device.cookies.get(cookie) ?? '');
    // The known device has ten attempts of its own, and no more.
    expect(await tryTwelve(other, theirs.email)).toEqual([429, 429]);
    other.cookies.set(cookie, encodeURIComponent(`${decodeURIComponent(known).slice(0, -4)}AAAA`));
    expect(await statusOf(other.signIn(theirs.email))).toBe(429);

    const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    await mine.device.put('/api/account/password', change);
    const old = club.openDevice({ address: '192.0.2.51' });
    for (let tries = 0; tries < 10; tries += 1) await old.signIn(mine.email, `guess number ${tries}`);
    old.cookies.set(cookie, known);
    expect(await statusOf(old.signIn(mine.email, NEW_PASSWORD))).toBe(429);
    expect(await statusOf(mine.device.signIn(mine.email, NEW_PASSWORD))).toBe(200);
  });
});
