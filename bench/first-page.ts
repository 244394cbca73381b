// Measures a first visit to the page of a track in a real browser, version 0.2 and the present tree in turn: how long until the first row
// of the board is visible, and until a filter that was pressed as early as possible has been answered.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser } from '@playwright/test';
import { ensureBuilt } from '../scripts/build.mjs';
import { findBrowser } from '../scripts/find-browser.mjs';
import { projectFolder } from '../scripts/install.mjs';
import { startPitboard, type Pitboard } from '../tests/pitboard.ts';

const OLD_COMMIT = '65ba3ff';
// Both versions have this track in their demo community.
const TRACK = 'weathertech-raceway-laguna-seca-full';
const RUNS = 7;
const DEMO_POLL_MS = 1_000;

const LINES = [
  { line: '1.6 Mbit/s, 150 ms, processor / 4', megabitsPerSecond: 1.6, latencyMs: 150, slowdown: 4 },
  { line: '20 Mbit/s, 20 ms', megabitsPerSecond: 20, latencyMs: 20, slowdown: 1 },
];

type Line = (typeof LINES)[number];

/** Holds the times since the navigation began. */
type Visit = { rowMs: number; filterMs: number };

declare global {
  interface Window {
    visit: Partial<Visit>;
  }
}

/** Measures and prints the medians of both versions, and their ratios: below 1 the present tree is faster. */
export async function run(): Promise<void> {
  ensureBuilt();
  const versions = await Promise.all([startWithDemo(buildOldVersion()), startWithDemo(projectFolder)]);
  const { executablePath, args, env } = await findBrowser();
  const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } });
  try {
    const table = [];
    for (const line of LINES) table.push(...(await compare(browser, versions, line)));
    console.table(table);
  } finally {
    await browser.close();
    await Promise.all(versions.map((version) => version.remove()));
  }
}

async function compare(browser: Browser, versions: readonly Pitboard[], line: Line) {
  const visits = versions.map((): Visit[] => []);
  for (let run = 0; run < RUNS; run += 1) {
    for (const [index, { url }] of versions.entries()) visits[index]?.push(await visit(browser, url, line));
  }
  return (['rowMs', 'filterMs'] as const).map((figure) => {
    const [old = NaN, present = NaN] = visits.map((list) => median(list.map((visit) => visit[figure])));
    return {
      line: line.line,
      until: figure === 'rowMs' ? 'first row' : 'answered filter',
      'version 0.2 ms': Math.round(old),
      'present ms': Math.round(present),
      ratio: Number((present / old).toFixed(2)),
    };
  });
}

/** Returns one visit with an empty cache. */
async function visit(browser: Browser, url: string, line: Line): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const bytesPerSecond = (line.megabitsPerSecond * 1_000_000) / 8;
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: line.latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: line.slowdown });
  // tsx names functions by a helper of its own, which the page has not got.
  await page.addInitScript('globalThis.__name = (named) => named;');
  await page.addInitScript(watchVisit);
  await page.goto(`${url}/track/${TRACK}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.visit.filterMs !== undefined, null, { timeout: 60_000 });
  const { rowMs = NaN, filterMs = NaN } = await page.evaluate(() => window.visit);
  await context.close();
  return { rowMs, filterMs };
}

/** Runs in the page: notes the first frame with a row, and presses a filter until the page reacts and its answer is shown. */
function watchVisit(): void {
  window.visit = {};
  const look = (): void => {
    const { visit } = window;
    const row = document.querySelector('table tbody tr');
    if (row && visit.rowMs === undefined && row.getBoundingClientRect().height > 0) {
      // The callback runs after the frame that it belongs to.
      requestAnimationFrame(() => (visit.rowMs ??= performance.now()));
    }
    const isAsked = location.search.includes('timePeriod');
    if (isAsked && visit.rowMs !== undefined && !document.querySelector('[aria-busy="true"]')) {
      visit.filterMs = performance.now();
      return;
    }
    const period = document.querySelector<HTMLSelectElement>('main select');
    if (period && !isAsked && visit.rowMs !== undefined) {
      period.value = '1-month';
      period.dispatchEvent(new Event('change', { bubbles: true }));
    }
    setTimeout(look, 20);
  };
  look();
}

/** Builds version 0.2 once into a folder of its own. */
function buildOldVersion(): string {
  const folder = join(tmpdir(), `pitboard-${OLD_COMMIT}`);
  if (!existsSync(join(folder, 'dist', '.build-hash'))) {
    console.log(`Building version 0.2 in ${folder} …`);
    execFileSync('git', ['worktree', 'add', '--force', '--detach', folder, OLD_COMMIT], {
      cwd: projectFolder,
    });
    execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
    execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'inherit' });
  }
  return folder;
}

async function startWithDemo(folder: string): Promise<Pitboard> {
  const pitboard = await startPitboard({ folder, environment: { PITBOARD_DEMO: 'on' } });
  for (;;) {
    const response = await fetch(`${pitboard.url}/api/demo`);
    const status: { state: string } = await response.json();
    if (status.state === 'ready') return pitboard;
    await sleep(DEMO_POLL_MS);
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
