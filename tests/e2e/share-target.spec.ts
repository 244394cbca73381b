import { expect } from '@playwright/test';
import { openAs, shareServer } from './driver.ts';
import { test } from './test.ts';

const pitboard = shareServer();

test('a file that another app shares waits on the upload page, and without a connection a page says so', async ({
  browser,
}) => {
  const page = await openAs(browser, pitboard().url, 'Theo Okafor');
  await page.goto(`${pitboard().url}/upload`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const manifest = await (await page.request.get(`${pitboard().url}/site.webmanifest`)).json();
  expect(manifest).toMatchObject({ display: 'standalone', share_target: { action: '/share-target' } });
  expect(manifest.icons.map(({ sizes }: { sizes: string }) => sizes)).toContain('512x512');

  // Android sends this for Share → Pitboard.
  await page.goto(`${pitboard().url}/leaderboards`);
  await page.evaluate(({ action, params }) => {
    const form = Object.assign(document.createElement('form'), {
      action,
      method: 'post',
      enctype: 'multipart/form-data',
    });
    const input = Object.assign(document.createElement('input'), {
      type: 'file',
      name: params.files[0].name,
    });
    const chosen = new DataTransfer();
    chosen.items.add(new File(['time,lat,lon\n'], 'Füße & laps.csv', { lastModified: 1_700_000_000_000 }));
    input.files = chosen.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  }, manifest.share_target);
  await page.waitForURL('**/upload');
  const files = page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
  await expect(files).toHaveCount(1);
  await expect(files).toContainText('Füße & laps.csv');
  await expect(files).toContainText('Ready');

  // The tab is closed: the file is still there, once; removed, it is gone.
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expect(files).toHaveCount(1);
  await page.getByRole('button', { name: 'Remove Füße & laps.csv' }).click();
  await page.reload();
  await expect(page.getByText('No lap file yet?')).toBeVisible();

  await page.context().setOffline(true);
  await page.goto(`${pitboard().url}/leaderboards`);
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Try again' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Track Leaderboards');
  // No page and no answer is kept.
  const kept = await page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    const requests = await Promise.all(caches.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toEqual(['/offline.html']);
});
