// Takes a picture of every page, in both themes and at the widths of a desk and a phone, with a few driven laps on the boards.
// `npm run screenshots [folder]` writes to test-results/screenshots by default.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { chromium, type Browser, type Page } from '@playwright/test';
import { signIn } from '../tests/e2e/sign-in.ts';
import { startPitboard } from '../tests/pitboard.ts';
import { ensureBuilt } from './build.mjs';
import { driveSeason, SPA } from './drive-season.ts';
import { findBrowser } from './find-browser.mjs';

const THEMES = ['dark', 'light'] as const;
const WIDTHS = [1280, 375] as const;

const PAGES: Record<string, { path: string; isSignedIn: boolean }> = {
  home: { path: '/', isSignedIn: false },
  leaderboards: { path: '/leaderboards', isSignedIn: true },
  track: { path: `/track/${SPA}`, isSignedIn: true },
  'track-empty': { path: '/track/hungaroring-grand-prix', isSignedIn: false },
  'track-filtered': { path: `/track/${SPA}?drivetrain=RWD&tire=track-200`, isSignedIn: true },
  events: { path: '/events', isSignedIn: false },
  login: { path: '/login', isSignedIn: false },
  upload: { path: '/upload', isSignedIn: true },
  'add-car': { path: '/garage/add', isSignedIn: true },
  profile: { path: '/profile', isSignedIn: true },
  'profile-tracks': { path: '/profile?tab=tracks', isSignedIn: true },
  'edit-profile': { path: '/profile/edit', isSignedIn: true },
  'not-found': { path: '/nowhere', isSignedIn: false },
};

/** The pages of administrators have a file that is chosen before the picture is taken. */
const ADMIN_PAGES: Record<string, { path: string; file?: string }> = {
  'club-events': { path: '/club/events' },
  'import-tracks': { path: '/admin/import-tracks' },
  'import-tracks-review': { path: '/admin/import-tracks', file: 'data/tracks.json' },
  'apex-import': { path: '/admin/apex-import', file: 'data/cars.csv' },
};

const folder = process.argv[2] ?? 'test-results/screenshots';
await mkdir(folder, { recursive: true });
ensureBuilt();
const { executablePath, args, env } = await findBrowser();
const pitboard = await startPitboard();
const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
try {
  await driveSeason(browser, pitboard.url);
  Object.assign(PAGES, await lapPages());
  for (const theme of THEMES) {
    for (const width of WIDTHS) await photograph(browser, theme, width);
  }
} finally {
  await browser.close();
  await pitboard.remove();
}

/** Finds the page of the lap of the slowest driver at Spa, and that of its comparison with the driver ahead. */
async function lapPages(): Promise<typeof PAGES> {
  const response = await fetch(`${pitboard.url}/api/laps/track/${SPA}/best`);
  const records: { lapId: string }[] = await response.json();
  const [ahead, slowest] = records.slice(-2).map(({ lapId }) => lapId);
  return {
    lap: { path: `/track/${SPA}?lap=${slowest}`, isSignedIn: false },
    comparison: { path: `/track/${SPA}?lap=${ahead}&vs=${slowest}`, isSignedIn: true },
    'profile-track': { path: `/profile?tab=tracks&track=${SPA}`, isSignedIn: true },
  };
}

async function photograph(browser: Browser, theme: string, width: number): Promise<void> {
  const context = await browser.newContext({
    locale: 'en',
    viewport: { width, height: width > 600 ? 860 : 812 },
    hasTouch: width < 600,
    isMobile: width < 600,
  });
  await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
  const page = await context.newPage();
  const take = async (name: string, path: string, file?: string) => {
    await page.goto(pitboard.url + path);
    if (file !== undefined) await page.locator('input[type=file]').first().setInputFiles(file);
    await settle(page);
    await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
    await warnOfSidewaysScroll(page, `${name} at ${width}`);
  };
  for (const [name, { path, isSignedIn }] of Object.entries(PAGES)) if (!isSignedIn) await take(name, path);
  await signIn(page, pitboard.url, 'Theo Okafor');
  for (const [name, { path, isSignedIn }] of Object.entries(PAGES)) if (isSignedIn) await take(name, path);
  await context.clearCookies();
  await signIn(page, pitboard.url, 'Mara Lindqvist');
  for (const [name, { path, file }] of Object.entries(ADMIN_PAGES)) await take(name, path, file);
  await context.close();
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  // The home page draws its outline in 900 ms.
  await page.waitForTimeout(1200);
}

async function warnOfSidewaysScroll(page: Page, what: string): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 0) console.error(`${what} scrolls sideways by ${overflow} px.`);
}
