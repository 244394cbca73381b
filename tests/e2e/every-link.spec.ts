import { expect, type Browser, type Page } from '@playwright/test';
import { PAGES } from '#contract/pages.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { test } from './test.ts';

// A visitor of any role finds a page at the end of each link.

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const pitboard = shareServer('all tests');
/** Holds what was fetched for an earlier role. */
const fetched = new Set<string>();

test.beforeAll(async ({ browser }) => {
  const { url } = pitboard();
  for (const [name, modelKey, topSpeedMetersPerSecond] of [
    ['Theo Okafor', 'mazda-mx-5-nb-1-8', 52],
    ['Priya Venkat', 'mazda-mx-5-nb-1-8', 56],
    ['Jonas Weidner', 'bmw-m2-f87-cs', 60],
  ] as const) {
    const page = await openAs(browser, url, name);
    const userCarId = await addCar(page, url, modelKey);
    await uploadLaps(page, url, { trackId: SPA, userCarId, seed: 1, topSpeedMetersPerSecond });
    await page.context().close();
  }
});

for (const [who, name, role] of [
  ['a guest', null, null],
  ['a driver', 'Theo Okafor', null],
  ['a moderator', 'Jonas Weidner', 'moderator'],
  ['an administrator', 'Jonas Weidner', 'admin'],
  ['the owner', 'Mara Lindqvist', null],
] as const) {
  test(`every link that ${who} finds leads to a page`, { tag: '@all' }, async ({ browser }) => {
    if (role !== null) await giveRole(browser, name, role);
    const page =
      name === null ? await browser.newPage({ locale: 'en' }) : await openAs(browser, pitboard().url, name);
    const visited = await walk(page);
    // Otherwise the walk has found no links.
    expect([...visited]).toEqual(expect.arrayContaining(['home', 'leaderboards', 'track', 'track?lap']));
    if (role !== null || name === 'Mara Lindqvist') expect([...visited]).toContain('club-moderation');
    await page.context().close();
  });
}

/** Opens one page of each kind that links lead to, and fetches the others and the files. Gives the kinds. */
async function walk(page: Page): Promise<Set<string>> {
  const kinds = new Set<string>();
  const asked = new Set<string>();
  const waiting = ['/'];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (asked.has(path)) continue;
    asked.add(path);
    const kind = nameKind(path);
    if (kinds.has(kind) || path.startsWith('/api/')) {
      if (fetched.has(path)) continue;
      fetched.add(path);
      const answer = await page.request.get(pitboard().url + path);
      expect([path, answer.status()]).toEqual([path, 200]);
      continue;
    }
    kinds.add(kind);
    waiting.push(...(await visit(page, path)));
  }
  return kinds;
}

/** Names the page of a path with its parameters, and with what these choose among a few. */
function nameKind(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://pitboard.example');
  const segments = pathname.split('/');
  const fits = ([, pattern]: [string, string]) =>
    pattern.split('/').length === segments.length &&
    pattern.split('/').every((part, index) => part.startsWith(':') || part === segments[index]);
  const [name] = Object.entries(PAGES).find(fits) ?? [pathname];
  const parameters = [...searchParams].map(([key, value]) =>
    ['tab', 'open', 'section'].includes(key) ? `${key}=${value}` : key,
  );
  return parameters.length === 0 ? name : `${name}?${parameters.toSorted().join('&')}`;
}

/** Opens a page and expects that it shows something at a desk and on a phone. Gives the paths of its links. */
async function visit(page: Page, path: string): Promise<string[]> {
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`);
  });
  page.on('pageerror', (error) => refused.push(String(error)));
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.goto(pitboard().url + path);
  await page.waitForLoadState('networkidle');
  const links = await listLinks(page);
  await expectContent(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectContent(page);
  links.push(...(await listLinks(page)));
  page.removeAllListeners();
  expect(refused, path).toEqual([]);
  return links;
}

async function expectContent(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }), page.url()).toBeVisible();
  const deadEnd = /Access Denied|Something went wrong|could not be loaded|Not Found/i;
  await expect(page.getByRole('main'), page.url()).not.toHaveText(deadEnd);
}

/** Lists the paths of the links on a page, but for those that sign in or out. */
async function listLinks(page: Page): Promise<string[]> {
  const links = await page.evaluate(() =>
    Array.from(document.links, ({ origin, pathname, search }) =>
      origin === window.location.origin ? pathname + search : '',
    ),
  );
  return links.filter((link) => link !== '' && !/^\/api\/(login|logout|callback)/.test(link));
}

async function giveRole(browser: Browser, name: string, role: string): Promise<void> {
  const { url } = pitboard();
  const [owner, person] = [await openAs(browser, url, 'Mara Lindqvist'), await openAs(browser, url, name)];
  const { id }: { id: string } = await (await person.request.get(`${url}/api/auth/user`)).json();
  const given = await owner.request.put(`${url}/api/admin/users/${id}/role`, {
    headers: { origin: url },
    data: { role },
  });
  expect(given.ok()).toBe(true);
  await owner.context().close();
  await person.context().close();
}
