import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import pg from 'pg';
import { z } from 'zod';
import { type MailServer, startMailServer } from '#server/testing/mail-server.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import {
  fillInPerson,
  openDevice,
  OWNER,
  readSetUpLink,
  setUpLinkFile,
  usePublicClub,
} from './public-club.ts';
import { test } from './test.ts';

// A club on a public address whose accounts are taken over, and taken back, in the browser.

const ADMIN = { first: 'Ada', last: 'Novak', email: 'ada@club.example', password: 'late apex every lap' };
const IMPOSTOR = {
  first: 'Mallory',
  last: 'Quick',
  email: 'chief@club.example',
  password: 'not the chief at all',
};

let mailServer: MailServer;

test.beforeAll(async () => {
  mailServer = await startMailServer();
});

const club = usePublicClub(() => ({
  SMTP_URL: mailServer.url,
  MAIL_FROM: 'laps@club.example',
  REGISTRATION: 'open',
}));

test.afterAll(() => mailServer.close());

test(
  'an owner lowers a role, after a look at its open links and a new sign-in, and a chief takes an account back by mail',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openDevice(browser);
    await setUp(page);
    const admin = await openDevice(browser);
    await acceptInvitation(admin, await invite(page, 'Administrator'));
    await invite(admin, 'Moderator');

    await ageSignIns();
    await lowerRole(page);

    const impostor = await openDevice(browser);
    await register(impostor);
    const chief = await openDevice(browser);
    await takeBack(chief);
    await impostor.goto(`${club().url}/profile`);
    await impostor.waitForURL(/\/login\?returnTo=/);
  },
);

async function setUp(page: Page): Promise<void> {
  await page.goto(await readSetUpLink(club()));
  await fillInPerson(page, OWNER);
  await page.getByLabel('Name of your club').fill('Kart Club Nord');
  await page.getByLabel('Time zone').selectOption('Europe/Vienna');
  await expect(page.getByLabel('Who may make an account')).toHaveAccessibleDescription(
    /^The setting REGISTRATION of the server is “open”/,
  );
  await page.getByRole('button', { name: 'Set up the site' }).click();
  await page.waitForURL(`${club().url}/`);
  await expect(access(setUpLinkFile(club()))).rejects.toThrow('ENOENT');
}

async function invite(page: Page, role: string): Promise<string> {
  await page.goto(`${club().url}/club/people`);
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByLabel('Role', { exact: true }).selectOption(role);
  await page.getByRole('button', { name: 'Make invitation' }).click();
  return await page.getByLabel('Link', { exact: true }).inputValue();
}

async function acceptInvitation(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await fillInPerson(page, ADMIN);
  await page.getByRole('button', { name: 'Make my account' }).click();
  await page.waitForURL(`${club().url}/`);
}

/** Makes all sign-ins older than a quarter of an hour. */
async function ageSignIns(): Promise<void> {
  const running: unknown = JSON.parse(
    await readFile(join(club().pitboard.dataFolder, 'running.json'), 'utf8'),
  );
  const { connectionString } = z.object({ connectionString: z.string() }).parse(running);
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query("UPDATE sign_ins SET created_at = now() - interval '16 minutes'");
  await client.end();
}

