import { expect } from '@playwright/test';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { libraryTrack } from '../library.ts';
import { expectAccessible, expectAccessibleEverywhere } from './expect-accessible.ts';
import { SCREENS, useScreen } from './screens.ts';
import { signIn } from './sign-in.ts';
import { test } from './test.ts';
import { expectToast } from './toasts.ts';

const SUZUKA = 'suzuka-circuit-full';

let pitboard: Pitboard;

test.beforeAll(async () => {
  pitboard = await startPitboard();
});

test.afterAll(async () => {
  await pitboard.remove();
});

test(
  'an administrator finds a track, corrects and removes it, and reads all of that in the audit log',
  { tag: '@matrix' },
  async ({ page }) => {
    await signIn(page, pitboard.url, 'Mara Lindqvist', '/admin/import-tracks');
    await page.getByRole('tab', { name: 'Tracks' }).click();
    const tracks = page.getByRole('region', { name: 'All Tracks' });
    await tracks.getByLabel('Search tracks').fill('spa-francorchamps grand prix');
    const row = tracks.getByRole('row').filter({ hasText: 'Grand Prix' });
    await expect(row).toHaveCount(1);
    await expectAccessibleEverywhere(page);

    await row.getByRole('button', { name: /^Edit Circuit de Spa/ }).press('Enter');
    const editor = page.getByRole('dialog', { name: 'Edit Track' });
    await expect(editor.getByLabel('Name')).toBeFocused();
    const radius = editor.getByLabel('Detection radius in metres');
    await radius.fill('wide');
    await page.keyboard.press('Enter');
    await expect(radius).toHaveAccessibleDescription(/Type a number/);
    await expectAccessibleEverywhere(page);
    await radius.fill('2600');
    await editor.getByLabel('Status').selectOption('Community');
    await page.keyboard.press('Enter');
    await expectToast(page, 'Track Updated', 'Circuit de Spa-Francorchamps is corrected.');
    await expect(row).toContainText('Community');

    await row.getByRole('button', { name: /^Remove Circuit de Spa/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove Track' }).click();
    await expect(tracks.getByText('0 found')).toBeVisible();

    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    const log = page.getByRole('region', { name: 'Audit Log' });
    await expect(log.getByRole('row')).toHaveCount(3);
    await expect(log.getByRole('row').nth(1)).toContainText('Track removed');
    await log.getByLabel('Action').selectOption('Track corrected');
    await expect(log.getByRole('row')).toHaveCount(2);
    await expect(log.getByRole('row').nth(1)).toContainText('circuit-de-spa-francorchamps-grand-prix');
    await expectAccessibleEverywhere(page);
    await log.getByLabel('Action').selectOption('All');
    await log.getByLabel('Person').fill('zzz');
    await expect(log.getByText('0 found')).toBeVisible();
    await log.getByLabel('Person').fill('lindqvist');
    await expect(log.getByRole('link', { name: 'Mara Lindqvist' }).first()).toBeVisible();
    await log.getByLabel('From').fill('2026-01-01');
    await log.getByLabel('Until').fill('2026-01-02');
    await expect(log.getByText('0 found')).toBeVisible();
    await log.getByLabel('Until').fill('');
    await expect(log.getByRole('row')).toHaveCount(3);
    const downloading = page.waitForEvent('download');
    await log.getByRole('link', { name: 'Export', exact: true }).click();
    expect((await downloading).suggestedFilename()).toBe('audit-log.json');
  },
);

for (const { screen, name, tag } of SCREENS) {
  test(
    `an import of a known track shows what differs, and updates what is chosen of it (${name})`,
    { tag },
    async ({ page }) => {
      await useScreen(page, screen);
      await signIn(page, pitboard.url, 'Mara Lindqvist', '/admin/import-tracks');
      // Another value on every screen: the same server runs all of them.
      const radiusMeters = 1_500 + screen.width + (screen.theme === 'dark' ? 0 : 1);
      const track = { ...libraryTrack(SUZUKA), radiusMeters, location: `Suzuka, ${name}` };
      const file = {
        name: 'tracks.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify([track])),
      };
      await page.getByLabel('Track file').last().setInputFiles(file);
      await page.getByRole('button', { name: 'Import 1 Track' }).click();
      const results = page.getByRole('region', { name: 'Import Results' });
      const row = results.getByRole('row').nth(1);
      await expect(row).toContainText('Exists');
      await row.getByText('2 differences').click();
      await expect(row.getByLabel('Location')).toBeChecked();
      await expect(row).toContainText(`→ ${radiusMeters} m`);
      await expectAccessible(page);
      await row.getByLabel('Location').uncheck();
      await row.getByRole('button', { name: 'Update Track' }).click();
      await expectToast(page, 'Track Updated', 'The track was updated.');
      await expect(row).toContainText('Updated');
      const answer = await page.request.get(`${pitboard.url}/api/tracks/${SUZUKA}`);
      const { location, ...updated }: Record<string, unknown> = await answer.json();
      expect(updated).toMatchObject({ radiusMeters });
      expect(location).not.toContain('px');
    },
  );
}

test('an administrator finds a car among all', { tag: '@all' }, async ({ page }) => {
  await signIn(page, pitboard.url, 'Mara Lindqvist', '/admin/apex-import?tab=cars');
  const cars = page.getByRole('region', { name: 'All Cars' });
  await cars.getByLabel('Search cars').fill('mx5 nb 1.8');
  await expect(cars.getByRole('row').nth(1)).toContainText('mazda-mx-5-nb-1-8');
  await expectAccessibleEverywhere(page);
});
