import { expect, type Page } from '@playwright/test';
import { openAs, shareServer } from './driver.ts';
import { expectAccessible } from './expect-accessible.ts';
import { test } from './test.ts';

// These stories show who sees which pages of the club, and what the server answers to those who open an address directly.

const server = shareServer();

const ALL = ['Overview', 'People', 'Moderation', 'Tracks', 'Cars', 'Events', 'Operations', 'Audit'];

const PAGES = {
  '/club': ['/api/admin/waiting'],
  '/club/people': ['/api/admin/people', '/api/admin/invitations'],
  '/club/moderation': ['/api/admin/flagged-laps', '/api/admin/decided-laps'],
  '/club/events': [],
  '/club/operations': [
    '/api/admin/operations',
    '/api/admin/backups',
    '/api/admin/mail',
    '/api/admin/webhooks',
  ],
  '/club/audit': ['/api/admin/audit-log'],
  '/admin/import-tracks': ['/api/admin/track-proposals'],
  '/admin/apex-import': ['/api/admin/cars'],
};

const links = (page: Page) => page.getByRole('navigation', { name: 'Club' }).getByRole('link');

const callAll = async (page: Page, url: string, calls: readonly string[]): Promise<number[]> =>
  await Promise.all(calls.map(async (call) => (await page.request.get(url + call)).status()));

test('an owner sees all pages of the club, which say what runs, what waits and who was there', async ({
  browser,
}) => {
  const { url } = server();
  const page = await openAs(browser, url, 'Mara Lindqvist');
  await page.goto(url);
  await page.getByRole('banner').getByRole('link', { name: 'Club' }).click();
  await expect(links(page)).toHaveText(ALL.map((name) => new RegExp(`^${name}`)));
  const runs = page.getByRole('region', { name: 'What runs' });
  await expect(runs.getByRole('listitem')).toHaveCount(4);
  await expect(runs).toContainText('Set BACKUP_TARGET');
  await expect(page.getByRole('region', { name: 'What waits' })).toContainText('Flagged laps');
  const driven = page.getByRole('region', { name: 'What was driven' });
  await expect(
    driven.getByRole('list', { name: 'Laps a week, the last 14' }).getByRole('listitem'),
  ).toHaveCount(14);
  const people = page.getByRole('region', { name: 'People' });
  await expect(people.getByRole('listitem').first()).toContainText('Mara LindqvistOwner');
  await expectAccessible(page);

  await runs.getByRole('link', { name: 'Set up: Mail' }).click();
  await expect(
    page.getByRole('dialog', { name: 'E-mail' }).getByLabel('Mail server', { exact: true }),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(`${url}/club/operations`);
  // Accounts of a sign-in provider have no set-up; the switches for the whole site are here all the same.
  await page.getByRole('link', { name: 'Details: Club' }).click();
  await expect(page.getByRole('dialog', { name: 'Club' }).getByLabel('Simulator boards')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();

  await links(page).filter({ hasText: 'People' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Mara Lindqvist' });
  await expect(row).toContainText('Owner');
  // The settings of the server make her an owner, and the own account is not ended here.
  await expect(row.getByRole('button')).toHaveCount(0);
  await page.getByLabel('Search people').fill('zzz');
  await expect(page.getByText('0 found')).toBeVisible();
  await expectAccessible(page);
  for (const [path, calls] of Object.entries(PAGES))
    expect([path, await callAll(page, url, calls)]).toEqual([path, calls.map(() => 200)]);
});

test('a moderator sees only what is for moderators to decide', { tag: '@all' }, async ({ browser }) => {
  const { url } = server();
  const owner = await openAs(browser, url, 'Mara Lindqvist');
  const page = await openAs(browser, url, 'Jonas Weidner');
  const { id }: { id: string } = await (await page.request.get(`${url}/api/auth/user`)).json();
  const made = await owner.request.put(`${url}/api/admin/users/${id}/role`, {
    headers: { origin: url },
    data: { role: 'moderator' },
  });
  expect(made.ok()).toBe(true);
  await page.goto(`${url}/club`);
  await expect(links(page)).toHaveText([/^Overview/, /^Moderation/, /^Tracks/, /^Events/]);
  await expect(page.getByRole('region', { name: 'What waits' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'What runs' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Invite people' })).toHaveCount(0);
  await expectAccessible(page);
  const open = ['/club', '/club/moderation', '/club/events', '/admin/import-tracks'];
  const refused: string[] = [];
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url());
  });
  for (const [path, calls] of Object.entries(PAGES)) {
    const isOpen = open.includes(path);
    expect([path, await callAll(page, url, calls)]).toEqual([path, calls.map(() => (isOpen ? 200 : 403))]);
    await page.goto(url + path);
    await expect(page.getByText('Access Denied', { exact: true })).toHaveCount(isOpen ? 0 : 1);
  }
  // The pages make no call that this role may not make.
  expect(refused).toEqual([]);
  await expectAccessible(page);

  await owner.setViewportSize({ width: 390, height: 844 });
  await owner.goto(`${url}/club/audit`);
  await expect(owner.getByRole('row').filter({ hasText: 'role: Member → Moderator' })).toBeVisible();
  await expectAccessible(owner);
});

for (const [who, name, status] of [
  ['driver', 'Theo Okafor', 403],
  ['guest', null, 401],
] as const) {
  test(
    `a ${who} finds no way to the club, and its addresses refuse`,
    { tag: '@all' },
    async ({ browser, page: guest }) => {
      const { url } = server();
      const page = name === null ? guest : await openAs(browser, url, name);
      await page.goto(url);
      await expect(page.getByRole('banner').getByRole('link', { name: 'Club' })).toHaveCount(0);
      for (const [path, calls] of Object.entries(PAGES)) {
        expect([path, await callAll(page, url, calls)]).toEqual([path, calls.map(() => status)]);
        await page.goto(url + path);
        await expect(page.getByText(/^Access Denied/)).toBeVisible();
        await expect(links(page)).toHaveCount(0);
      }
      await expectAccessible(page);
    },
  );
}

test('the addresses of before lead to the pages of the club', async ({ browser }) => {
  const { url } = server();
  const page = await openAs(browser, url, 'Mara Lindqvist');
  for (const [from, to] of [
    ['/admin/apex-import?tab=flags', '/club/moderation'],
    ['/admin/apex-import?tab=people', '/club/people'],
    ['/admin/apex-import?tab=operations', '/club/operations'],
    ['/admin/import-tracks?tab=log', '/club/audit'],
  ] as const) {
    await page.goto(url + from);
    await expect(page).toHaveURL(url + to);
  }
});