async function lowerRole(page: Page): Promise<void> {
  await page.goto(`${club().url}/club/people`);
  const row = page.getByRole('row').filter({ hasText: 'Ada Novak' });
  await row.getByRole('button', { name: 'Actions for Ada Novak' }).click();
  await expectAccessibleEverywhere(page);
  await row.getByRole('button', { name: 'Change role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Role of Ada Novak' });
  await dialog.getByLabel('Role').selectOption('Member');
  await expect(dialog).toContainText('An invitation, Moderator, for 1 driver');
  await expectAccessibleEverywhere(page);
  await dialog.getByRole('button', { name: 'Change role' }).click();

  const again = page.getByRole('dialog', { name: 'Sign In Again' });
  await expect(again).toContainText('Sign in again to change a role.');
  await expectAccessibleEverywhere(page);
  const opening = page.context().waitForEvent('page');
  await again.getByRole('link', { name: 'Sign In Again' }).click();
  const tab = await opening;
  await tab.getByLabel('Email').fill(OWNER.email);
  await tab.getByLabel('Password').fill(OWNER.password);
  await tab.getByRole('button', { name: 'Sign In', exact: true }).click();
  await tab.waitForURL(`${club().url}/`);
  await tab.close();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(again).toBeHidden();

  await dialog.getByRole('button', { name: 'Change role' }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole('cell', { name: 'Member' })).toBeVisible();
  await expect(page.getByText('Open Invitations')).toBeHidden();
}

async function register(page: Page): Promise<void> {
  await page.goto(`${club().url}/login`);
  await page.getByRole('button', { name: 'Make an account' }).click();
  await fillInPerson(page, IMPOSTOR);
  await page.getByRole('button', { name: 'Make my account' }).click();
  await page.waitForURL(`${club().url}/`);
  await page.goto(`${club().url}/profile/edit`);
  await page.getByRole('switch', { name: 'Email Updates' }).check();
  await page.getByRole('button', { name: 'Save Changes' }).click();
}

const readLink = (kind: string): string =>
  mailServer.received
    .map(({ body }) => new RegExp(`https://\\S+/login\\?link=${kind}#[\\w-]{43}`).exec(body)?.[0])
    .findLast((link) => link !== undefined) ?? '';

/** The owner of the address gets a mail to confirm the account of somebody else, and then asks for a link to sign in. */
async function takeBack(page: Page): Promise<void> {
  await expect.poll(() => readLink('confirmation'), { timeout: 20_000 }).not.toBe('');
  await page.goto(readLink('confirmation'));
  await expect(page.getByText('the account of Mallory Quick')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Confirm my address' })).toBeHidden();
  await expectAccessibleEverywhere(page);

  await page.goto(`${club().url}/login`);
  await page.getByLabel('Email').fill(IMPOSTOR.email);
  await page.getByRole('button', { name: 'Mail me a link to sign in' }).click();
  await page.getByRole('button', { name: 'Mail me a link to sign in' }).click();
  await expect.poll(() => readLink('sign-in'), { timeout: 20_000 }).not.toBe('');
  await page.goto(readLink('sign-in'));
  await expect(page.getByText('for the account of Mallory Quick')).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('Whatever opened this account before has ended')).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByLabel('New password').fill('nine laps in the pouring rain');
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.waitForURL(`${club().url}/`);
  await page.goto(`${club().url}/profile/edit/sign-in?review`);
  await expect(page.getByText('Are the passkeys below and the linked provider all yours?')).toBeVisible();
  await expectAccessibleEverywhere(page);
  await changePassword(page);
}

/** Changes the password with a passkey and recovery codes there: the page asks about the one and says that the others ended. */
async function changePassword(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  const authenticator = { ...options, hasUserVerification: true, isUserVerified: true };
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options: authenticator });
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByRole('button', { name: 'Rename Passkey 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await expect(page.getByText('You have 10.')).toBeVisible();

  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('API tokens, recovery codes and the links');
  await expect(dialog).toContainText('Are these all yours?');
  await expect(dialog.getByRole('switch', { name: 'Remove my passkey' })).not.toBeChecked();
  await expectAccessibleEverywhere(page);
  await dialog.getByLabel('Current password').fill('nine laps in the pouring rain');
  await dialog.getByLabel('New password').fill('ten dry laps under the moon');
  await dialog.getByRole('switch', { name: 'Remove my passkey' }).check();
  await dialog.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Ended with your old password: 10 recovery codes.')).toBeVisible();
  await expect(page.getByText('You have 0.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rename Passkey 1' })).toBeHidden();
  await expectAccessibleEverywhere(page);
}
