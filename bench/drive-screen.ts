// The page that records a drive, in Chromium with a processor four times slower: how long it works on each notification of a receiver, how
// long a lap time takes from the crossing to the screen, and what hours of driving leave in its memory.
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { ensureBuilt } from '../scripts/build.mjs';
import { findBrowser } from '../scripts/find-browser.mjs';
import {
  connectBluetooth,
  driveWaterford,
  openPhone,
  toChunks,
  UART_TX,
  WATERFORD,
} from '../tests/e2e/drive-steps.ts';
import { addCar, uploadLaps } from '../tests/e2e/driver.ts';
import { waitUntilHydrated } from '../tests/e2e/test.ts';
import { startPitboard, type Pitboard } from '../tests/pitboard.ts';

const SLOWDOWN = 4;
const LAPS = 8;
const HOURS = 4;
/** Between two stints the car stands in the pits, without a signal. */
const PAUSE_MS = 300_000;
/** Notifications come at the pace of the drive from so long before each line until so long after it. Bar and figure stand still for three seconds of that. */
const PACED_MS = { before: 1_000, after: 6_000 };
const GOALS_MS = { notification: 10, screen: 150 };

/** Holds a notification of the receiver, and the moment of the crossing around which it comes at the pace of the drive. */
type Sent = { base64: string; atMs: number; crossingMs: number | null };

type Fed = {
  /** Lists how long the page worked on each notification, until its frame was painted. */
  workMs: number[];
  /** Lists the time from the notification that ends a lap until the lap time is painted. */
  fromFixMs: number[];
  /** Lists the same from the crossing itself, which lies between two fixes. */
  fromCrossingMs: number[];
};

/** Measures and prints what the screen of a drive costs. */
export async function run(): Promise<void> {
  ensureBuilt();
  const pitboard = await startPitboard({ environment: { LOG_LEVEL: 'error' } });
  const { executablePath, args, env } = await findBrowser();
  // Memory is measured after both, page and worker, have collected their garbage.
  const browser = await chromium.launch({
    executablePath,
    args: [...args, '--js-flags=--expose-gc'],
    env: { ...process.env, ...env },
  });
  try {
    const drive = driveWaterford(21, LAPS);
    const page = await startDrive(browser, pitboard, drive);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
    const { workMs, fromFixMs, fromCrossingMs } = await page.evaluate(feedPaced, listSent(drive));
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    console.log(
      `${workMs.length} notifications at 25 Hz, ${fromFixMs.length} laps, processor / ${SLOWDOWN}\n`,
    );
    console.log('| ms | median | 95 % | most | goal |\n| --- | ---: | ---: | ---: | ---: |');
    print('work on a notification, its frame included', workMs, GOALS_MS.notification);
    print('from the notification that ends a lap to its time on the screen', fromFixMs);
    print('from the crossing to the time on the screen', fromCrossingMs, GOALS_MS.screen);
    await driveForHours(page, { session, browserSession: await browser.newBrowserCDPSession() }, drive);
  } finally {
    await browser.close();
    await pitboard.remove();
  }
}

/** Opens the page on a phone of a driver with a best lap to compare with, and starts a drive with the first seconds of `drive`. */
async function startDrive(browser: Browser, pitboard: Pitboard, drive: SimulatedDrive): Promise<Page> {
  const page = await openPhone(browser, pitboard, { name: 'Theo Okafor' });
  waitUntilHydrated(page);
  const { url } = pitboard;
  const userCarId = await addCar(page, url, 'mazda-mx-5-nb-1-8');
  await uploadLaps(page, url, { trackId: WATERFORD, userCarId, seed: 3, topSpeedMetersPerSecond: 40 });
  await page.goto(`${url}/track/${WATERFORD}`);
  await page.getByRole('button', { name: 'Take this track along' }).tap();
  await page.getByText('Taken along.').waitFor();
  await page.goto(`${url}/drive`);
  await connectBluetooth(page);
  await page.evaluate(installFeed, UART_TX);
  const [first = 0] = drive.fixes.map(({ timeMs }) => timeMs);
  await page.evaluate(
    feedFast,
    listSent(drive).filter(({ atMs }) => atMs < first + 5_000),
  );
  await page.getByRole('radio', { name: /Your best/ }).waitFor();
  await page.getByRole('button', { name: 'Start', exact: true }).tap();
  await page.getByRole('button', { name: 'Hold to end' }).waitFor();
  return page;
}

function listSent(drive: SimulatedDrive): Sent[] {
  const crossings = drive.trueLaps.map(({ startTimeMs, lapTimeMs }) => startTimeMs + lapTimeMs);
  return toChunks(drive, 'racebox').map(({ bytes, arrivalMs }) => ({
    base64: Buffer.from(bytes).toString('base64'),
    atMs: arrivalMs,
    crossingMs:
      crossings.find((ms) => arrivalMs > ms - PACED_MS.before && arrivalMs < ms + PACED_MS.after) ?? null,
  }));
}

