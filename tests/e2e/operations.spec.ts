import { expect } from '@playwright/test';
import { openAs, shareServer } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

const server = shareServer();

test('an administrator looks at a mail, and adds a webhook, switches it off and removes it', async ({
  browser,
}) => {
  const { url } = server();
  const page = await openAs(browser, url, 'Mara Lindqvist');
  await page.goto(`${url}/admin/apex-import?tab=operations`);
  await expect(page.getByRole('region', { name: 'Server' })).toContainText('Free on the disk');
  await page.getByLabel('Look at a mail').selectOption('Daily digest');
  const mail = page.frameLocator('iframe');
  await expect(mail.getByRole('link', { name: /took P3 from you/ })).toBeVisible();
  await expect(mail.getByRole('link', { name: 'Unsubscribe' })).toBeVisible();
  await page.getByLabel('Look at a mail').selectOption('None');

  await page.getByLabel('Address').fill('https://hooks.example.org/pitboard');
  await page.getByRole('button', { name: 'Add Webhook' }).click();
  await expect(page.getByLabel('Secret, shown this once')).toHaveValue(/^[\w-]{43}$/);
  const added = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem');
  await expect(added).toContainText('https://hooks.example.org/pitboard');
  await added.getByRole('button', { name: 'Switch Off' }).click();
  await expect(added.getByText('Off', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await added.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(added).toHaveCount(0);
});
