import { readFile } from 'node:fs/promises';
import { expect as expectSoon, type Browser, type Page } from '@playwright/test';
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';
import { simulateDrive, type SimulatedDrive } from '#engine/simulation/drive.ts';
import { addGoProTrack } from '#engine/testing/write-gopro-mp4.ts';
import { timeAt } from '#engine/video/timed-places.ts';
import { libraryTrack } from '../library.ts';
import { listBestLaps, openWithLaps, shareServer } from './driver.ts';
import { makeVideo, readFrame } from './make-video.ts';
import { LATE_PLAYER, VIMEO_PLAYER, YOUTUBE_PLAYER } from './stand-in-players.ts';
import { test } from './test.ts';

/** Decoders of a busy machine need long. */
const expect = expectSoon.configure({ timeout: 60_000 });

const TRACK = 'waterford-hills-full';
const MX5 = 'mazda-mx-5-nb-1-8';
const DRIVING = { seed: 3, topSpeedMetersPerSecond: 50 };
const YOUTUBE_ID = 'M7lc1UVf-VE';
/** The session begins at this second of the public video. */
const LINK_SECONDS = 95;
const LEAD_SECONDS = 4;

const pitboard = shareServer('all tests');
let driver: Page;
let lapId: string;

test.beforeAll(async ({ browser }) => {
  driver = await openWithLaps(browser, pitboard().url, {
    name: 'Theo Okafor',
    trackId: TRACK,
    modelKey: MX5,
    ...DRIVING,
  });
  const records = await listBestLaps(driver, pitboard().url, TRACK);
  lapId = records[0]?.lapId ?? '';
});

test.afterAll(async () => {
  await driver.context().close();
});

async function getJson<Answer>(path: string): Promise<Answer> {
  return await (await driver.request.get(`${pitboard().url}${path}`)).json();
}

const lapUrl = () => `${pitboard().url}/track/${TRACK}?lap=${lapId}`;
const cursor = (page: Page) => page.getByRole('slider', { name: 'Position along the lap' });

type Times = { lapStartMs: number; sessionStartMs: number };
type Trace = { meters: number[]; timesMs: number[] };

async function fetchLap() {
  const times = await getJson<Times>(`/api/lap-videos/${TRACK}/${lapId}`);
  const { meters, timesMs } = await getJson<Trace>(`/api/tracks/${TRACK}/laps/${lapId}/trace`);
  return { ...times, places: { meters, elapsedMs: timesMs } };
}

async function linkVideo(videoUrl: string): Promise<void> {
  const { sessionId } = await getJson<{ sessionId: string }>(`/api/tracks/${TRACK}/laps/${lapId}`);
  const changed = await driver.request.patch(`${pitboard().url}/api/sessions/${sessionId}`, {
    headers: { origin: pitboard().url },
    data: { videoUrl },
  });
  expect(changed.ok()).toBe(true);
}

const OF_PLAYERS = /youtube|ytimg|google|vimeo/;

