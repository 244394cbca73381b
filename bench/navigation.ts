// This measures first visits to the pages of the application from within it, in a real browser: how long from the click
// until the content of the next page is on screen, and how long nothing was. Each visit is the first one of its browser
// context.
import process from 'node:process';
import { chromium, type Browser, type Page } from '@playwright/test';
import { ensureBuilt } from '../scripts/build.mjs';
import { driveSeason, SPA } from '../scripts/drive-season.ts';
import { findBrowser } from '../scripts/find-browser.mjs';
import { signIn } from '../tests/e2e/sign-in.ts';
import { startPitboard } from '../tests/pitboard.ts';

const RUNS = 5;
const GOAL_MS = 100;
/** A reader looks at a page before following a link. */
const READING_MS = 1_000;

type Visit = {
  from: string;
  /** Selector of what is clicked; a menu is opened before. */
  menu?: string;
  link: string;
  /** Content that the next page shows once it can be used. */
  content: string;
  isGuest?: boolean;
};

const MENU = 'header button[aria-label="Profile"]';

const VISITS: Visit[] = [
  { from: '/', link: 'header a[href="/leaderboards"]', content: 'main li ol a' },
  { from: '/leaderboards', link: `main a[href="/track/${SPA}"]`, content: 'main table tbody tr' },
  { from: '/', link: `main li a[href="/track/${SPA}"]`, content: 'main table tbody tr' },
  {
    from: `/track/${SPA}`,
    link: 'main tbody a[href^="/profile/"]',
    content: 'main [role="tabpanel"] article',
  },
  {
    from: `/track/${SPA}`,
    link: 'main tbody a[href*="lap="]',
    content: 'main section[aria-label="Lap"] [data-chart]',
  },
  { from: '/', link: 'header a[href="/upload"]', content: 'main input[type="file"]' },
  { from: '/', menu: MENU, link: 'header a[href="/profile"]', content: 'main [role="tabpanel"] article' },
  { from: '/profile', link: 'main a[href="/profile/edit"]', content: 'main form input' },
  { from: '/profile', link: 'main a[href="/garage/add"]', content: 'main select' },
  { from: '/', menu: MENU, link: 'header a[href="/club"]', content: 'main li' },
  { from: '/club', link: 'main a[href="/admin/import-tracks"]', content: 'main input[type="file"]' },
  { from: '/club', link: 'main a[href="/admin/apex-import"]', content: 'main input[type="file"]' },
  { from: '/', link: 'header a[href="/login"]', content: 'main a[href^="/api/login"]', isGuest: true },
  { from: '/', link: 'header a[href="/upload"]', content: 'main a[href^="/api/login"]', isGuest: true },
];

type Figures = { contentMs: number; blankMs: number };

declare global {
  interface Window {
    measuredVisit: Partial<Figures>;
  }
}

/** Measures and prints the median and the worst of each visit. */
export async function run(): Promise<void> {
  ensureBuilt();
  const { executablePath, args, env } = await findBrowser();
  const pitboard = await startPitboard();
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
  try {
    await driveSeason(browser, pitboard.url);
    const context = await browser.newContext();
    await signIn(await context.newPage(), pitboard.url, 'Mara Lindqvist');
    const cookies = await context.cookies();
    const table = [];
    for (const visit of VISITS) {
      const figures: Figures[] = [];
      // The first one warms up the server.
      for (let run = 0; run <= RUNS; run += 1) {
        const measured = await measure(browser, pitboard.url, visit, visit.isGuest ? [] : cookies);
        if (run > 0) figures.push(measured);
      }
      const times = figures.map(({ contentMs }) => contentMs).toSorted((a, b) => a - b);
      table.push({
        from: visit.from,
        link: visit.link.replace(/^.*href\^?="/, '').replace(/"\]$/, ''),
        'median ms': times[Math.floor(RUNS / 2)],
        'worst ms': times.at(-1),
        'blank ms': Math.max(...figures.map(({ blankMs }) => blankMs)),
        'within goal': (times[Math.floor(RUNS / 2)] ?? Infinity) < GOAL_MS,
      });
    }
    console.table(table);
  } finally {
    await browser.close();
    await pitboard.remove();
  }
}

type Cookies = Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>;

async function measure(browser: Browser, url: string, visit: Visit, cookies: Cookies): Promise<Figures> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies(cookies);
  const page = await context.newPage();
  // tsx names functions by a helper of its own, which the page has not got.
  await page.addInitScript('globalThis.__name = (named) => named;');
  await page.goto(url + visit.from);
  await page.locator('#root[data-ready]').waitFor();
  await page.waitForLoadState('networkidle');
  if (visit.menu) await page.locator(visit.menu).click();
  await page.waitForTimeout(READING_MS);
  await page.evaluate(watchNavigation, visit.content);
  await clickByMouse(page, visit.link);
  await page.waitForFunction(() => window.measuredVisit.contentMs !== undefined);
  const { contentMs = NaN, blankMs = NaN } = await page.evaluate(() => window.measuredVisit);
  await context.close();
  return { contentMs: Math.round(contentMs), blankMs: Math.round(blankMs) };
}

/** Clicks as a person does: the pointer comes from elsewhere, and the button is down for a moment. */
async function clickByMouse(page: Page, selector: string): Promise<void> {
  const link = page.locator(selector).first();
  await link.scrollIntoViewIfNeeded();
  const box = await link.boundingBox();
  if (!box) throw new Error(`Not on screen: ${selector}`);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
  await page.waitForTimeout(80);
  await page.mouse.down();
  await page.waitForTimeout(60);
  await page.mouse.up();
}

/** Runs in the page: from the click on, looks at every frame until the content of another URL is there. */
function watchNavigation(selector: string): void {
  window.measuredVisit = {};
  const before = location.href;
  document.addEventListener(
    'click',
    ({ timeStamp }) => {
      let blankMs = 0;
      let lastMs = timeStamp;
      const look = (): void => {
        const nowMs = performance.now();
        const main = document.querySelector('main');
        if (!main?.innerText.trim()) blankMs += nowMs - lastMs;
        lastMs = nowMs;
        const content = location.href === before ? null : document.querySelector(selector);
        if (content?.closest('main') && main?.innerText.trim()) {
          window.measuredVisit = { contentMs: nowMs - timeStamp, blankMs };
        } else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    },
    { capture: true, once: true },
  );
}
