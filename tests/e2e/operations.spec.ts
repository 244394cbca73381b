import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { startPitboard } from '../pitboard.ts';
import { openAs, shareServer } from './driver.ts';
import { startMailServer } from '#server/testing/mail-server.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

const server = shareServer();

test('an owner tries a mail server, which says what is wrong with it, saves it and forgets it', async ({
  browser,
}) => {
  const account = { user: 'laps', password: 'a secret of the mail server' };
  const mailServer = await startMailServer({ account });
  const { url } = server();
  const page = await openAs(browser, url, 'Mara Lindqvist');
  await page.goto(`${url}/club/operations`);
  await page.getByRole('link', { name: 'Set up: Mail' }).click();
  const card = page.getByRole('dialog', { name: 'E-mail' });
  await card.getByLabel('Mail server', { exact: true }).fill('127.0.0.1');
  await card.getByLabel('Encryption').selectOption('TLS');
  await expect(card.getByLabel('Port')).toHaveValue('465');
  await card.getByLabel('Encryption').selectOption('None');
  await card.getByLabel('Port').fill(String(mailServer.port));
  await card.getByLabel('User name at the mail server').fill(account.user);
  await card.getByLabel('Password at the mail server').fill('not this one');
  await card.getByLabel('Sender').fill('laps@club.example');
  const tryOut = card.getByRole('button', { name: 'Send Test Mail' });
  await tryOut.click();
  await expect(card.getByRole('status')).toContainText('does not accept the user name and the password');
  await expect(card.getByLabel('Password at the mail server')).toHaveValue('not this one');
  await card.getByLabel('Password at the mail server').fill(account.password);
  await tryOut.click();
  await expect(card.getByRole('status')).toContainText('accepted a test mail');
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card).toContainText('A password is set.');
  await expect(card.getByLabel('Password at the mail server')).toHaveValue('');
  await tryOut.click();
  await expect.poll(() => mailServer.received).toHaveLength(2);
  await card.getByRole('button', { name: 'Stop Sending Mail' }).click();
  const question = page.getByRole('dialog', { name: 'Stop sending mail?' });
  await question.getByRole('button', { name: 'Stop Sending Mail' }).click();
  await expect(card.getByLabel('Mail server', { exact: true })).toHaveValue('');
  await mailServer.close();
});

test(
  'an administrator looks at a mail, and adds a webhook, switches it off and removes it',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = server();
    const page = await openAs(browser, url, 'Mara Lindqvist');
    await page.goto(`${url}/club/operations`);
    await page.getByRole('link', { name: 'Details: Server' }).click();
    await expect(page.getByRole('dialog', { name: 'Server' })).toContainText('Free on the disk');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Set up: Mail' }).click();
    await page.getByLabel('Look at a mail').selectOption('Daily digest');
    const mail = page.frameLocator('iframe');
    await expect(mail.getByRole('link', { name: /passed you/ })).toBeVisible();
    await expect(mail.getByRole('link', { name: 'Unsubscribe' })).toBeVisible();
    await page.getByLabel('Look at a mail').selectOption('None');

    await page.goto(`${url}/club/operations?open=webhooks`);
    await page.getByLabel('Address').fill('https://hooks.example.org/pitboard');
    await page.getByRole('button', { name: 'Add Webhook' }).click();
    await expect(page.getByLabel('Secret, shown this once')).toHaveValue(/^[\w-]{43}$/);
    const added = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
    await expect(added).toContainText('https://hooks.example.org/pitboard');
    await added.getByRole('button', { name: 'Switch Off' }).click();
    await expect(added.getByText('Off', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await added.getByRole('button', { name: 'Remove' }).click();
    const question = page.getByRole('dialog', { name: 'Remove this webhook?' });
    await question.getByRole('button', { name: 'Remove' }).click();
    await expect(added).toHaveCount(0);
  },
);

test(
  'an owner restores a backup: what came since is gone, and a backup of it is there',
  { tag: '@all' },
  async ({ browser }) => {
    const folder = await mkdtemp(join(tmpdir(), 'pitboard-kept-'));
    const pitboard = await startPitboard({ environment: { BACKUP_TARGET: folder } });
    try {
      const page = await openAs(browser, pitboard.url, 'Mara Lindqvist');
      await page.goto(`${pitboard.url}/club/operations?open=backups`);
      const backups = page.getByRole('list', { name: 'Backups' }).getByRole('listitem');
      await page.getByRole('button', { name: 'Back Up Now' }).click();
      await expect(backups.getByText('Restored and compared')).toBeVisible({ timeout: 60_000 });
      const added = await page.request.post(`${pitboard.url}/api/admin/webhooks`, {
        headers: { origin: pitboard.url },
        data: { url: 'https://hooks.example.org/too-late', events: ['record_set'], format: 'pitboard' },
      });
      expect(added.ok()).toBe(true);

      await backups.getByRole('button', { name: /^Restore/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Restore this backup?' });
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await expect(dialog).toContainText('Please type');
      const moment = /since (.+?) UTC/.exec(await dialog.innerText())?.[1] ?? '';
      await dialog.getByRole('textbox').fill(moment);
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await expect(page.getByRole('region', { name: 'Restore' })).toContainText('To undo this', {
        timeout: 60_000,
      });
      await expect(backups).toHaveCount(2);
      const webhooks = await page.request.get(`${pitboard.url}/api/admin/webhooks`);
      expect(await webhooks.json()).toMatchObject({ webhooks: [] });
      await expectAccessible(page);

      // Somebody exchanges a backup, and a copy of another is cut off.
      const [oldest = '', newest = ''] = (await readdir(join(folder, 'backups'))).toSorted();
      const manifest = join(folder, 'backups', oldest, 'manifest.json');
      await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('"version":"', '"version":"0.0.'));
      await writeFile(join(folder, 'backups', newest, 'manifest.json'), '{"cut off');
      await expect(backups).toHaveCount(1);
      await expect(backups).toContainText('Changed after it was signed.');
      await expect(page.getByRole('region', { name: 'Damaged files' })).toContainText(newest);
      await backups.getByRole('button', { name: /^Restore/ }).click();
      await expect(dialog).toContainText('Its maker decides who is an owner afterwards.');
      await expectAccessible(page);
      await dialog.getByRole('textbox').fill('unsigned');
      await dialog.getByRole('button', { name: 'Restore' }).click();
      await expect(page.getByRole('region', { name: 'Restore' })).toContainText('To undo this', {
        timeout: 60_000,
      });
    } finally {
      await pitboard.remove();
      await rm(folder, { recursive: true });
    }
  },
);