for (const [site, link, host, player] of [
  ['YouTube', `https://youtu.be/${YOUTUBE_ID}?t=${LINK_SECONDS}`, 'www.youtube-nocookie.com', YOUTUBE_PLAYER],
  ['Vimeo', `https://vimeo.com/76979871#t=${LINK_SECONDS}s`, 'player.vimeo.com', VIMEO_PLAYER],
] as const) {
  test(`a video of ${site} loads after a press only, goes to the place of the cursor and to corners, and leads it`, async () => {
    const page = driver;
    await linkVideo(link);
    const { lapStartMs, sessionStartMs, places } = await fetchLap();
    const asked: { url: string; referrer: string | undefined }[] = [];
    await page.route(OF_PLAYERS, async (route) => {
      asked.push({ url: route.request().url(), referrer: (await route.request().allHeaders())['referer'] });
      await route.fulfill({ contentType: 'text/html', body: player });
    });
    await page.goto(lapUrl());
    await page.getByRole('button', { name: 'Watch the video' }).click();
    const load = page.getByRole('button', { name: `Load the video from ${site}` });
    await expect(load).toBeVisible();
    expect(asked).toEqual([]);
    await load.click();
    const frame = page.locator('iframe');
    await expect(frame).toHaveAttribute('referrerpolicy', 'strict-origin-when-cross-origin');
    await expect(page.getByRole('status').filter({ hasText: 'In step' })).toHaveText(
      'In step by the moment in its link. A player of another site is in step to about a second.',
    );
    const shown = page.frameLocator('iframe').locator('output');
    const expected = async () =>
      LINK_SECONDS +
      (lapStartMs - sessionStartMs + timeAt(places, Number(await cursor(page).inputValue()))) / 1_000;
    const expectShown = async (tolerance: number) =>
      expect
        .poll(async () => Math.abs(Number(await shown.textContent()) - (await expected())))
        .toBeLessThan(tolerance);
    await cursor(page).fill('800');
    await expectShown(0.1);
    await page.getByRole('button', { name: 'The next corner' }).click();
    expect(Number(await cursor(page).inputValue())).toBeGreaterThan(800);
    await expectShown(0.1);
    const before = Number(await cursor(page).inputValue());
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    await expect.poll(async () => Number(await cursor(page).inputValue())).toBeGreaterThan(before + 20);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expectShown(1);
    expect(asked.map(({ url }) => new URL(url).host)).toEqual([host]);
    expect(asked[0]?.referrer).toBe(`${pitboard().url}/`);
    await page.unroute(OF_PLAYERS);
  });
}

test(
  'a player that is ready late gets the speed and the sound that the reader has chosen meanwhile',
  { tag: '@all' },
  async () => {
    const page = driver;
    await linkVideo(`https://youtu.be/${YOUTUBE_ID}?t=${LINK_SECONDS}`);
    await page.route(OF_PLAYERS, (route) => route.fulfill({ contentType: 'text/html', body: LATE_PLAYER }));
    await page.goto(lapUrl());
    await page.getByRole('button', { name: 'Watch the video' }).click();
    await page.getByRole('button', { name: 'Load the video from YouTube' }).click();
    await page.getByRole('combobox', { name: 'Speed' }).selectOption('0.5');
    await page.getByRole('button', { name: 'Sound on' }).click();
    await expect(page.getByRole('button', { name: 'Sound off' })).toBeVisible();
    await page.frameLocator('iframe').getByRole('button', { name: 'Begin' }).click();
    const heard = page.frameLocator('iframe').locator('output');
    await expect(heard).toContainText('setPlaybackRate 0.5');
    await expect(heard).toContainText('unMute');
    await page.unroute(OF_PLAYERS);
  },
);

/** Few frames are enough for a step, and quickly made into a clip. */
const RATE = 5;

/** Films the laps with another receiver in the same car, which wanders by half a metre. */
function film(): SimulatedDrive {
  const receiver = { receiver: { rateHz: 18.2 }, receiverSeed: 91 };
  const filmed = simulateDrive(libraryTrack(TRACK), { laps: 3, ...DRIVING, ...receiver });
  const fixes = filmed.fixes.map((fix) => ({
    ...fix,
    lat: fix.lat + (1 + 0.5 * Math.sin(fix.timeMs / 7_000)) / 111_195,
    lon: fix.lon + (0.5 * Math.cos(fix.timeMs / 9_000)) / 70_000,
    speedMetersPerSecond: fix.speedMetersPerSecond + 0.2 * Math.sin(fix.timeMs / 900),
  }));
  return { ...filmed, fixes };
}

/** Makes the video of a GoPro with sound, which begins before the lap. */
async function makeGoProVideo(browser: Browser, lapStartMs: number, lapSeconds: number): Promise<Buffer> {
  const seconds = Math.ceil(lapSeconds) + 2 * LEAD_SECONDS;
  const picture = await makeVideo(browser, pitboard().url, { seconds, rate: RATE, hasSound: true });
  return Buffer.from(addGoProTrack(picture, film(), lapStartMs - LEAD_SECONDS * 1_000));
}

