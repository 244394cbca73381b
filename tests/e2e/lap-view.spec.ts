import { expect, type Page } from '@playwright/test';
import { press, tabTo } from './by-keyboard.ts';
import { shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';
import { driveBoth, listLapIds, PLACE, SPA, STRETCHES, type TwoDrivers } from './two-drivers.ts';

const pitboard = shareServer('all tests');
let driver: Page;
let times: TwoDrivers['times'];

test.beforeAll(async ({ browser }) => {
  ({ driver, times } = await driveBoth(browser, pitboard().url));
});

test.afterAll(async () => {
  await driver.context().close();
});

test(
  'a guest opens a lap from the board and sees what is known of it',
  { tag: '@matrix' },
  async ({ page }) => {
    await page.goto(`${pitboard().url}/track/${SPA}?tire=track-200`);
    await page
      .getByRole('row')
      .filter({ hasText: 'Theo Okafor' })
      .getByRole('link', { name: times.own })
      .click();
    await expect(page).toHaveURL(/\?tire=track-200&lap=[0-9a-f-]{36}$/);
    const lap = page.getByRole('region', { name: 'Lap', exact: true });
    await expect(page.getByRole('heading', { level: 1, name: times.own })).toBeFocused();
    await expect(page).toHaveTitle(new RegExp(`^${times.own} by Theo Okafor · `));
    await expect(lap).toContainText('P2 of 2');
    await expect(lap).toContainText(/±0\.\d{3} s/);
    await expect(lap).toContainText('Counts');
    await expect(lap).toContainText('Track Street 200 TW');
    await expect(lap.getByRole('link', { name: /Play the video of Theo Okafor/ })).toBeVisible();
    // The record is there at once, as a faint second line, with the places where the time goes.
    await expect(lap).toContainText('Gap to the record');
    await expect(lap.getByRole('list', { name: 'Sectors' })).toContainText(/Record .*Theo Okafor /);
    await expect(lap.locator('[data-chart]')).toHaveCount(2);
    await expectAccessibleEverywhere(page);

    await lap.getByRole('link', { name: 'Close the lap' }).click();
    await expect(page).toHaveURL(/\?tire=track-200$/);
    await expect(lap).toHaveCount(0);
  },
);

test('the page of a comparison comes with its answer, before any script', async ({ browser }) => {
  const [rival, own] = await listLapIds(driver, pitboard().url);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  // The scripts fetch what a busy machine does not answer within a second.
  await expect(async () => {
    await page.goto(`${pitboard().url}/track/${SPA}?lap=${rival}&vs=${own}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      `Where the time goes: Priya Venkat ${times.rival} and Theo Okafor ${times.own}`,
      { timeout: 1_000 },
    );
    await expect(page.getByRole('button', { name: PLACE }).first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page).toHaveTitle(
    new RegExp(`^Priya Venkat ${times.rival} vs Theo Okafor ${times.own} · .* · Pitboard$`),
  );
  await expect(page.getByRole('table', { name: STRETCHES })).toBeVisible();
  await context.close();
});

test('half of a page shows nothing at a desk that the other half would move', async ({ browser }) => {
  const [rival, own] = await listLapIds(driver, pitboard().url);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  let isCut = true;
  await page.route('**/track/**', async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    // Charts come before the places to gain, which stand above them at a desk.
    const end = html.indexOf('aria-label="Places to gain"');
    await route.fulfill({ response, body: isCut ? html.slice(0, end) : html });
  });
  const charts = page.getByLabel('Gap and speed', { exact: true });
  for (isCut of [false, true]) {
    await expect(async () => {
      await page.goto(`${pitboard().url}/track/${SPA}?lap=${rival}&vs=${own}`);
      await expect(charts).toHaveCount(1, { timeout: 1_000 });
    }).toPass();
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(charts).toBeVisible();
    await page.setViewportSize({ width: 1280, height: 812 });
    await expect(charts).toBeVisible({ visible: !isCut });
  }
  await context.close();
});

test(
  'with the keyboard alone, a driver finds where the time to the driver ahead goes',
  { tag: '@matrix' },
  async () => {
    const page = driver;
    await page.goto(`${pitboard().url}/track/${SPA}`);
    await press(
      page,
      page.getByRole('rowgroup', { name: 'Your entry' }).getByRole('link', { name: times.own }),
    );
    await press(page, page.getByRole('link', { name: 'Compare with the next in the same car' }));
    const title = `Where the time goes: Priya Venkat ${times.rival} and You ${times.own}`;
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeFocused();
    await expect(page).toHaveTitle(/^Priya Venkat .* vs Theo Okafor .* · Pitboard$/);
    const lap = page.getByRole('region', { name: 'Lap', exact: true });
    // At the line; the table of figures along the lap has more of them.
    await expect(lap.getByText(/^\+\d\.\d{3} s$/).first()).toBeVisible();
    const places = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: PLACE }) });
    await expect(places.first()).toContainText(/[Yy]ou |No single difference/);
    await expect(page.locator('[data-chart]')).toHaveCount(2);
    await expectAccessibleEverywhere(page);

    const slider = page.getByRole('slider', { name: 'Position along the lap' });
    await tabTo(page, slider);
    const before = await slider.getAttribute('aria-valuetext');
    expect(before).toMatch(/^At [\d,]+ metres, .*Priya Venkat \d+, You \d+, gap (plus|minus) \d+\.\d{3}$/);
    await page.keyboard.press('ArrowRight');
    await expect(slider).not.toHaveAttribute('aria-valuetext', before ?? '');
    const whole = page.getByRole('button', { name: 'Show the whole lap' });
    await expect(whole).toBeDisabled();
    await page.keyboard.press('+');
    await expect(whole).toBeEnabled();
    const fromLeft = page.getByRole('button', { name: 'Gap from the left edge' });
    await expect(fromLeft).toHaveAttribute('aria-pressed', 'true');
    await press(page, fromLeft);
    await expect(fromLeft).toHaveAttribute('aria-pressed', 'false');
    await press(page, whole);
    await expect(whole).toBeDisabled();
    await page.keyboard.press('Shift+Tab');
    // The rows are one stop for the Tab key; Enter moves the cursor to the stretch.
    const rows = page.getByRole('table', { name: STRETCHES }).getByRole('rowheader').getByRole('button');
    await tabTo(page, rows.first());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(rows.nth(2)).toBeFocused();
    await page.keyboard.press('Enter');
    const stretch = await rows.nth(2).innerText();
    await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`metres, ${stretch}, `));
    await page.keyboard.press('End');
    await expect(rows.last()).toBeFocused();
    await places.first().getByRole('button').press('Enter');
    await expect(whole).toBeEnabled();
    await page.getByText('Figures every 100 m').click();
    await expect(page.getByRole('table', { name: 'Speed and gap every 100 m of the lap' })).toContainText(
      '100 m',
    );
  },
);

test('the mouse zooms to what it is dragged over, and a double click shows the whole lap again', async () => {
  const page = driver;
  const [rival, own] = await listLapIds(driver, pitboard().url);
  await page.goto(`${pitboard().url}/track/${SPA}?lap=${rival}&vs=${own}`);
  // The chart of the gap comes with the comparison and takes the place of the last one.
  await expect(page.locator('[data-chart]')).toHaveCount(2);
  const chart = page.locator('[data-chart]').last();
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (!box) throw new Error('The chart has no size.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * 0.3, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, y, { steps: 4 });
  await page.mouse.up();
  const whole = page.getByRole('button', { name: 'Show the whole lap' });
  await expect(whole).toBeEnabled();
  await page.mouse.dblclick(box.x + box.width * 0.5, y);
  await expect(whole).toBeDisabled();
});

test('a row under the pointer lights its piece of the map', async () => {
  const page = driver;
  const [rival, own] = await listLapIds(driver, pitboard().url);
  await page.goto(`${pitboard().url}/track/${SPA}?lap=${rival}&vs=${own}`);
  const marked = page.locator('section[aria-label="Map"] svg path').first();
  const rows = page.getByRole('table', { name: STRETCHES }).getByRole('row');
  await rows.nth(2).hover();
  const before = await marked.getAttribute('d');
  await rows.nth(6).hover();
  await expect(marked).not.toHaveAttribute('d', before ?? '');
  await rows.nth(6).click();
  const title = await rows.nth(6).getByRole('button').innerText();
  await expect(page.getByRole('slider', { name: 'Position along the lap' })).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`metres, ${title}, `),
  );
});

test(
  'on a phone, fingers open a lap, compare it, move the cursor and zoom',
  { tag: '@all' },
  async ({ browser }) => {
    const context = await browser.newContext({
      viewport: { width: 375, height: 812 },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    await page.goto(`${pitboard().url}/track/${SPA}`);
    await page
      .getByRole('row')
      .filter({ hasText: 'Theo Okafor' })
      .getByRole('link', { name: times.own })
      .tap();
    await page.getByRole('link', { name: 'Compare with the next in the same car' }).tap();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Where the time goes');
    const slider = page.getByRole('slider', { name: 'Position along the lap' });
    const chart = page.locator('[data-chart]').last();
    await expect(chart).toBeVisible();
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (!box) throw new Error('The chart has no size.');
    const [left, y] = [box.x + 60, box.y + box.height / 2];
    const before = await slider.inputValue();
    await page.touchscreen.tap(left + 150, y);
    await expect(slider).not.toHaveValue(before);
    const whole = page.getByRole('button', { name: 'Show the whole lap' });
    await expect(whole).toBeDisabled();
    await pinch(page, { y, from: [left + 80, left + 140], to: [left + 20, left + 200] });
    await expect(whole).toBeEnabled();
    await expectAccessibleEverywhere(page);
    await context.close();
  },
);

test(
  'private lines are hidden from everybody else, and the page says so',
  { tag: '@all' },
  async ({ page }) => {
    const [rival, own] = await listLapIds(driver, pitboard().url);
    await setPrivate(true);
    await page.goto(`${pitboard().url}/track/${SPA}?lap=${own}`);
    await expect(page.getByText(/^Theo Okafor keeps the lines of this lap private/)).toBeVisible();
    await expect(page.locator('[data-chart]')).toHaveCount(0);
    await expect(page.getByRole('link', { name: /^Compare/ })).toHaveCount(0);
    await expectAccessibleEverywhere(page);
    await page.goto(`${pitboard().url}/track/${SPA}?lap=${rival}&vs=${own}`);
    await expect(page.getByText('These laps cannot be compared')).toBeVisible();
    await expect(page.getByRole('list', { name: 'Sectors' })).toContainText('Theo Okafor');
    await expectAccessibleEverywhere(page);
    await driver.goto(`${pitboard().url}/track/${SPA}?lap=${own}`);
    await expect(driver.getByText(/^Your lines are private/)).toBeVisible();
    await expect(driver.locator('[data-chart]')).toHaveCount(2);
    await setPrivate(false);
    await page.reload();
    await expect(page.locator('[data-chart]')).toHaveCount(2);
  },
);

test('a lap that does not exist is said to be missing, above the board', async ({ page }) => {
  for (const id of ['2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d934', 'no-id-of-a-lap']) {
    await page.goto(`${pitboard().url}/track/${SPA}?lap=${id}`);
    await expect(page.getByText('Lap not found')).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'Theo Okafor' })).toBeVisible();
  }
});

test('the profile opens a track with every lap, best sectors and progress', { tag: '@matrix' }, async () => {
  const page = driver;
  await page.goto(`${pitboard().url}/profile?tab=tracks`);
  await page.getByRole('link', { name: /^Laps and progress/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Spa-Francorchamps');
  await expect(page.getByText('Theoretical best')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Sessions' }).getByRole('button')).toHaveCount(1);
  await expect(page.getByRole('region', { name: 'Your place' })).toContainText(/P\d of 2/);
  await expect(page.getByRole('table', { name: /^The best sectors/ })).toContainText(/\d\.\d{3}/);
  await expectAccessibleEverywhere(page);
  await page.getByText('All laps as a table').click();
  await page
    .getByRole('table', { name: /^Laps of/ })
    .getByRole('link', { name: times.own })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: times.own })).toBeVisible();
});

async function setPrivate(isPrivate: boolean): Promise<void> {
  await driver.goto(`${pitboard().url}/profile/edit`);
  await driver.getByRole('switch', { name: 'Keep my lines private' }).setChecked(isPrivate);
  await driver.getByRole('button', { name: 'Save Changes' }).click();
  await driver.waitForURL(/\/profile$/);
}

type Pinch = { y: number; from: [number, number]; to: [number, number] };

async function pinch(page: Page, { y, from, to }: Pinch): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', xs: readonly number[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y, id })) });
  await touch('touchStart', from);
  await touch('touchMove', [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]);
  await touch('touchMove', to);
  await touch('touchEnd', []);
}
