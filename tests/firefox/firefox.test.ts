import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PAGE_PARTS, PAGES } from '#contract/pages.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { placeAt, timeAt } from '#engine/video/timed-places.ts';
import { CELLS, encodeVideo, LIBRARY, readNumber, toEncoding } from '../e2e/make-video.ts';
import { call, signIn } from '../faults/client.ts';
import { libraryTrack } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { openEvent, shareLive } from './shared-pages.ts';
import { expectSound, open, openPage, settle, type WatchedPage } from './watched-page.ts';

// Every page and the main ways through them, in the Firefox that `npm run test:firefox` has found.

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const MX5 = 'mazda-mx-5-nb-1-8';
const DRIVER = 'Theo Okafor';
const RIVAL = 'Priya Venkat';
/** The server's first administrator. */
const OWNER = 'Mara Lindqvist';

let browser: Browser;
let pitboard: Pitboard;
/** The laps of the board, the fastest first. */
let lapIds: string[];
let liveCode: string;
let eventId: string;

beforeAll(async () => {
  pitboard = await startPitboard();
  browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env['PITBOARD_TEST_FIREFOX'] ?? '',
  });
  await drive('priya.venkat', { seed: 2, topSpeedMetersPerSecond: 58 });
  await drive('theo.okafor', { seed: 1, topSpeedMetersPerSecond: 52 });
  lapIds = z
    .array(z.object({ lapId: z.string() }))
    .parse(await askAsGuest(`/api/laps/track/${SPA}/best`))
    .map(({ lapId }) => lapId);
  expect(lapIds).toHaveLength(2);
  liveCode = await shareLive(pitboard.url, 'theo.okafor', SPA);
  eventId = await openEvent(pitboard.url, 'mara.lindqvist', SPA);
});

afterAll(async () => {
  await browser.close();
  await pitboard.remove();
});

/** The path of each page by its name; those of a lap and a comparison have a name of their own. */
const PATHS: Record<string, () => string> = {
  ...Object.fromEntries(Object.entries(PAGES).map(([name, pattern]) => [name, () => fillIn(pattern)])),
  'not-found': () => '/no/such/page',
  'laps of the driver on a track': () => `/profile?tab=tracks&track=${SPA}`,
  lap: () => lapPath(lapIds[1]),
  comparison: () => `${lapPath(lapIds[0])}&vs=${lapIds[1]}`,
};

const CHARTS: Record<string, number> = { lap: 2, comparison: 2 };

describe.each([
  ['a guest', null],
  ['a driver', DRIVER],
  ['the owner', OWNER],
])('%s', (_, name) => {
  let watched: WatchedPage;

  beforeAll(async () => {
    watched = await openPage(browser);
    if (name !== null) await signInOnPage(watched, name);
  });

  afterAll(async () => {
    await watched.page.browserContext().close();
  });

  test.each(Object.keys(PATHS))('opens %s', async (page) => {
    await open(watched, pitboard.url + PATHS[page]?.());
    await expectSound(watched, CHARTS[page]);
  });
});

test('a missing file is a problem, a missing page and a file of the page before are none', async () => {
  const watched = await openPage(browser);
  const { page, takeProblems } = watched;
  const missing = `${pitboard.url}/assets/no-such-file.js`;
  const load = () => page.evaluate(async (url) => void (await fetch(url, { cache: 'no-store' })), missing);
  await open(watched, `${pitboard.url}/no/such/page`);
  expect(takeProblems()).toEqual([]);
  await load();
  await expect.poll(takeProblems).toEqual([`404: ${missing}`]);
  await load();
  await open(watched, pitboard.url);
  expect(takeProblems()).toEqual([]);
  await page.browserContext().close();
});

test('a guest filters a board, opens a lap and moves along it', async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await open(watched, `${pitboard.url}/track/${SPA}`);
  const drivetrain = await page.waitForSelector('::-p-aria([name="Drivetrain"][role="combobox"])');
  await drivetrain?.select('FWD');
  await page.waitForSelector('::-p-text(No lap times match the selected filters)');
  await drivetrain?.select('RWD');
  await page.waitForSelector(`::-p-aria(Filters in use) ::-p-text(Drivetrain: RWD)`);
  await page.locator(`tbody ::-p-text(${DRIVER})`).wait();
  await expectSound(watched);
  await page.locator(`a[href*="lap=${lapIds[1]}"]`).click();
  const slider = await page.waitForSelector('[role="slider"], input[type="range"]');
  const spoken = () => slider?.evaluate((element) => element.getAttribute('aria-valuetext'));
  const before = await spoken();
  await slider?.press('ArrowRight');
  await expect.poll(spoken).not.toBe(before);
  await expectSound(watched, CHARTS['lap']);
  await page.browserContext().close();
});