declare global {
  interface Window {
    /** Gives the page a notification; resolves in the next task, after what it does at once. */
    give: (base64: string) => Promise<void>;
    inNextTask: () => Promise<void>;
    readLastLap: () => string | undefined;
  }
}

/** Runs in the page. */
function installFeed(characteristic: string): void {
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port2.addEventListener('message', () => waiting.shift()?.());
  port2.start();
  window.inNextTask = () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port1.postMessage(null);
    });
  window.readLastLap = () => {
    const labels = Array.from(document.querySelectorAll('section[aria-label="Driving"] p'));
    return labels.find(({ textContent }) => textContent === 'Last lap')?.nextElementSibling?.textContent;
  };
  window.give = (base64) => {
    window.testDevices.notify(characteristic, [base64]);
    return window.inNextTask();
  };
}

/** Runs in the page: gives notifications without a pause. */
async function feedFast(sent: Sent[]): Promise<void> {
  for (const { base64 } of sent) await window.give(base64);
}

/** Runs in the page: gives notifications, those around lines when they are due. */
async function feedPaced(sent: Sent[]): Promise<Fed> {
  const fed: Fed = { workMs: [], fromFixMs: [], fromCrossingMs: [] };
  let pace = { crossingMs: Number.NaN, atCrossing: 0, isPainted: false };
  for (const { base64, atMs, crossingMs } of sent) {
    if (crossingMs === null) {
      await window.give(base64);
      continue;
    }
    if (pace.crossingMs !== crossingMs)
      pace = { crossingMs, atCrossing: performance.now() + crossingMs - atMs, isPainted: false };
    const dueAt = pace.atCrossing + atMs - crossingMs;
    await new Promise((resolve) => {
      setTimeout(resolve, Math.max(0, dueAt - performance.now()));
    });
    const before = window.readLastLap();
    const givenAt = performance.now();
    await window.give(base64);
    const doneAt = performance.now();
    const frameAt = await new Promise<number>((resolve) => {
      requestAnimationFrame(() => resolve(performance.now()));
    });
    await window.inNextTask();
    const paintedAt = performance.now();
    fed.workMs.push(doneAt - givenAt + paintedAt - frameAt);
    if (pace.isPainted || window.readLastLap() === before) continue;
    pace.isPainted = true;
    fed.fromFixMs.push(paintedAt - givenAt);
    fed.fromCrossingMs.push(paintedAt - pace.atCrossing);
  }
  return fed;
}

function print(name: string, values: readonly number[], goal?: number): void {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN).toFixed(1);
  console.log(`| ${name} | ${at(0.5)} | ${at(0.95)} | ${at(1)} | ${goal ?? ''} |`);
}

type Sessions = { session: CDPSession; browserSession: CDPSession };

/** Gives hours of stints as fast as the page takes them, and prints what stays in its memory. */
async function driveForHours(page: Page, sessions: Sessions, drive: SimulatedDrive): Promise<void> {
  const [firstMs = 0, lastMs = 0] = [drive.fixes[0]?.timeMs, drive.fixes.at(-1)?.timeMs];
  const stintMs = lastMs - firstMs + PAUSE_MS;
  const stints = Math.ceil((HOURS * 3_600_000) / stintMs);
  let notifications = 0;
  console.log('\n| hours of driving | heap of the page | nodes of the page | memory of its process |');
  console.log('| ---: | ---: | ---: | ---: |');
  for (let stint = 1; stint <= stints; stint += 1) {
    const fixes = drive.fixes.map((fix) => ({ ...fix, timeMs: fix.timeMs + stint * stintMs }));
    const sent = listSent({ ...drive, fixes });
    notifications += sent.length;
    await page.evaluate(feedFast, sent);
    for (const worker of page.workers()) await worker.evaluate(() => Reflect.get(globalThis, 'gc')?.());
    if (stint % 4 === 1 || stint === stints) await printMemory(sessions, (stint * stintMs) / 3_600_000);
  }
  console.log(`\n${notifications} notifications`);
}

/** Sums up the memory of the renderer processes; NaN anywhere but on Linux. */
async function measureProcesses(session: CDPSession): Promise<number> {
  if (process.platform !== 'linux') return Number.NaN;
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const pages = processInfo.filter(({ type }) => type === 'renderer');
  const statuses = await Promise.all(pages.map(({ id }) => readFile(`/proc/${id}/status`, 'utf8')));
  return statuses.reduce(
    (sum, status) => sum + 1_024 * Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN),
    0,
  );
}

const formatMebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

async function printMemory({ session, browserSession }: Sessions, hours: number): Promise<void> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const find = (name: string) => metrics.find((one) => one.name === name)?.value ?? Number.NaN;
  console.log(
    `| ${hours.toFixed(1)} | ${formatMebibytes(find('JSHeapUsedSize'))} | ${find('Nodes')} | ${formatMebibytes(await measureProcesses(browserSession))} |`,
  );
}