async function openVideo(page: Page, buffer: Buffer): Promise<void> {
  await page.goto(lapUrl());
  await page.getByRole('button', { name: 'Watch the video' }).click();
  await page
    .getByRole('region', { name: /^Video of/ })
    .locator('input[type=file]')
    .setInputFiles({ name: 'GX010042.MP4', mimeType: 'video/mp4', buffer });
  await expect(page.getByRole('status').filter({ hasText: 'In step' })).toHaveText(
    'In step by the GPS of the camera, to a frame.',
  );
}

/** Makes a clip with what is chosen in the dialog, which then is a link, and returns its bytes. */
async function makeClip(page: Page): Promise<Buffer> {
  await page.getByRole('button', { name: 'Make the Video' }).click();
  const link = page.getByRole('link', { name: 'Save the Video' });
  await expect(link).toBeVisible({ timeout: 240_000 });
  const download = page.waitForEvent('download');
  await link.click();
  return await readFile(await (await download).path());
}

async function describeClip(bytes: Buffer) {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4] });
  const [picture, sound] = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()];
  const first = sound && (await new EncodedPacketSink(sound).getFirstPacket());
  return {
    seconds: await input.computeDuration(),
    width: await picture?.getDisplayWidth(),
    height: await picture?.getDisplayHeight(),
    soundSeconds: sound && (await sound.computeDuration()),
    soundBeginsAt: first && first.timestamp,
  };
}

test(
  'a GoPro is in step by its own GPS, which becomes evidence when its driver opens it, and the lap is exported as a video with the figures in it',
  { tag: '@all' },
  async ({ browser }) => {
    test.setTimeout(600_000);
    const page = driver;
    const { lapStartMs, places } = await fetchLap();
    const lapSeconds = (places.elapsedMs.at(-1) ?? 0) / 1_000;
    const buffer = await makeGoProVideo(browser, lapStartMs, lapSeconds);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.postData() ?? '');
    });
    await openVideo(page, buffer);
    const evidence = page.getByRole('status').filter({ hasText: 'agree with the lap' });
    await expect(evidence).toHaveText(
      'The positions in the video agree with the lap, all along. The lap has this as evidence; the picture stays here.',
    );
    const { evidence: kinds } = await getJson<{ evidence: string[] }>(`/api/tracks/${TRACK}/laps/${lapId}`);
    expect(kinds).toContain('video-gps');
    expect(sent.map((body) => Object.keys(JSON.parse(body)))).toEqual([
      ['camera', 'timesMs', 'lats', 'lons', 'speedsMetersPerSecond'],
    ]);
    for (const place of ['300', '1400']) {
      await cursor(page).fill(place);
      const elapsedMs = timeAt(places, Number(await cursor(page).inputValue()));
      const frame = Math.floor((LEAD_SECONDS + elapsedMs / 1_000) * RATE);
      await expect.poll(async () => Math.abs((await readFrame(page, 'You')) - frame)).toBeLessThanOrEqual(1);
    }

    // The browser does not send it again once it is evidence.
    await openVideo(page, buffer);
    expect(sent).toHaveLength(1);

    // The browser of the test has no dialog for files, so the clip is a link.
    await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await page.getByRole('button', { name: 'Export as video' }).click();
    await page.getByRole('button', { name: 'Make the Video' }).click();
    await expect(page.getByRole('progressbar', { name: 'Making the video' })).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    const silent = await describeClip(await makeClip(page));
    expect(silent).toMatchObject({ width: 1_280, height: 720, soundSeconds: null });
    expect(Math.abs(silent.seconds - lapSeconds)).toBeLessThan(1 / RATE + 0.1);
    await page.getByRole('switch', { name: 'With the sound of the video' }).check();
    const { soundSeconds, soundBeginsAt } = await describeClip(await makeClip(page));
    expect(Math.abs((soundSeconds ?? 0) - lapSeconds)).toBeLessThan(1 / RATE + 0.1);
    expect(soundBeginsAt).toBeLessThan(0.1);
  },
);
