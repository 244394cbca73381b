import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { expect } from 'vitest';

/** A page, what went wrong on it since `expectPage` or `takeProblems` was called last, and when it last called the server. */
export type WatchedPage = {
  page: Page;
  /** Forgets what happened on the page before, and says that this URL is a page: its answer is no file. */
  expectPage: (url: string) => void;
  takeProblems: () => string[];
  lastTrafficMs: () => number;
};

const PATIENCE_MS = 60_000;
/** Puppeteer's own `waitForNetworkIdle` waits for ever once a page has given up a call, whose end Firefox does not report. */
const QUIET_MS = 400;

const DESK_PX = 1280;
const WIDTHS = [390, DESK_PX];

/** Opens a blank page with cookies of its own, which collects script errors and files that do not come. */
export async function openPage(browser: Browser): Promise<WatchedPage> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.setViewport({ width: DESK_PX, height: 800 });
  let problems: string[] = [];
  page.on('pageerror', (error) => problems.push(`Script error: ${String(error)}`));
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) problems.push(`Console: ${message.text()}`);
  });
  let trafficMs = 0;
  // Firefox reports some answers late, and then does not say that they are pages.
  const pages = new Set<string>();
  let requests = new WeakSet<HTTPRequest>();
  page.on('request', (request) => {
    trafficMs = Date.now();
    requests.add(request);
    if (request.isNavigationRequest()) pages.add(request.url());
  });
  page.on('response', (response) => {
    trafficMs = Date.now();
    const isFile = requests.has(response.request()) && !pages.has(response.url());
    // A page that may come from the device, without the network, learns in this way that its reader is a guest.
    const saysGuest = response.status() === 401 && response.url().endsWith('/api/auth/user');
    if (isFile && response.status() >= 400 && !saysGuest)
      problems.push(`${response.status()}: ${response.url()}`);
  });
  const expectPage = (url: string): void => {
    pages.add(new URL(url).href);
    requests = new WeakSet();
    problems = [];
  };
  const takeProblems = (): string[] => {
    const taken = problems;
    problems = [];
    return taken;
  };
  return { page, expectPage, takeProblems, lastTrafficMs: () => trafficMs };
}

/** Opens a URL and waits until the page answers and has fetched its data. */
export async function open(watched: WatchedPage, url: string): Promise<void> {
  watched.expectPage(url);
  await watched.page.goto(url).catch(async (error: unknown) => {
    // Firefox gives up a navigation when the page before it begins one of its own at the same moment, as after a sign-in.
    if (!/NS_BINDING_ABORTED|A new navigation interrupted/.test(String(error))) throw error;
    await watched.page.goto(url);
  });
  await settle(watched);
}

/** Fails if scripts failed, a chart is empty, there are fewer than expected, or the layout overflows, at the widths of a phone and a desk. */
export async function expectSound(watched: WatchedPage, charts = 0): Promise<void> {
  const { page, takeProblems } = watched;
  for (const width of WIDTHS) {
    await page.setViewport({ width, height: 800 });
    await settle(watched);
    const at = `${page.url()} at ${width} pixels`;
    expect(await page.$eval('h1', (heading) => heading.textContent.trim()), at).not.toBe('');
    // Charts are drawn after the rest.
    await page.waitForFunction(
      (count) => document.querySelectorAll('[data-chart]').length >= count,
      {},
      charts,
    );
    expect(await page.evaluate(findOverflow), at).toEqual([]);
    expect(await page.evaluate(findEmptyDrawings), at).toEqual([]);
  }
  expect(takeProblems(), page.url()).toEqual([]);
}

/** Waits until the page answers, has fetched its data and shows them. */
export async function settle({ page, lastTrafficMs }: WatchedPage): Promise<void> {
  // web/main.tsx adds the attribute.
  await page.waitForSelector('#root[data-ready]');
  while (Date.now() - lastTrafficMs() < QUIET_MS) await sleep(50);
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
}

/** Runs in the page: lists what reaches beyond its right edge, and is not scrolled in a box of its own. */
function findOverflow(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const elements = Array.from(document.querySelectorAll('header *, main *, footer *'));
  const scrolled = elements.filter((element) => getComputedStyle(element).overflowX !== 'visible');
  const beyond = elements
    .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden'))
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
    .filter((element) => !scrolled.some((box) => box !== element && box.contains(element)));
  return [
    ...beyond.map(
      (element) => `${element.tagName} ${element.className}: ${element.textContent.slice(0, 80)}`,
    ),
    ...(scrollWidth > clientWidth ? [`The page is ${scrollWidth} pixels wide.`] : []),
  ];
}

/** Runs in the page: lists visible charts without a line, and other drawings with nothing in them. A low bar may be empty: its value is zero. */
function findEmptyDrawings(): string[] {
  const lowestDrawingPx = 16;
  const drawings = Array.from(document.querySelectorAll<SVGSVGElement>('main svg'))
    .filter((drawing) => drawing.clientHeight >= lowestDrawingPx)
    .filter((drawing) => Math.max(drawing.getBBox().width, drawing.getBBox().height) === 0);
  const charts = Array.from(document.querySelectorAll('[data-chart]')).filter((chart) =>
    Array.from(chart.querySelectorAll('path')).every((path) => path.getTotalLength() === 0),
  );
  return [...drawings, ...charts].map((element) => `Empty: ${element.outerHTML.slice(0, 160)}`);
}
