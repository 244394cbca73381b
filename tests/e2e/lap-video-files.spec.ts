import { open, readFile } from 'node:fs/promises';
import { expect as expectSoon, type Browser, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { joinVideo, writeGoProVideo } from '#engine/testing/write-gopro-mp4.ts';
import { libraryTrack } from '../library.ts';
import { listBestLaps, openWithLaps, shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { makeVideo, readFrame } from './make-video.ts';
import { YOUTUBE_PLAYER } from './stand-in-players.ts';
import { test } from './test.ts';

/** Decoders of a busy machine need long. */
const expect = expectSoon.configure({ timeout: 60_000 });

const TRACK = 'waterford-hills-full';
const MX5 = 'mazda-mx-5-nb-1-8';
const RATE = 5;

const pitboard = shareServer('all tests');
let driver: Page;
let lapId: string;

test.beforeAll(async ({ browser }) => {
  driver = await openWithLaps(browser, pitboard().url, {
    name: 'Theo Okafor',
    trackId: TRACK,
    modelKey: MX5,
    seed: 3,
    topSpeedMetersPerSecond: 50,
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

/** Writes a video as if it had 64 GB: what lies between picture and index takes no room on the disk. */
async function writeHugeVideo(path: string, video: Buffer): Promise<void> {
  let indexAt = 0;
  while (indexAt + video.readUInt32BE(indexAt) < video.length) indexAt += video.readUInt32BE(indexAt);
  const freeBytes = 64 * 1024 ** 3;
  const head = Buffer.alloc(16);
  head.writeUInt32BE(1, 0);
  head.write('free', 4, 'latin1');
  head.writeBigUInt64BE(BigInt(freeBytes), 8);
  const file = await open(path, 'w');
  await file.write(video.subarray(0, indexAt), 0, indexAt, 0);
  await file.write(head, 0, head.length, indexAt);
  await file.write(video.subarray(indexAt), 0, video.length - indexAt, indexAt + freeBytes);
  await file.close();
}

/** Sums up the memory of all processes of the browser, in bytes. It is read from Linux's list of processes. */
async function sumMemory(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const statuses = await Promise.all(
    processInfo.map(async ({ id }) => readFile(`/proc/${id}/status`, 'utf8').catch(() => '')),
  );
  await session.detach();
  return statuses.reduce(
    (sum, status) => sum + 1_024 * Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0),
    0,
  );
}

const MEGABYTE = 1024 * 1024;

test('a video of 64 GB plays, and takes less than 300 MB of memory', async ({ browser, page }, testInfo) => {
  test.skip(process.platform !== 'linux', 'The memory of a process is read as Linux reports it.');
  const path = testInfo.outputPath('onboard.mp4');
  await writeHugeVideo(path, await makeVideo(browser, pitboard().url, { seconds: 4, rate: RATE }));
  await page.goto(lapUrl());
  await page.getByRole('button', { name: 'Watch the video' }).click();
  const region = page.getByRole('region', { name: 'Video of Theo Okafor' });
  await expect(region.locator('input[type=file]')).toHaveCount(1);
  const before = await sumMemory(browser);
  await region.locator('input[type=file]').setInputFiles(path);
  await expect.poll(() => readFrame(page, 'Theo Okafor')).toBe(0);
  await region.getByRole('slider', { name: 'Moment of the video' }).fill('3');
  await expect.poll(() => readFrame(page, 'Theo Okafor')).toBe(3 * RATE);
  const grownBytes = (await sumMemory(browser)) - before;
  testInfo.annotations.push({ type: 'memory', description: `${Math.round(grownBytes / MEGABYTE)} MB more` });
  expect(grownBytes).toBeLessThan(300 * MEGABYTE);
});

test(
  'files that cannot be shown are refused with a sentence, and a damaged chapter leaves those before it',
  { tag: '@all' },
  async ({ browser, page }) => {
    const whole = await makeVideo(browser, pitboard().url, { seconds: 2 });
    const hevc = Buffer.from(whole);
    hevc.write('hvc1', whole.lastIndexOf('vp09'), 'latin1');
    const withoutPicture = joinVideo(
      writeGoProVideo(simulateDrive(libraryTrack(TRACK), { laps: 1, seed: 1 })),
    );
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
      [Buffer.from('This is no video.'), /^This file is no MP4 or MOV\./],
      [whole.subarray(0, whole.length - 200), /^This video is not whole: its index is missing\./],
      [withoutPicture, 'This file holds no picture. Choose a video.'],
      [hevc, /^This browser cannot play HEVC; try /],
    ] as const) {
      await choose(['GX010042.MP4', content]);
      await expect(region.getByRole('alert')).toHaveText(sentence);
      await expect(region.locator('video')).toHaveCount(0);
    }
    // Its index is sound, so only the browser finds that it cannot play it. There is no moment to set then.
    const unplayable = Buffer.from(whole);
    unplayable.write('avc1', whole.lastIndexOf('vp09'), 'latin1');
    await choose(['GX010042.MP4', unplayable]);
    await expect(region.getByRole('alert')).toHaveText(/^This browser cannot play the video\./);
    await expect(region.getByRole('button', { name: 'The picture shows the line now' })).toHaveCount(0);
    await region.getByRole('button', { name: /^Choose another video/ }).click();

    await choose(['GX010042.MP4', whole], ['GX030042.MP4', whole]);
    await expect(region.getByRole('alert')).toHaveText(
      'GX030042.MP4 and what follows were left out: a chapter before it is missing.',
    );
    await region.getByRole('button', { name: /^Choose another video/ }).click();
    await choose(['GX020042.MP4', whole.subarray(0, 900)], ['GX010042.MP4', whole]);
    await expect(region.getByRole('alert')).toHaveText(
      /^GX020042\.MP4 and what follows were left out: this video is not whole/,
    );
    await expect.poll(() => readFrame(page, 'Theo Okafor')).toBeGreaterThanOrEqual(0);
  },
);

test('the videos of a lap are accessible in every state', { tag: '@all' }, async ({ browser }) => {
  test.setTimeout(300_000);
  const page = driver;
  const { sessionId } = await getJson<{ sessionId: string }>(`/api/tracks/${TRACK}/laps/${lapId}`);
  await page.request.patch(`${pitboard().url}/api/sessions/${sessionId}`, {
    headers: { origin: pitboard().url },
    data: { videoUrl: 'https://youtu.be/M7lc1UVf-VE' },
  });
  await page.route(/youtube/, (route) => route.fulfill({ contentType: 'text/html', body: YOUTUBE_PLAYER }));
  await page.goto(lapUrl());
  await page.getByRole('button', { name: 'Watch the video' }).click();
  const region = page.getByRole('region', { name: 'Video of You' });
  const chooser = region.locator('input[type=file]');
  await chooser.setInputFiles({ name: 'a.mp4', mimeType: 'video/mp4', buffer: Buffer.from('No video.') });
  await expect(region.getByRole('alert')).toBeVisible();
  await expectAccessibleEverywhere(page);

  await region.getByRole('button', { name: 'Load the video from YouTube' }).click();
  await expect(region.getByRole('status')).toHaveText(/^Its link does not say when the session begins/);
  await expectAccessibleEverywhere(page);
  await region.getByRole('button', { name: 'Choose another video than YouTube' }).click();

  const buffer = await makeVideo(browser, pitboard().url, { seconds: 2 });
  await chooser.setInputFiles({ name: 'onboard.mp4', mimeType: 'video/mp4', buffer });
  await region.getByRole('slider', { name: 'Moment of the video' }).fill('1');
  await expectAccessibleEverywhere(page);
  await region.getByRole('button', { name: 'The picture shows the line now' }).click();
  await expect(region.getByRole('status')).toHaveText('In step by a moment that you set.');
  await expectAccessibleEverywhere(page);
  await page.getByRole('button', { name: 'Export as video' }).click();
  await expectAccessibleEverywhere(page);
});
