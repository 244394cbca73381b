// Rates every page of the built application with Lighthouse as a mobile phone would see it, and prints a table of medians.
// `npm run lighthouse [runs]`: three runs of each page by default. The figures are only worth something on a quiet machine.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { chromium, type BrowserContext } from '@playwright/test';
import lighthouse, { type Flags } from 'lighthouse';
import { signIn } from '../tests/e2e/sign-in.ts';
import { startPitboard } from '../tests/pitboard.ts';
import { findFreePort } from '#server/kernel/process/free-port.ts';
import { ensureBuilt } from './build.mjs';
import { driveSeason, SPA } from './drive-season.ts';
import { findBrowser } from './find-browser.mjs';

const GUEST_PATHS = ['/', '/leaderboards', `/track/${SPA}`, '/login'];
const DRIVER_PATHS = [
  '/',
  '/leaderboards',
  `/track/${SPA}`,
  '/profile',
  '/profile/edit',
  '/upload',
  '/garage/add',
  '/admin/import-tracks',
  '/admin/apex-import',
];

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const METRICS = {
  'FCP ms': 'first-contentful-paint',
  'LCP ms': 'largest-contentful-paint',
  'TBT ms': 'total-blocking-time',
  'SI ms': 'speed-index',
  CLS: 'cumulative-layout-shift',
};

type Figures = Record<string, number>;

const runs = Number(process.argv[2] ?? 3);
ensureBuilt();
const { executablePath, args, env } = await findBrowser();
const pitboard = await startPitboard();
const profileFolder = await mkdtemp(join(tmpdir(), 'pitboard-lighthouse-'));
const port = await findFreePort();
// Lighthouse opens its pages in the browser's own profile, so the user signs in there.
const context = await chromium.launchPersistentContext(profileFolder, {
  executablePath,
  args: [...args, `--remote-debugging-port=${port}`],
  env: { ...process.env, ...env },
  locale: 'en-US',
});
try {
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
  await driveSeason(browser, pitboard.url);
  await browser.close();
  console.log('As a guest:');
  console.table(await rateAll(GUEST_PATHS));
  await signInAs(context, 'Mara Lindqvist');
  console.log('As a driver who is an administrator:');
  console.table(await rateAll(DRIVER_PATHS));
} finally {
  await context.close();
  await pitboard.remove();
  await rm(profileFolder, { recursive: true, force: true });
}

async function signInAs(context: BrowserContext, name: string): Promise<void> {
  const page = await context.newPage();
  await signIn(page, pitboard.url, name);
  await page.close();
}

async function rateAll(paths: readonly string[]): Promise<Record<string, Figures>> {
  const table: Record<string, Figures> = {};
  for (const path of paths) {
    const found: Figures[] = [];
    // Lighthouse sometimes misses the first paint of a page; two misses in a row are an error.
    for (let run = 0; run < runs; run++) found.push(await rate(path).catch(() => rate(path)));
    table[path] = takeMedians(found);
  }
  return table;
}

async function rate(path: string): Promise<Figures> {
  await deleteCachedFiles();
  const flags: Flags = { port, onlyCategories: CATEGORIES, disableStorageReset: true, logLevel: 'error' };
  const result = await lighthouse(pitboard.url + path, flags);
  if (!result || result.lhr.runtimeError) {
    throw new Error(`Lighthouse failed on ${path}: ${result?.lhr.runtimeError?.message ?? 'no result'}`);
  }
  const { categories, audits } = result.lhr;
  printFailedAudits(path, result.lhr);
  return Object.fromEntries([
    ...CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
    ...Object.entries(METRICS).map(([label, id]) => [label, roundMetric(audits[id]?.numericValue ?? NaN)]),
  ]);
}

/** Deletes cached files, as Lighthouse would, but keeps the sign-in: every page is rated as at the first visit. */
async function deleteCachedFiles(): Promise<void> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await page.close();
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr'];

function printFailedAudits(path: string, { categories, audits }: Report): void {
  for (const name of CATEGORIES.slice(1)) {
    for (const { id, weight } of categories[name]?.auditRefs ?? []) {
      const audit = audits[id];
      if (weight === 0 || !audit || audit.score === null || audit.score === 1) continue;
      console.log(`${path}: ${audit.title}`, JSON.stringify(audit.details ?? '').slice(0, 600));
    }
  }
}

function roundMetric(value: number): number {
  return value < 10 ? Math.round(value * 1000) / 1000 : Math.round(value);
}

function takeMedians(figures: readonly Figures[]): Figures {
  const names = Object.keys(figures[0] ?? {});
  return Object.fromEntries(
    names.map((name) => {
      const sorted = figures.map((figure) => figure[name] ?? NaN).toSorted((a, b) => a - b);
      return [name, sorted[Math.floor(sorted.length / 2)] ?? NaN];
    }),
  );
}
