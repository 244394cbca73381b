import { EventEmitter, once } from 'node:events';
import { expect, type Page } from '@playwright/test';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { addCar, openAs, uploadLaps } from './driver.ts';
import { test } from './test.ts';

/** What a browser gets with the first document, and what becomes of it. */

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const PUBLIC_PATHS = [
  '/',
  '/leaderboards',
  `/track/${SPA}`,
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

let pitboard: Pitboard;
let driver: Page;

test.beforeAll(async ({ browser }) => {
  pitboard = await startPitboard();
  driver = await openAs(browser, pitboard.url, 'Mara Lindqvist');
  const userCarId = await addCar(driver, pitboard.url, 'mazda-mx-5-nb-1-8');
  await uploadLaps(driver, pitboard.url, { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond: 60 });
});
test.afterAll(() => pitboard.remove());

/** What the console says, and which calls are made, until nothing moves any more. */
async function watch(page: Page, path: string): Promise<{ messages: string[]; calls: string[] }> {
  const messages: string[] = [];
  const calls: string[] = [];
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto(pitboard.url + path);
  await page.waitForLoadState('networkidle');
  page.removeAllListeners();
  return { messages, calls: calls.filter((call) => call.startsWith('/api/')) };
}

test('a page takes over what its document shows without a word in the console', async ({ browser, page }) => {
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

test('the choice of a local account has the theme of the application, whatever the computer prefers', async ({
  browser,
}) => {
  const context = await browser.newContext({ colorScheme: 'light' });
  const page = await context.newPage();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.goto(`${pitboard.url}/api/login?returnTo=/`);
  await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
  expect(await background()).toBe('rgb(11, 13, 17)');
  await page.evaluate(() => localStorage.setItem('theme', 'light'));
  await page.reload();
  expect(await background()).toBe('rgb(249, 250, 252)');
  await context.close();
});

test('the document shows the page before any script has run', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pitboard.url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Your Racing Hub/);
  await expect(page.getByRole('link', { name: 'Explore Leaderboards' })).toBeVisible();
  await page.goto(`${pitboard.url}/leaderboards`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Track Leaderboards');
  await expect(page.getByPlaceholder('Search tracks...')).toBeVisible();
  await context.close();
});

/** From now on a page of ours draws a frame when `drawFrame` is called in it, and its timers with a delay never go off. */
async function holdFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const startTimer = window.setTimeout.bind(window);
    const held: (() => void)[] = [];
    Object.defineProperties(window, {
      requestAnimationFrame: { value: (callback: () => void) => held.push(callback) },
      setTimeout: {
        value: (callback: () => void, delayMs = 0) => (delayMs === 0 ? startTimer(callback) : 0),
      },
      drawFrame: { value: () => held.splice(0).forEach((callback) => callback()) },
    });
  });
}

/** Opens a page without waiting until it has taken over. */
async function openDrawn(page: Page, url: string): Promise<void> {
  await page.evaluate((address) => window.location.assign(address), url);
}

test('no script is asked for before the first frame', async ({ page }) => {
  const files: string[] = [];
  page.on('request', (request) => files.push(new URL(request.url()).pathname.replace(/.*\./, '')));
  await holdFrames(page);
  const loaded = page.waitForEvent('load');
  await openDrawn(page, pitboard.url);
  await loaded;
  expect(files).toContain('woff2');
  expect(files).not.toContain('js');
  await page.evaluate('drawFrame()');
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  expect(files).toContain('js');
});

test('a page that is opened where nobody sees it does not wait for a frame', async ({ page }) => {
  await holdFrames(page);
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true }));
  await page.goto(pitboard.url);
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
});

test('a page that goes out of sight before its first frame loads all the same', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'requestAnimationFrame', { value: () => 0 });
  });
  await page.goto(pitboard.url);
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
});

test('what is typed and pressed before the scripts have come is not lost', async ({ page }) => {
  const scripts = new EventEmitter();
  const come = once(scripts, 'come');
  await page.route(/\/index-[^/]*\.js$/, async (route) => {
    await come;
    await route.continue();
  });
  await openDrawn(page, `${pitboard.url}/leaderboards`);
  await page.getByRole('button', { name: 'Switch to light theme' }).click();
  await page.getByPlaceholder('Search tracks...').pressSequentially('francorchamps');
  scripts.emit('come');
  await expect(page.getByRole('option')).toHaveText([/Spa-Francorchamps/]);
  await expect(page.getByPlaceholder('Search tracks...')).toHaveValue('francorchamps');
  await expect(page.getByRole('button', { name: 'Switch to dark theme' })).toBeVisible();
});

test('the document brings its styles, and another page fetches only what it has not got', async ({
  page,
}) => {
  const styles: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.css')) styles.push(pathname.replace(/.*\/(.*)-.*/, '$1'));
  });
  await page.goto(pitboard.url);
  const link = page.getByRole('link', { name: 'Leaderboards', exact: true });
  await expect(link).toHaveCSS('text-decoration-line', 'none');
  await link.click();
  await expect(page.getByPlaceholder('Search tracks...')).toBeVisible();
  expect(styles.filter((name) => name !== 'toaster').toSorted()).toEqual(['combobox', 'leaderboards']);
});

test('what came with the document is not asked for again', async ({ page }) => {
  const { calls } = await watch(page, '/leaderboards');
  expect(calls).not.toContain('/api/auth/user');
  expect(calls).not.toContain('/api/tracks');
  await expect(page.getByRole('heading', { name: 'Circuit de Spa-Francorchamps' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible();
  await driver.goto(pitboard.url);
  await expect(driver.getByRole('button', { name: 'Profile' })).toBeVisible();
});

test('the empty document of another server works as well', async ({ page }) => {
  const index = await (await import('node:fs/promises')).readFile('dist/web/index.html', 'utf8');
  await page.route(`${pitboard.url}/leaderboards`, (route) =>
    route.fulfill({ contentType: 'text/html', body: index }),
  );
  const { calls } = await watch(page, '/leaderboards');
  expect(calls.filter((call) => ['/api/auth/user', '/api/tracks'].includes(call))).toHaveLength(2);
  await expect(page.getByRole('heading', { name: 'Circuit de Spa-Francorchamps' })).toBeVisible();
});
