import { expect, type Page } from '@playwright/test';
import { HARBOUR, MEADOW } from './stand-in-world.ts';
import type { StandIn } from './stand-in.ts';
import { test } from './test.ts';

// Whatever people are called, however far they zoom in, and however far apart their letters stand: nothing is cut off, and
// nothing scrolls sideways.

const LONG_NAME = 'Wolfeschlegelsteinhausenbergerdorffvoralternwarengewissenhaf';
const NAMES = [LONG_NAME, 'محمد بن عبد الله القرشي السائق السريع جدا', '🏎️🏁👨‍👩‍👧‍👦 Zoë 🇧🇪🔥'];

const PATHS = ['/', '/leaderboards', `/track/${HARBOUR}`, '/profile', '/profile?tab=tracks', '/profile/edit'];

/** A window of 1,280 pixels at 400 %, a small phone, a usual one, and a desk. */
const WIDTHS = [320, 375, 640, 1280];

test(
  'names of sixty letters without a space, from right to left, and of pictures have room everywhere',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    nameEverything(signedIn);
    for (const path of PATHS) {
      await page.goto(signedIn.url + path);
      await page.waitForLoadState('networkidle');
      for (const width of WIDTHS) await expectNothingCutOff(page, width);
    }
  },
);

test(
  'letters, words and lines may stand as far apart as readers need it',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    for (const path of [...PATHS, '/upload', '/garage/add']) {
      await page.goto(signedIn.url + path);
      await page.waitForLoadState('networkidle');
      await page.addStyleTag({
        content: `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
        p { margin-bottom: 2em !important }`,
      });
      for (const width of WIDTHS) await expectNothingCutOff(page, width);
    }
  },
);

test(
  'a window that is zoomed in fourfold is left to the page',
  { tag: '@all' },
  async ({ page, standIn }) => {
    await page.setViewportSize({ width: 320, height: 215 });
    await page.goto(standIn.url);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, 600));
    await expect(page.getByRole('navigation').first()).not.toBeInViewport();
  },
);

test('a sheet on a phone ends above the keyboard', { tag: '@all' }, async ({ page, signedIn }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await page.goto(`${signedIn.url}/track/${HARBOUR}`);
  await page.getByRole('button', { name: 'Filters' }).click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await expect(sheet).toBeVisible();
  // No keyboard opens in a browser without a screen; this is what one does to it.
  await page.evaluate(() => {
    const seen = window.visualViewport;
    Object.defineProperty(seen, 'height', { value: 367 });
    seen?.dispatchEvent(new Event('resize'));
  });
  const edges = () =>
    sheet.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return { isTopSeen: top >= 0, bottomPx: Math.round(bottom) };
    });
  await expect.poll(edges).toEqual({ isTopSeen: true, bottomPx: 367 });
});

test('five rows of a board are on the first screen of a phone, in two lines with their gap; a tap shows the car', async ({
  page,
  signedIn,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${signedIn.url}/track/${HARBOUR}`);
  const rows = page.getByRole('table').getByRole('rowgroup').last().getByRole('row');
  await expect(rows).toHaveCount(5);
  await expect(page.getByRole('button', { name: /^P4 · \d+\.\d\d s to / })).toBeVisible();
  for (const row of await rows.all()) {
    const box = await row.boundingBox();
    expect(box?.height).toBeLessThanOrEqual(56);
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(844);
  }
  await expect(
    rows
      .nth(1)
      .getByText(/^\+\d+\.\d{3}$/)
      .first(),
  ).toBeVisible();
  const car = rows.nth(0).getByRole('cell').getByText('Corvane Swift 2.0 · ');
  await expect(car).toHaveCount(0);
  await rows.nth(0).click({ position: { x: 20, y: 20 } });
  await expect(car).toBeVisible();
});

test(
  'what is pressed on a phone is large enough for a thumb',
  { tag: '@all' },
  async ({ browser, signedIn }) => {
    const context = await browser.newContext({
      viewport: { width: 375, height: 667 },
      hasTouch: true,
      isMobile: true,
    });
    const page = await context.newPage();
    for (const path of [...PATHS, `/track/${MEADOW}`, '/upload', '/garage/add', '/nowhere']) {
      await page.goto(signedIn.url + path);
      await page.waitForLoadState('networkidle');
      const small = await page
        .locator('button, main a[class*="_button_"]')
        .evaluateAll((buttons) =>
          buttons
            .filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 44)
            .map((button) => button.textContent || button.ariaLabel),
        );
      expect(
        small.filter((name) => !/far off|Remove filter/.test(name ?? '')),
        path,
      ).toEqual([]);
    }
    await context.close();
  },
);

function nameOf(index: number): string {
  return NAMES[index % NAMES.length] ?? '';
}

function nameEverything({ world }: StandIn): void {
  world.user = { ...world.visitor, displayName: LONG_NAME, email: `${LONG_NAME}@drivers.example` };
  world.tracks = world.tracks.map((track, index) => ({
    ...track,
    name: nameOf(index),
    location: nameOf(index + 1),
    configuration: nameOf(index + 2),
  }));
  for (const records of Object.values(world.recordsByTrack)) {
    for (const [index, record] of records.entries()) {
      Object.assign(record, {
        userName: nameOf(index),
        carModel: nameOf(index + 1),
        videoUrl: 'https://v.example',
      });
    }
  }
  world.userCars = world.userCars.map((car, index) => ({
    ...car,
    nickname: nameOf(index),
    modelDisplay: `${car.make} ${LONG_NAME}`,
  }));
  for (const bests of Object.values(world.bestsByCar)) for (const best of bests) best.trackName = LONG_NAME;
}

/** Fails where something stands beyond the page's edge, or where what is no ellipsis ends at an edge of its own. */
async function expectNothingCutOff(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 812 });
  const found = await page.evaluate(() => {
    const edgePx = document.body.getBoundingClientRect().right;
    return (
      Array.from(document.querySelectorAll('header *, main *, footer *'))
        // A field scrolls by itself, and the name beside the mark of the site gives way on purpose.
        .filter((element) => !element.closest('input, svg, .visually-hidden, [aria-label="Pitboard, home"]'))
        .filter((element) => {
          const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(element);
          const hasEllipsis = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
          const mayCut = ['hidden', 'clip'].includes(overflowX) && !hasEllipsis;
          const isCut = mayCut && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
          return element.checkVisibility() && (isCut || element.getBoundingClientRect().right > edgePx + 0.5);
        })
        .map((element) => `${element.className}: ${element.textContent?.slice(0, 80)}`)
    );
  });
  expect(found, `${page.url()} at ${width} pixels`).toEqual([]);
}
