import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { addGoProTrack, joinVideo, writeGoProVideo } from '#engine/testing/write-gopro-mp4.ts';
import { timeAt } from '#engine/video/timed-places.ts';
import { libraryTrack } from '../library.ts';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import { FRAMES_PER_SECOND, makeVideo, readFrame } from './make-video.ts';
import { test } from './test.ts';

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
  driver = await openAs(browser, pitboard().url, 'Theo Okafor');
  const userCarId = await addCar(driver, pitboard().url, MX5);
  await uploadLaps(driver, pitboard().url, { trackId: TRACK, userCarId, ...DRIVING });
  const records: { lapId: string }[] = await getJson(`/api/laps/track/${TRACK}/best`);
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

/** Stands in for the player of YouTube, whose messages it knows; it shows its time. */
const PLAYER = `<!doctype html><title>Player</title><output></output><script>
  let seconds = 0, isPlaying = false;
  const report = (event) => {
    document.querySelector('output').textContent = seconds.toFixed(2);
    parent.postMessage(JSON.stringify({ event, info: { currentTime: seconds, duration: 600, playerState: isPlaying ? 1 : 2 } }), '*');
  };
  addEventListener('message', ({ data }) => {
    const { event, func, args } = JSON.parse(data);
    if (event === 'listening') report('initialDelivery');
    if (func === 'seekTo') seconds = args[0];
    if (func === 'playVideo') isPlaying = true;
    if (func === 'pauseVideo') isPlaying = false;
    if (event === 'command') report('infoDelivery');
  });
  setInterval(() => { if (isPlaying) { seconds += 0.2; report('infoDelivery'); } }, 200);
</script>`;

test('a video of YouTube loads after a press only, goes to the place of the cursor and to corners, and leads it', async () => {
  const page = driver;
  const { sessionId } = await getJson<{ sessionId: string }>(`/api/tracks/${TRACK}/laps/${lapId}`);
  const changed = await page.request.patch(`${pitboard().url}/api/sessions/${sessionId}`, {
    headers: { origin: pitboard().url },
    data: { videoUrl: `https://youtu.be/${YOUTUBE_ID}?t=${LINK_SECONDS}` },
  });
  expect(changed.ok()).toBe(true);
  const { lapStartMs, sessionStartMs, places } = await fetchLap();
  const asked: { url: string; referrer: string | undefined }[] = [];
  await page.route(/youtube|ytimg|google|vimeo/, async (route) => {
    asked.push({ url: route.request().url(), referrer: (await route.request().allHeaders())['referer'] });
    await route.fulfill({ contentType: 'text/html', body: PLAYER });
  });
  await page.goto(lapUrl());
  await page.getByRole('button', { name: 'Watch the video' }).click();
  const load = page.getByRole('button', { name: 'Load the video from YouTube' });
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
  expect(asked.map(({ url }) => new URL(url).host)).toEqual(['www.youtube-nocookie.com']);
  expect(asked[0]?.referrer).toBe(`${pitboard().url}/`);
  await page.unroute(/youtube|ytimg|google|vimeo/);
});

test('a GoPro is in step by its own GPS, and the lap is exported as a video with the figures in it', async ({
  browser,
}) => {
  test.setTimeout(300_000);
  const page = driver;
  const filmed = simulateDrive(libraryTrack(TRACK), {
    laps: 3,
    ...DRIVING,
    receiver: { rateHz: 18.2 },
    receiverSeed: 91,
  });
  const { lapStartMs, places } = await fetchLap();
  const startMs = lapStartMs - LEAD_SECONDS * 1_000;
  const lapSeconds = (places.elapsedMs.at(-1) ?? 0) / 1_000;
  const picture = await makeVideo(browser, pitboard().url, Math.ceil(lapSeconds) + 2 * LEAD_SECONDS);
  const buffer = Buffer.from(addGoProTrack(picture, filmed, startMs));
  await page.goto(lapUrl());
  await page.getByRole('button', { name: 'Watch the video' }).click();
  await page
    .getByRole('region', { name: /^Video of/ })
    .locator('input[type=file]')
    .setInputFiles({ name: 'GX010042.MP4', mimeType: 'video/mp4', buffer });
  await expect(page.getByRole('status').filter({ hasText: 'In step' })).toHaveText(
    'In step by the GPS of the camera, to a frame.',
  );
  for (const place of ['300', '1400']) {
    await cursor(page).fill(place);
    const elapsedMs = timeAt(places, Number(await cursor(page).inputValue()));
    const frame = Math.floor((LEAD_SECONDS + elapsedMs / 1_000) * FRAMES_PER_SECOND);
    await expect.poll(async () => Math.abs((await readFrame(page, 'You')) - frame)).toBeLessThanOrEqual(1);
  }

  // The browser of the test has no dialog for files, so the clip is a link.
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.getByRole('button', { name: 'Export as video' }).click();
  await page.getByRole('button', { name: 'Make the Video' }).click();
  await expect(page.getByRole('progressbar', { name: 'Making the video' })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Make the Video' }).click();
  const link = page.getByRole('link', { name: 'Save the Video' });
  await expect(link).toBeVisible({ timeout: 240_000 });
  const clip = await link.evaluate(async (element: HTMLAnchorElement) => {
    const video = document.createElement('video');
    video.src = element.href;
    await new Promise((resolve) => video.addEventListener('loadeddata', resolve));
    return { seconds: video.duration, width: video.videoWidth, height: video.videoHeight };
  });
  expect(clip).toMatchObject({ width: 1_280, height: 720 });
  expect(Math.abs(clip.seconds - lapSeconds)).toBeLessThan(0.1);
});

test('files that cannot be shown are refused with a sentence, and a damaged chapter leaves those before it', async ({
  browser,
  page,
}) => {
  const whole = await makeVideo(browser, pitboard().url, 2);
  const hevc = Buffer.from(whole);
  hevc.write('hvc1', whole.lastIndexOf('vp09'), 'latin1');
  const withoutPicture = joinVideo(writeGoProVideo(simulateDrive(libraryTrack(TRACK), { laps: 1, seed: 1 })));
  await page.goto(lapUrl());
  await page.getByRole('button', { name: 'Watch the video' }).click();
  const region = page.getByRole('region', { name: 'Video of Theo Okafor' });
  const choose = async (...files: [name: string, content: Uint8Array][]) =>
    region
      .locator('input[type=file]')
      .setInputFiles(
        files.map(([name, content]) => ({ name, mimeType: 'video/mp4', buffer: Buffer.from(content) })),
      );
  for (const [content, sentence] of [
    [Buffer.from('This is no video.'), /^This video is not whole: its index is missing\./],
    [whole.subarray(0, whole.length - 200), /^This video is not whole: its index is missing\./],
    [withoutPicture, 'This file holds no picture. Choose a video.'],
    [hevc, /^This browser cannot play HEVC; try /],
  ] as const) {
    await choose(['GX010042.MP4', content]);
    await expect(region.getByRole('alert')).toHaveText(sentence);
    await expect(region.locator('video')).toHaveCount(0);
  }
  await choose(['GX020042.MP4', whole.subarray(0, 900)], ['GX010042.MP4', whole]);
  await expect(region.getByRole('alert')).toHaveText(
    /^GX020042\.MP4 and what follows were left out: this video is not whole/,
  );
  await expect.poll(() => readFrame(page, 'Theo Okafor')).toBeGreaterThanOrEqual(0);
});
