// First visits to pages in a real browser, version 0.2 and the present tree in turn: how long until the content is visible, until the
// scripts have taken over, and until the page has answered a reader who began as early as possible. A filter waits for the server as well;
// the cursor of a lap's charts does not.
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
const TRACK_PATH = `/track/${TRACK}`;
const RUNS = 7;
const DEMO_POLL_MS = 1_000;

const SLOW = {
  line: '1.6 Mbit/s, 150 ms, processor / 4',
  megabitsPerSecond: 1.6,
  latencyMs: 150,
  slowdown: 4,
};
const FAST = { line: '20 Mbit/s, 20 ms', megabitsPerSecond: 20, latencyMs: 20, slowdown: 1 };

type Line = typeof SLOW;

/** Holds the times since the navigation began: when the first content is visible, when the scripts have taken over, and when the page has answered the reader. */
type Visit = { visibleMs: number; readyMs: number; answeredMs: number };

type Page = {
  visible: string;
  answered: string;
  lines: readonly Line[];
  viewport: { width: number; height: number };
  /** Finds the URL of the page on a server. */
  findPath: (url: string) => Promise<string>;
  /** Runs in the page before its own scripts. */
  watch: () => void;
};

const PHONE = { width: 390, height: 844 };

const PAGES: readonly Page[] = [
  {
    visible: 'first row of a board',
    answered: 'answered filter',
    lines: [SLOW, FAST],
    viewport: { width: 1280, height: 800 },
    findPath: () => Promise.resolve(TRACK_PATH),
    watch: watchBoard,
  },
  {
    visible: 'lap on a phone',
    answered: 'answered cursor',
    lines: [SLOW],
    viewport: PHONE,
    findPath: async (url) => `${TRACK_PATH}?lap=${(await listLapIds(url)).at(2)}`,
    watch: watchLap,
  },
  {
    visible: 'comparison on a phone',
    answered: 'answered cursor',
    lines: [SLOW],
    viewport: PHONE,
    findPath: async (url) => {
      const lapIds = await listLapIds(url);
      return `${TRACK_PATH}?lap=${lapIds.at(1)}&vs=${lapIds.at(2)}`;
    },
    watch: watchLap,
  },
];

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
    for (const page of PAGES) {
      for (const line of page.lines) table.push(...(await compare(browser, versions, { page, line })));
    }
    console.table(table);
  } finally {
    await browser.close();
    await Promise.all(versions.map((version) => version.remove()));
  }
}

type Measured = { page: Page; line: Line };

async function compare(browser: Browser, versions: readonly Pitboard[], { page, line }: Measured) {
  const urls = await Promise.all(versions.map(async ({ url }) => url + (await page.findPath(url))));
  const visits = versions.map((): Visit[] => []);
  // The first visit of each version warms up its server.
  for (let run = -1; run < RUNS; run += 1) {
    for (const [index, url] of urls.entries()) {
      const measured = await visit(browser, url, { page, line });
      if (run >= 0) visits[index]?.push(measured);
    }
  }
  const until = { visibleMs: page.visible, readyMs: `${page.visible}: takeover`, answeredMs: page.answered };
  return (['visibleMs', 'readyMs', 'answeredMs'] as const).map((figure) => {
    const [old = NaN, present = NaN] = visits.map((list) => median(list.map((visit) => visit[figure])));
    return {
      line: line.line,
      until: until[figure],
      'version 0.2 ms': Math.round(old),
      'present ms': Math.round(present),
      ratio: Number((present / old).toFixed(2)),
    };
  });
}

/** Returns one visit with an empty cache. */
async function visit(browser: Browser, url: string, { page: shown, line }: Measured): Promise<Visit> {
  const context = await browser.newContext({ viewport: shown.viewport });
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
  await page.addInitScript(shown.watch);
  await page.addInitScript(watchTakeover);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.visit.answeredMs !== undefined, null, { timeout: 60_000 });
  const { visibleMs = NaN, readyMs = NaN, answeredMs = NaN } = await page.evaluate(() => window.visit);
  await context.close();
  return { visibleMs, readyMs, answeredMs };
}

/** Lists the laps of the board, the fastest first. */
async function listLapIds(url: string): Promise<string[]> {
  const response = await fetch(`${url}/api/laps/track/${TRACK}/best`);
  const records: { lapId: string }[] = await response.json();
  return records.map(({ lapId }) => lapId);
}

/** Runs in the page: notes when the scripts have taken over. */
function watchTakeover(): void {
  new MutationObserver((_, observer) => {
    if (!document.getElementById('root')?.hasAttribute('data-ready')) return;
    window.visit.readyMs = performance.now();
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-ready'] });
}

/** Runs in the page: notes the first frame with a row, and presses a filter until the page reacts and its answer is shown. */
function watchBoard(): void {
  window.visit = {};
  const look = (): void => {
    const { visit } = window;
    const row = document.querySelector('table tbody tr');
    if (row && visit.visibleMs === undefined && row.getBoundingClientRect().height > 0) {
      // The callback runs after the frame that it belongs to.
      requestAnimationFrame(() => (visit.visibleMs ??= performance.now()));
    }
    const isAsked = location.search.includes('timePeriod');
    if (isAsked && visit.visibleMs !== undefined && !document.querySelector('[aria-busy="true"]')) {
      visit.answeredMs = performance.now();
      return;
    }
    const period = document.querySelector<HTMLSelectElement>('main select');
    if (period && !isAsked && visit.visibleMs !== undefined) {
      period.value = '1-month';
      period.dispatchEvent(new Event('change', { bubbles: true }));
    }
    setTimeout(look, 20);
  };
  look();
}

/** Runs in the page: notes the first frame with the lap, and moves the cursor of its charts until the figures follow. */
function watchLap(): void {
  window.visit = {};
  let before: string | null = null;
  let share = 0.25;
  const look = (): void => {
    const { visit } = window;
    const heading = document.querySelector('main section h1');
    if (heading && visit.visibleMs === undefined) {
      requestAnimationFrame(() => (visit.visibleMs ??= performance.now()));
    }
    const slider = document.querySelector<HTMLInputElement>('main section input[type="range"]');
    const spoken = slider?.getAttribute('aria-valuetext') ?? null;
    if (before !== null && spoken !== before && document.querySelector('[data-chart] path')) {
      visit.answeredMs = performance.now();
      return;
    }
    if (slider) {
      before ??= spoken;
      slider.valueAsNumber = Number(slider.max) * share;
      share = 1 - share;
      slider.dispatchEvent(new Event('input', { bubbles: true }));
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
