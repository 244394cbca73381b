import { expect } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { PARTS_FROM_BYTES } from '#web/features/upload/send-in-parts.ts';
import { libraryTrack } from '../library.ts';
import { openAs, shareServer } from './driver.ts';
import { test } from './test.ts';

const LAGUNA = 'weathertech-raceway-laguna-seca-full';
const LAPS = 60;

const pitboard = shareServer();

test(
  'a large file goes in parts, goes on where the connection was cut, and is not sent again by another tab',
  { tag: '@all' },
  async ({ browser }) => {
    test.setTimeout(240_000);
    const drive = simulateDrive(libraryTrack(LAGUNA), { seed: 7, laps: LAPS, receiver: { rateHz: 25 } });
    const buffer = Buffer.from(writeGenericCsv(drive));
    expect(buffer.length).toBeGreaterThan(PARTS_FROM_BYTES);
    let page = await openAs(browser, pitboard().url, 'Theo Okafor');
    const context = page.context();
    const offsets: number[] = [];
    await context.route('**/api/pending-files/*', async (route) => {
      offsets.push(Number(new URL(route.request().url()).searchParams.get('offset')));
      if (offsets.length === 3) await context.setOffline(true);
      await route.continue().catch(() => undefined);
    });
    await page.goto(`${pitboard().url}/upload`);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'endurance.csv', mimeType: 'text/csv', buffer });
    const analyzed = page.waitForResponse('**/api/analyze-gps', { timeout: 120_000 });
    await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
    await expect(page.getByText('The connection was lost. Going on when it is back…')).toBeVisible();
    await context.setOffline(false);
    expect((await analyzed).ok()).toBe(true);
    const picker = page.getByRole('dialog', { name: 'Select Track' });
    await expect(picker.getByRole('button', { name: /Laguna Seca/ }).first()).toBeVisible();
    // The third part went twice, and every other one once.
    const [partBytes = 0] = offsets.slice(1);
    const parts = Array.from({ length: Math.ceil(buffer.length / partBytes) }, (_, part) => part * partBytes);
    expect(offsets).toEqual(parts.flatMap((offset, part) => (part === 2 ? [offset, offset] : [offset])));

    const closed = page;
    page = await context.newPage();
    await closed.close();
    offsets.length = 0;
    await page.goto(`${pitboard().url}/upload`);
    const again = page.waitForRequest('**/api/analyze-gps');
    await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
    expect((await again).postDataBuffer()?.length).toBeLessThan(1000);
    await expect(page.getByRole('dialog', { name: 'Select Track' })).toBeVisible({
      timeout: 120_000,
    });
    expect(offsets).toEqual([]);
  },
);
