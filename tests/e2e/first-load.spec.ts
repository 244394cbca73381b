import { EventEmitter, once } from 'node:events';
import { expect, type Browser, type Page } from '@playwright/test';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { listLayoutShifts } from './layout-shift.ts';
import { test } from './test.ts';
import { listLapIds } from './two-drivers.ts';

/** These stories look at what a browser gets with the HTML of a page. */

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const PUBLIC_PATHS = [
  '/',
  '/leaderboards',
  `/track/${SPA}`,
  '/events',
  '/login',
  '/login?returnTo=%2Fupload',
  '/no/such/page',
];
const SIGNED_IN_PATHS = [
  '/',
  '/leaderboards',
  `/track/${SPA}?tire=track-200`,
  '/upload',
  '/profile',
  '/profile/edit',
  '/garage/add',
  '/admin/import-tracks',
  '/admin/apex-import',
];

const pitboard = shareServer('all tests');
let driver: Page;

test.beforeAll(async ({ browser }) => {
  driver = await openAs(browser, pitboard().url, 'Mara Lindqvist');
  const userCarId = await addCar(driver, pitboard().url, 'mazda-mx-5-nb-1-8');
  await uploadLaps(driver, pitboard().url, { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond: 60 });
});

/** Collects what the console says and which calls are made, until the page has `asked` and nothing moves any more. */
async function watch(
  page: Page,
  path: string,
  asked: readonly string[] = [],
): Promise<{ messages: string[]; calls: string[] }> {
  const messages: string[] = [];
  const calls: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto(pitboard().url + path);
  await expect.poll(() => asked.filter((call) => !calls.includes(call))).toEqual([]);
  await page.waitForLoadState('networkidle');
  page.removeAllListeners();
  return { messages, calls: calls.filter((call) => call.startsWith('/api/')) };
}

