import { expect } from '@playwright/test';
import { signIn } from './sign-in.ts';
import { shareServer } from './driver.ts';
import { test } from './test.ts';

const pitboard = shareServer();

test("a sample of a logger's own files is loaded with one click, and timed", async ({ page }) => {
  await signIn(page, pitboard().url, 'Theo Okafor', '/upload');
  await page.getByRole('button', { name: 'Mugello', exact: true }).click();
  await expect(page.getByText('mugello-aim.xrk', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  const suggestions = page.getByRole('dialog', { name: 'Select Track' });
  await suggestions
    .getByRole('button', { name: /Mugello/ })
    .first()
    .click();
  await expect(page.getByText('Lap Summary')).toBeVisible();
  // Its true best lap is 2:05.187.
  await expect(page.getByText(/^2:05\.1[789]\d$/).first()).toBeVisible();
});
