import { expect, type Page } from '@playwright/test';
import { analysis } from '#web/testing/analysis.ts';
import type { StandIn } from './stand-in.ts';
import { test } from './test.ts';
import { toastOf } from './toasts.ts';

/** A toast is of use only where it can be seen, heard and closed: above a modal dialog too. */

test('a toast is part of the dialog that opens, lies above it, and is closed in it', async ({
  page,
  signedIn,
}) => {
  await processFileWithoutTrack(page, signedIn);
  const dialog = page.getByRole('dialog', { name: 'Select Track' });
  const toast = toastOf(page, 'No matching tracks');
  await expect(toast).toBeVisible();
  // The role finds it: an element outside of a modal dialog has none.
  const close = toast.getByRole('button', { name: 'Close' });
  await expect(close).toBeVisible();
  await expect(page.getByRole('region', { name: /^Notifications/ })).toHaveCount(1);
  // A click that the dialog would get instead closes it.
  await close.click();
  await expect(toast).toHaveCount(0);
  await expect(dialog).toBeVisible();
});

test(
  'a toast that is on screen stays there when the dialog closes',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    await processFileWithoutTrack(page, signedIn);
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    await expect(toastOf(page, 'No matching tracks')).toBeVisible();
    await expect(dialog).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(toastOf(page, 'No matching tracks')).toHaveCount(1);
    await toastOf(page, 'No matching tracks').getByRole('button', { name: 'Close' }).click();
    await expect(toastOf(page, 'No matching tracks')).toHaveCount(0);
  },
);

test(
  'on a phone a dialog makes room for the toast above it, which covers nothing of it',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await processFileWithoutTrack(page, signedIn);
    const toast = toastOf(page, 'No matching tracks');
    await expect(toast).toBeVisible();
    const dialog = page.getByRole('dialog', { name: 'Select Track' });
    const topPx = async () => (await dialog.boundingBox())?.y ?? NaN;
    const roomPx = async () => {
      const above = await toast.boundingBox();
      return (await topPx()) - (above?.y ?? NaN) - (above?.height ?? NaN);
    };
    // The toast slides in from above.
    await expect.poll(roomPx).toBeGreaterThanOrEqual(0);
    await expect.poll(roomPx).toBeLessThan(16);
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeInViewport();
    const loweredPx = await topPx();
    await toast.getByRole('button', { name: 'Close' }).click();
    await expect(toast).toHaveCount(0);
    // The sheet takes its room back.
    await expect.poll(topPx).toBeLessThan(loweredPx);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
  },
);

/** Leaves the dialog of tracks open, with a toast above it. */
async function processFileWithoutTrack(page: Page, signedIn: StandIn): Promise<void> {
  signedIn.answer('POST /api/analyze-gps', analysis());
  await page.goto(`${signedIn.url}/upload`);
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('a') });
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
}