test('a page is hydrated without a word in the console', { tag: '@all' }, async ({ browser, page }) => {
  for (const path of PUBLIC_PATHS) {
    const { messages } = await watch(page, path);
    const expected = path === '/no/such/page' ? [expect.stringContaining('404')] : [];
    expect([path, ...messages]).toEqual([path, ...expected]);
  }
  for (const path of SIGNED_IN_PATHS) {
    expect([path, ...(await watch(driver, path)).messages]).toEqual([path]);
  }
  const light = await browser.newPage();
  await light.addInitScript(() => localStorage.setItem('theme', 'light'));
  expect((await watch(light, '/')).messages).toEqual([]);
  await expect(light.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible();
  await light.close();
});

test(
  'the choice of a local account has the theme of the application, whatever the computer prefers',
  { tag: '@all' },
  async ({ browser }) => {
    const context = await browser.newContext({ colorScheme: 'light' });
    const page = await context.newPage();
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.goto(`${pitboard().url}/api/login?returnTo=/`);
    await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
    expect(await background()).toBe('rgb(11, 13, 17)');
    await page.evaluate(() => localStorage.setItem('theme', 'light'));
    await page.reload();
    expect(await background()).toBe('rgb(249, 250, 252)');
    await context.close();
  },
);

/** A page in a browser that runs no script. */
async function openWithoutScripts(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  return context.newPage();
}

test('a board is there as text where no script runs', async ({ browser }) => {
  const page = await openWithoutScripts(browser);
  await page.goto(`${pitboard().url}/track/${SPA}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Circuit de Spa-Francorchamps');
  const row = page.getByRole('table').getByRole('row').nth(1);
  await expect(row).toContainText('Mara Lindqvist');
  await expect(row).toContainText(/\d:\d\d\.\d\d\d/);
  await expect(row).toContainText('Mazda MX-5');
  await expect(page.getByLabel('Make', { exact: true })).toContainText('Mazda');
  await page.context().close();
});

test('home and leaderboards show their boards where no script runs', async ({ browser }) => {
  const page = await openWithoutScripts(browser);
  await page.goto(pitboard().url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Your Racing Hub/);
  await expect(page.getByRole('link', { name: 'Explore Leaderboards' })).toBeVisible();
  await expect(page.getByText('Track record')).toBeVisible();
  // The sectors of the record by their times, none of which anybody was faster through.
  await expect(page.getByRole('definition').first()).toHaveText(/^\d+\.\d{3} (overall|personal) best$/);
  for (const path of ['/', '/leaderboards']) {
    await page.goto(pitboard().url + path);
    const board = page.getByRole('list', { name: 'Fastest laps at Circuit de Spa-Francorchamps' });
    await expect(board).toContainText('Mara Lindqvist');
    await expect(board).toContainText(/\d:\d\d\.\d\d\d/);
  }
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Track Leaderboards');
  await expect(page.getByPlaceholder('Search tracks...')).toBeVisible();
  await page.context().close();
});

test('a profile is there as text where no script runs', async ({ browser }) => {
  const page = await openWithoutScripts(browser);
  await page.context().addCookies(await driver.context().cookies());
  await page.goto(`${pitboard().url}/profile`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mara Lindqvist');
  await expect(page.getByRole('article')).toContainText('Mazda MX-5');
  await page.context().close();
});

test('a board is there before any script has come, and is hydrated once they have', async ({ page }) => {
  const scripts = new EventEmitter();
  const come = once(scripts, 'come');
  await page.route(/\/index-[^/]*\.js$/, async (route) => {
    await come;
    await route.continue();
  });
  // Without waiting until it is hydrated.
  await page.evaluate((address) => window.location.assign(address), `${pitboard().url}/track/${SPA}`);
  await expect(page.getByRole('table')).toContainText('Mara Lindqvist');
  await expect(page.locator('#root[data-ready]')).toHaveCount(0);
  // An early choice is not lost.
  await page.getByLabel('Drivetrain').selectOption('RWD');
  await page.getByLabel('Race Class').selectOption({ index: 1 });
  scripts.emit('come');
  await expect(page.locator('#root[data-ready]')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Filters in use' }).getByRole('listitem')).toHaveText([
    /^Race Class: /,
    'Drivetrain: RWD',
  ]);
  await expect(page.getByRole('table')).toContainText('Mara Lindqvist');
  await page.getByLabel('Tire Compound').selectOption('full-slick');
  await expect(page.getByText('No lap times match the selected filters')).toBeVisible();
});

test('filters keep their places while the buttons beside them are still to come', async ({ page }) => {
  await page.goto(`${pitboard().url}/track/${SPA}`);
  const field = page.getByLabel('Drivetrain').first();
  const placed = await field.boundingBox();
  // A browser may draw what it has read of the row so far.
  await page.getByRole('region', { name: 'Filters' }).evaluate((filters) => {
    for (const button of filters.querySelectorAll('div:first-child > button')) button.remove();
  });
  expect(await field.boundingBox()).toEqual(placed);
});

/** The arrival of the fonts moves lines by fractions of a pixel: 0.0014 on a busy machine, and nothing on a quiet one. */
const SHIFT_MAX = 0.005;

test('nothing moves on a board and on Operations while they open at a desk', async ({ browser }) => {
  const storageState = await driver.context().storageState();
  const viewport = { width: 1280, height: 900 };
  for (const [path, last] of [
    [`/track/${SPA}`, /laps checked/],
    ['/club/operations', 'Background Work'],
  ] as const) {
    const context = await browser.newContext({ storageState, locale: 'en', viewport });
    const page = await context.newPage();
    // The list of jobs follows what the server does: here it stays as it came with the HTML.
    await page.route('**/api/admin/jobs?*', () => undefined);
    await page.goto(pitboard().url + path);
    await expect(page.getByText(last)).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    const shifts = await listLayoutShifts(page);
    const shift = shifts.reduce((sum, { value }) => sum + value, 0);
    expect(shift, `${path}: ${JSON.stringify(shifts)}`).toBeLessThan(SHIFT_MAX);
    await context.close();
  }
});

test('the title of a track keeps its lines on a phone, however late its font comes', async ({ browser }) => {
  const page = await browser.newPage({ locale: 'en', viewport: { width: 390, height: 844 } });
  const font = new EventEmitter();
  const comes = once(font, 'comes');
  await page.route(/archivo-display-.*woff2$/, async (route) => {
    await comes;
    await route.continue();
  });
  // The event `load` waits for the font.
  await page.goto(`${pitboard().url}/track/${SPA}`, { waitUntil: 'commit' });
  const title = page.getByRole('heading', { level: 1 });
  const before = await title.evaluate(measureText);
  const arrived = page.waitForResponse(/archivo-display-/);
  font.emit('comes');
  await (await arrived).finished();
  await page.evaluate(() => document.fonts.ready);
  expect(await title.evaluate(measureText)).toEqual(before);
  await page.close();
});

/** Runs in the page: measures the lines of an element. */
function measureText(element: Element): { width: number; height: number }[] {
  const range = document.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()].map(({ width, height }) => ({ width, height }));
}

test('a page that is opened out of sight, where no frame is drawn, is hydrated all the same', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(document, 'hidden', { value: true });
    Object.defineProperty(window, 'requestAnimationFrame', { value: () => 0 });
  });
  await page.goto(pitboard().url);
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  await expect(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible();
});

test('the HTML brings its styles, and another page fetches only what it has not got', async ({ page }) => {
  const styles: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.css')) styles.push(pathname.replace(/.*\/(.*)-.*/, '$1'));
  });
  await page.goto(pitboard().url);
  const link = page.getByRole('link', { name: 'Leaderboards', exact: true });
  await expect(link).toHaveCSS('text-decoration-line', 'none');
  await link.click();
  await expect(page.getByPlaceholder('Search tracks...')).toBeVisible();
  expect(styles.filter((name) => name !== 'toaster').toSorted()).toEqual(['combobox', 'leaderboards']);
});

test('what came with the HTML is not asked for again', { tag: '@all' }, async ({ page }) => {
  const below = [`/api/tracks/${SPA}/checks`, `/api/laps/track/${SPA}/record-history`];
  expect((await watch(page, `/track/${SPA}`, below)).calls.toSorted()).toEqual(below.toSorted());
  // A link to a lap brings the lap; the board below loads afterwards.
  const [lapId] = await listLapIds(page, pitboard().url);
  const board = ['best', 'summary', 'filter-options', 'simulated'].map(
    (part) => `/api/laps/track/${SPA}/${part}`,
  );
  await watch(page, `/track/${SPA}?lap=${lapId}`, board);
  const { calls } = await watch(page, '/leaderboards');
  expect(calls).not.toContain('/api/auth/user');
  expect(calls).not.toContain('/api/tracks');
  await expect(page.getByRole('heading', { name: 'Circuit de Spa-Francorchamps' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await driver.goto(pitboard().url);
  await expect(driver.getByRole('button', { name: 'Profile' })).toBeVisible();
});

test('tracks without laps are small and follow the others, the nearest to the time zone first', async ({
  browser,
}) => {
  for (const { timezoneId, nearest } of [
    { timezoneId: 'Asia/Tokyo', nearest: 'Suzuka' },
    { timezoneId: 'America/Los_Angeles', nearest: 'California' },
  ]) {
    const context = await browser.newContext({ timezoneId, viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${pitboard().url}/leaderboards`);
    const small = page.getByRole('list', { name: 'Tracks without laps' }).getByRole('listitem');
    await expect(small.first()).toContainText(nearest);
    await expect(small.first()).toContainText('No laps recorded yet');
    await expect(small.first().getByRole('link', { name: 'Be the first to upload a lap' })).toBeVisible();
    const box = await small.first().boundingBox();
    expect(box?.height).toBeLessThan(180);
    await page.getByPlaceholder('Search tracks...').fill('nurb');
    await expect(page.getByRole('option').first()).toContainText('Nürburgring');
    await expect(small.first()).toContainText('Nürburgring');
    await context.close();
  }
});

test('the empty HTML of another server works as well', async ({ page }) => {
  const index = await (await import('node:fs/promises')).readFile('dist/web/index.html', 'utf8');
  await page.route(`${pitboard().url}/leaderboards`, (route) =>
    route.fulfill({ contentType: 'text/html', body: index }),
  );
  const needed = ['/api/auth/user', '/api/tracks'];
  const { calls } = await watch(page, '/leaderboards', needed);
  expect(calls.filter((call) => needed.includes(call))).toHaveLength(2);
  await expect(page.getByRole('heading', { name: 'Circuit de Spa-Francorchamps' })).toBeVisible();
});
