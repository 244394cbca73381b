import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';
import { driveBoth, listLapIds, SPA, type TwoDrivers } from './two-drivers.ts';

const pitboard = shareServer('all tests');
let driver: Page;
let times: TwoDrivers['times'];

test.beforeAll(async ({ browser }) => {
  ({ driver, times } = await driveBoth(browser, pitboard().url));
});

test.afterAll(async () => {
  await driver.context().close();
});

test('up to four laps are chosen from the board, swapped and removed', { tag: '@all' }, async () => {
  const page = driver;
  const [rival, own] = await listLapIds(driver, pitboard().url);
  await page.goto(`${pitboard().url}/track/${SPA}?lap=${own}`);
  await page.getByRole('button', { name: 'Compare with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare with' });
  await expect(dialog.getByRole('list', { name: 'Leaderboard' }).getByRole('listitem')).toHaveCount(1);
  await expectAccessibleEverywhere(page);
  await dialog.getByRole('button', { name: /Priya Venkat/ }).click();
  // The faster of both is the reference, whichever was open.
  await expect(page).toHaveURL(new RegExp(`lap=${rival}&vs=${own}$`));
  await page.getByRole('button', { name: 'Swap the laps' }).click();
  await expect(page).toHaveURL(new RegExp(`lap=${own}&vs=${rival}$`));
  await page.getByRole('button', { name: 'Swap the laps' }).click();
  await expect(page).toHaveURL(new RegExp(`lap=${rival}&vs=${own}$`));
  // Two laps of one driver beside that of another have their numbers as names.
  await page.getByRole('button', { name: 'Add a lap' }).click();
  await dialog.getByRole('list', { name: 'Your laps' }).getByRole('button').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /Priya Venkat \S+ and Theo Okafor, lap \d \S+ and Theo Okafor, lap \d \S+$/,
  );
  await expectAccessibleEverywhere(page);
  await page
    .getByRole('button', { name: /^Show the gap of Theo Okafor, lap/ })
    .last()
    .click();
  await page
    .getByRole('button', { name: /^Make the lap of Theo Okafor, lap/ })
    .last()
    .click();
  await page.getByRole('button', { name: 'Remove the lap of Priya Venkat' }).click();
  await expect(page).not.toHaveURL(new RegExp(rival ?? ''));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/: Lap \d \S+ and Lap \d \S+$/);
  await expect(page).toHaveTitle(/^Theo Okafor: Lap \d .* vs Lap \d /);
});

test(
  'a picker that cannot load all laps of a long board asks once, and again at a press of Retry',
  { tag: '@all' },
  async () => {
    const page = driver;
    const [, own] = await listLapIds(driver, pitboard().url);
    const best = `${pitboard().url}/api/laps/track/${SPA}/best`;
    const [record] = z
      .array(z.looseObject({}))
      .parse(await (await page.request.get(`${best}?limit=1`)).json());
    const offsets: number[] = [];
    let isAway = true;
    await page.route(`${best}?limit=500*`, (route) => {
      const offset = Number(new URL(route.request().url()).searchParams.get('offset'));
      offsets.push(offset);
      if (offset > 0 && isAway) return route.abort();
      const laps = Array.from({ length: offset > 0 ? 1 : 500 }, (_, index) => ({
        ...record,
        lapId: `long.${offset + index}`,
        userName: `Racer ${offset + index}`,
      }));
      return route.fulfill({ json: laps });
    });
    await page.goto(`${pitboard().url}/track/${SPA}?lap=${own}`);
    await page.getByRole('button', { name: 'Compare with…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Compare with' });
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('Racer 500');
    const alert = dialog.getByRole('alert');
    await expect(alert).toContainText('Not all laps of the leaderboard could be loaded.');
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('Racer 5000');
    await expect(dialog.getByText('No lap fits.')).toBeVisible();
    await dialog.getByRole('searchbox', { name: 'Search' }).fill('Racer 500');
    expect(offsets).toEqual([0, 500]);
    isAway = false;
    await alert.getByRole('button', { name: 'Retry' }).click();
    await expect(dialog.getByRole('button', { name: /Racer 500/ })).toBeVisible();
    await expect(alert).toHaveCount(0);
    await page.unroute(`${best}?limit=500*`);
  },
);

test('the picker finds laps by words, class and car', { tag: '@all' }, async () => {
  const page = driver;
  const [, own] = await listLapIds(driver, pitboard().url);
  await page.goto(`${pitboard().url}/track/${SPA}?lap=${own}`);
  await page.getByRole('button', { name: 'Compare with…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Compare with' });
  const board = dialog.getByRole('list', { name: 'Leaderboard' });
  await expect(board.getByRole('listitem')).toHaveCount(1);
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('venkat mazda');
  await expect(board.getByRole('listitem')).toHaveCount(1);
  await expect(dialog.getByRole('list', { name: 'Your laps' })).toHaveCount(0);
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('another name');
  await expect(dialog.getByText('No lap fits.')).toBeVisible();
  await dialog.getByRole('searchbox', { name: 'Search' }).fill('');
  await dialog.getByRole('combobox', { name: 'Class' }).selectOption({ index: 1 });
  await expect(board.getByRole('listitem')).toHaveCount(1);
});

test(
  'a comparison is shared, saved under a name, found in the profile and deleted',
  { tag: '@all' },
  async () => {
    const page = driver;
    const [rival, own] = await listLapIds(driver, pitboard().url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto(`${pitboard().url}/track/${SPA}?lap=${rival}&vs=${own}`);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await expect(
      page.getByText(new RegExp(`^Priya Venkat ${times.rival} vs Theo Okafor ${times.own}`)),
    ).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`lap=${rival}&vs=${own}`);
    await page.getByRole('button', { name: 'Save the comparison' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this comparison' });
    await expectAccessibleEverywhere(page);
    await dialog.getByRole('textbox', { name: 'Name' }).fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog.getByText('Please enter a name.').first()).toBeVisible();
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Where Priya brakes');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    await page.goto(`${pitboard().url}/profile?tab=tracks`);
    await expectAccessibleEverywhere(page);
    await page.getByRole('link', { name: 'Where Priya brakes' }).click();
    await expect(page).toHaveURL(new RegExp(`lap=${rival}&vs=${own}$`));
    await page.goBack();
    await page.getByRole('button', { name: 'Delete the comparison Where Priya brakes' }).click();
    const question = page.getByRole('dialog', { name: 'Delete this comparison?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete the comparison Where Priya brakes' }).click();
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('link', { name: 'Where Priya brakes' })).toHaveCount(0);
  },
);