test('a driver compares the own lap with that of the rival', async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await signInOnPage(watched, DRIVER);
  await open(watched, pitboard.url + lapPath(lapIds[1]));
  await page.locator('::-p-aria([name="Compare with the next in the same car"])').click();
  await page.waitForSelector(`h1 ::-p-text(${RIVAL})`);
  await page.waitForSelector('::-p-aria([name="Every straight and corner against the reference"])');
  await expectSound(watched, CHARTS['comparison']);
  await page.browserContext().close();
});

test('a driver uploads a sample, and looks into its lap', async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await signInOnPage(watched, DRIVER);
  await open(watched, `${pitboard.url}/upload`);
  await press('Zandvoort');
  await press('Process 1 File(s)');
  await page.locator('[role="dialog"] ::-p-text(Zandvoort), dialog ::-p-text(Zandvoort)').click();
  await page.waitForSelector('::-p-text(Lap Summary)');
  await expectSound(watched);
  const car = await page.waitForSelector('::-p-aria([name="Car"][role="combobox"])');
  await car?.select(await car.$eval('option:last-child', (option) => option.value));
  await page.locator('::-p-aria([name="Track Street 200 TW"][role="radio"])').click();
  await page.locator('input[type="url"]').fill('https://video.example/lap');
  await press('Upload Lap Data');
  await page.waitForSelector('::-p-text(Upload successful!)');
  await page.locator('a[href*="lap="]').click();
  await page.waitForSelector('[data-chart]');
  await expectSound(watched, 1);
  await page.browserContext().close();

  async function press(button: string): Promise<void> {
    await page.locator(`::-p-aria([name="${button}"][role="button"])`).click();
  }
});

/** The video begins so long before its lap. A part of the lap is enough, and quickly made. */
const LEAD_SECONDS = 4;
const VIDEO = { seconds: 16, rate: 25 };
const column = z.array(z.number());

let folder: string;
let videoPath: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-firefox-'));
  videoPath = join(folder, 'onboard.mp4');
  await writeFile(videoPath, await makeVideo());
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Opens the video of a lap, and says which picture shows the line. */
async function putInStep(page: Page, name: string): Promise<void> {
  const region = `section[aria-label="Video of ${name}"]`;
  const chooser = await page.waitForSelector(`${region} input[type="file"]`);
  await (await chooser?.toElement('input'))?.uploadFile(videoPath);
  const status = () => page.$eval(`${region} output`, ({ textContent }) => textContent);
  await page.waitForSelector(`${region} output`);
  await expect.poll(status, { timeout: 60_000 }).toMatch(/^In step|Find the moment when/);
  if ((await status()).startsWith('In step')) return;
  const moment = await page.waitForSelector(`${region} input[aria-label="Moment of the video"]`);
  await moment?.evaluate(slide, LEAD_SECONDS);
  await expect.poll(() => readPicture(page, name), { timeout: 60_000 }).toBe(LEAD_SECONDS * VIDEO.rate);
  await page.locator(`${region} ::-p-text(The picture shows the line now)`).click();
  await page.waitForSelector(`${region} ::-p-text(In step by a moment that you set.)`);
}

test('a driver puts a video in step with the lap, and the picture follows the cursor', async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await signInOnPage(watched, DRIVER);
  await open(watched, pitboard.url + lapPath(lapIds[1]));
  await page.locator('::-p-aria([name="Watch the video"][role="button"])').click();
  await putInStep(page, 'You');

  const trace = await askAsGuest(`/api/tracks/${SPA}/laps/${lapIds[1]}/trace`);
  const { meters, timesMs } = z.object({ meters: column, timesMs: column }).parse(trace);
  const cursor = await page.waitForSelector('input[data-lap-slider]');
  for (const place of [150, 300]) {
    await cursor?.evaluate(slide, place);
    const findFramesOff = async () => {
      const here = Number(await cursor?.evaluate((element) => element.value));
      const seconds = LEAD_SECONDS + timeAt({ meters, elapsedMs: timesMs }, here) / 1_000;
      return Math.abs((await readPicture(page, 'You')) - Math.floor(seconds * VIDEO.rate));
    };
    await expect.poll(findFramesOff, { timeout: 60_000 }).toBeLessThanOrEqual(1);
  }
  await expectSound(watched, CHARTS['lap']);
  await page.browserContext().close();
});

/** Runs in the page, whose videos go on while a call to it takes its time: plays, and pauses after so many milliseconds. */
async function playFor(milliseconds: number): Promise<void> {
  for (const name of ['Play', 'Pause']) {
    document.querySelector<HTMLElement>(`[role="toolbar"] button[aria-label="${name}"]`)?.click();
    if (name === 'Play') await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}

const PAUSES_AFTER_MS = [420, 530, 640, 750, 860, 970];

test('two videos rest at the same place whenever the reader pauses', async () => {
  const watched = await openPage(browser);
  const { page } = watched;
  await signInOnPage(watched, DRIVER);
  const comparison = await askAsGuest(`/api/tracks/${SPA}/laps/${lapIds[0]}/comparison?with=${lapIds[1]}`);
  const { reference, laps } = z
    .object({
      reference: z.object({ meters: column, elapsedMs: column }),
      laps: z.array(z.object({ gapMs: column })),
    })
    .parse(comparison);
  const own = reference.elapsedMs.map((elapsed, index) => elapsed + (laps[0]?.gapMs[index] ?? 0));
  await open(watched, `${pitboard.url}${lapPath(lapIds[0])}&vs=${lapIds[1]}`);
  await page.locator('::-p-aria([name="Watch the video"][role="button"])').click();
  for (const name of [RIVAL, 'You']) await putInStep(page, name);
  const findFramesOff = async () => {
    const [first, second] = [await readPicture(page, RIVAL), await readPicture(page, 'You')];
    const place = placeAt(reference, (first / VIDEO.rate - LEAD_SECONDS) * 1_000);
    const wanted = LEAD_SECONDS + timeAt({ meters: reference.meters, elapsedMs: own }, place) / 1_000;
    return Math.abs(second - wanted * VIDEO.rate);
  };
  // The video ends before the lap, where the cursor may be at first.
  const cursor = await page.waitForSelector('input[data-lap-slider]');
  await cursor?.evaluate(slide, 150);
  await expect.poll(() => readPicture(page, RIVAL)).toBeLessThan((VIDEO.seconds / 2) * VIDEO.rate);
  for (const playedMs of PAUSES_AFTER_MS) {
    const before = await readPicture(page, RIVAL);
    await page.evaluate(playFor, playedMs);
    await expect.poll(findFramesOff, { timeout: 60_000 }).toBeLessThanOrEqual(1.2);
    expect(await readPicture(page, RIVAL)).toBeGreaterThan(before);
  }
  await expectSound(watched, CHARTS['comparison']);
  await page.browserContext().close();
});

/** Makes a video in this Firefox itself, each frame of which shows its number. Encoders are for pages of a secure origin, such as this computer's. */
async function makeVideo(): Promise<Buffer> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Video</title>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${address.port}/`);
  await page.addScriptTag({ path: LIBRARY });
  const base64 = await page.evaluate(encodeVideo, toEncoding(VIDEO));
  await page.close();
  server.close();
  return Buffer.from(base64, 'base64');
}

/** Reads the number of the frame that the video of the page shows. */
async function readPicture(page: Page, name: string): Promise<number> {
  return await page.$eval(`section[aria-label="Video of ${name}"] video`, readNumber, CELLS);
}

/** Runs in the page: moves a slider as a reader does. */
function slide(element: Element, value: number): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, String(value));
  element.dispatchEvent(new Event('input', { bubbles: true }));
}

async function askAsGuest(path: string): Promise<unknown> {
  return (await call({ url: pitboard.url, cookie: '' }, 'GET', path)).body;
}

/** Signs in with the form of the embedded provider. */
async function signInOnPage(watched: WatchedPage, name: string): Promise<void> {
  const { page, takeProblems } = watched;
  await page.goto(`${pitboard.url}/api/login?returnTo=/`);
  const account = await page.waitForSelector(`button ::-p-text(${name})`);
  await account?.click();
  await settle(watched);
  expect(takeProblems()).toEqual([]);
}

/** Lets a local account upload laps of Spa. */
async function drive(
  account: string,
  driving: { seed: number; topSpeedMetersPerSecond: number },
): Promise<void> {
  const { url } = pitboard;
  const client = { url, cookie: await signIn(url, account) };
  const car = await call(client, 'POST', '/api/user-cars', { modelKey: MX5, nickname: null });
  const form = new FormData();
  form.set('trackId', SPA);
  form.set('userCarId', z.object({ id: z.string() }).parse(car.body).id);
  form.set('tireCompound', 'track-200');
  form.set('videoUrl', 'https://video.example/onboard');
  const lapFile = writeGpx(simulateDrive(libraryTrack(SPA), { laps: 3, ...driving }));
  form.set('files', new File([lapFile], 'laps.gpx', { type: 'application/gpx+xml' }));
  const { status } = await call(client, 'POST', '/api/upload', form);
  expect(status).toBe(200);
}

/** Lets a local account share a drive live; returns the code of its page. */
/** Replaces the parameters of a page's path. */
function fillIn(pattern: string): string {
  const values: Record<string, string> = {
    trackId: SPA,
    idOrName: encodeURIComponent(RIVAL),
    code: liveCode,
    eventId,
  };
  return pattern.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The tests have no ${name} for ${pattern}.`);
    return value;
  });
}

function lapPath(lapId = ''): string {
  return `/track/${SPA}?${PAGE_PARTS.track?.parameter}=${lapId}`;
}
