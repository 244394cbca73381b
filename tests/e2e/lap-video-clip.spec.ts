import { expect as expectSoon, type Page } from '@playwright/test';
import { placeAt, timeAt, type TimedPlaces } from '#engine/video/timed-places.ts';
import { listBestLaps, openWithLaps, shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { CELLS, makeVideo } from './make-video.ts';
import { test } from './test.ts';

/** Encoders of a busy machine need long. */
const expect = expectSoon.configure({ timeout: 60_000 });

const TRACK = 'waterford-hills-full';
const MX5 = 'mazda-mx-5-nb-1-8';
const RIVAL = { name: 'Priya Venkat', seed: 2, topSpeedMetersPerSecond: 58 };
const DRIVER = { name: 'Theo Okafor', seed: 1, topSpeedMetersPerSecond: 50 };
/** The videos begin so long before their laps. Few frames are enough, and quickly made into a clip. */
const LEAD_SECONDS = 4;
const RATE = 5;
/** The name of the file that the driver chooses for the clip. */
const FILE_NAME = 'clip.mp4';
const BEFORE = 'The clip of last week';

const pitboard = shareServer('all tests');
let driver: Page;
let rival: Page;
let places: readonly [TimedPlaces, TimedPlaces];

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  const { url } = pitboard();
  rival = await openWithLaps(browser, url, { ...RIVAL, trackId: TRACK, modelKey: MX5 });
  driver = await openWithLaps(browser, url, { ...DRIVER, trackId: TRACK, modelKey: MX5 });
});

test.afterAll(async () => {
  for (const page of [driver, rival]) await page.context().close();
});

async function getJson<Answer>(path: string): Promise<Answer> {
  return await (await driver.request.get(`${pitboard().url}${path}`)).json();
}

type Lines = { reference: { meters: number[]; elapsedMs: number[] }; laps: { gapMs: number[] }[] };

/** Opens both laps with a video each, in step by the moment on the line. */
async function openInStep(page: Page, buffer: Buffer): Promise<void> {
  const records = await listBestLaps(driver, pitboard().url, TRACK);
  const [reference, own] = [RIVAL, DRIVER].map(
    ({ name }) => records.find(({ userName }) => userName === name)?.lapId ?? '',
  );
  const lines = await getJson<Lines>(`/api/tracks/${TRACK}/laps/${reference}/comparison?with=${own}`);
  const { meters, elapsedMs } = lines.reference;
  const ownMs = elapsedMs.map((elapsed, index) => elapsed + (lines.laps[0]?.gapMs[index] ?? 0));
  places = [
    { meters, elapsedMs },
    { meters, elapsedMs: ownMs },
  ];
  await page.goto(`${pitboard().url}/track/${TRACK}?lap=${reference}&vs=${own}`);
  await page.getByRole('button', { name: 'Watch the video' }).click();
  for (const name of ['Priya Venkat', 'You']) {
    const region = page.getByRole('region', { name: `Video of ${name}` });
    await region
      .locator('input[type=file]')
      .setInputFiles({ name: 'onboard.mp4', mimeType: 'video/mp4', buffer });
    await region.getByRole('slider', { name: 'Moment of the video' }).fill(String(LEAD_SECONDS));
    await region.getByRole('button', { name: 'The picture shows the line now' }).click();
    await expect(region.getByRole('status')).toHaveText('In step by a moment that you set.');
  }
}

/** Lets the page choose a file of its own storage, which a browser without a screen can write as well. */
async function chooseFileOfPage(page: Page): Promise<void> {
  await page.evaluate(
    async ([name, text]) => {
      const folder = await navigator.storage.getDirectory();
      const handle = await folder.getFileHandle(name, { create: true });
      const writing = await handle.createWritable();
      await writing.write(text);
      await writing.close();
      Reflect.set(window, 'showSaveFilePicker', async (options: { suggestedName: string }) => {
        Reflect.set(window, 'suggestedName', options.suggestedName);
        return handle;
      });
    },
    [FILE_NAME, BEFORE] as const,
  );
}

const readText = (page: Page) =>
  page.evaluate(async (name) => {
    const folder = await navigator.storage.getDirectory();
    return await (await (await folder.getFileHandle(name)).getFile()).text();
  }, FILE_NAME);

type ClipPicture = { width: number; height: number; seconds: number; numbers: number[] };

/** Opens the file as a video, and reads from both halves of one frame which frames they show, but for what plate and map cover. */
const readClip = (page: Page, atSeconds: number) =>
  page.evaluate(
    async ({ name, at, columns, bits }): Promise<ClipPicture> => {
      const folder = await navigator.storage.getDirectory();
      const file = await (await folder.getFileHandle(name)).getFile();
      const video = document.createElement('video');
      const until = (type: string) =>
        new Promise((resolve, reject) => {
          video.addEventListener(type, resolve, { once: true });
          video.addEventListener('error', () => reject(new Error('The clip does not play.')), { once: true });
        });
      video.muted = true;
      video.src = URL.createObjectURL(file);
      await until('loadeddata');
      video.currentTime = at;
      await until('seeked');
      const { videoWidth: width, videoHeight: height, duration: seconds } = video;
      const drawing = new OffscreenCanvas(width, height).getContext('2d');
      drawing?.drawImage(video, 0, 0);
      const half = width / 2;
      // A picture twice as wide as high has bars above and below; its first row of cells is a quarter of it.
      const y = (height - half / 2) / 2 + half / 16;
      const numbers = [0, half].map((left) =>
        bits.reduce((sum, bit) => {
          const x = left + ((bit + 0.5) * half) / columns;
          return sum + ((drawing?.getImageData(x, y, 1, 1).data[0] ?? 0) > 128 ? 2 ** bit : 0);
        }, 0),
      );
      URL.revokeObjectURL(video.src);
      return { width, height, seconds, numbers };
    },
    { name: FILE_NAME, at: atSeconds, columns: CELLS.columns, bits: READ_BITS },
  );

/** The plate covers the cells of the lowest bits, and the map that of the highest. */
const READ_BITS = [2, 3, 4, 5, 6];
const READ_STEP = 4;
const READ_CYCLE = 128;

test(
  'two laps become a video of two halves at the same place, written to the chosen file as it is made, which a cancelled one leaves as it was',
  { tag: '@all' },
  async ({ browser }) => {
    test.setTimeout(400_000);
    const page = driver;
    await openInStep(page, await makeVideo(browser, pitboard().url, { seconds: 100, rate: RATE }));
    await expectAccessibleEverywhere(page);
    await chooseFileOfPage(page);
    await page.getByRole('button', { name: 'Export as video' }).click();
    await page.getByRole('button', { name: 'Make the Video' }).click();
    await expect(page.getByRole('progressbar', { name: 'Making the video' })).toBeVisible();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('button', { name: 'Make the Video' })).toBeVisible();
    expect(await readText(page)).toBe(BEFORE);
    // Others see the clip, so it names its driver as they do.
    expect(await page.evaluate(() => Reflect.get(window, 'suggestedName'))).toBe(
      'priya-venkat-and-theo-okafor.mp4',
    );

    await page.getByRole('button', { name: 'Make the Video' }).click();
    await expect(
      page.getByRole('status').filter({ hasText: 'It is in the file that you chose.' }),
    ).toBeVisible({
      timeout: 240_000,
    });
    const [reference, own] = places;
    const lapSeconds = (reference.elapsedMs[reference.elapsedMs.length - 1] ?? Number.NaN) / 1_000;
    for (const at of [10.1, 40.1]) {
      const ownSeconds = timeAt(own, placeAt(reference, at * 1_000)) / 1_000;
      const shown = [at, ownSeconds].map(
        (elapsed) => Math.floor((LEAD_SECONDS + elapsed) * RATE) % READ_CYCLE,
      );
      // A busy browser may say that it has sought before it has the picture to draw.
      await expect(async () => {
        const { width, height, seconds, numbers } = await readClip(page, at);
        expect([width, height]).toEqual([1_920, 540]);
        expect(Math.abs(seconds - lapSeconds)).toBeLessThan(2 / RATE);
        for (const [index, frame] of shown.entries()) {
          // The neighbouring frame is right as well.
          const off = (numbers[index] ?? Number.NaN) + (READ_STEP - 1) / 2 - frame;
          expect(Math.abs(off), `half ${index + 1} at ${at} s`).toBeLessThanOrEqual(READ_STEP / 2 + 1);
        }
      }).toPass({ timeout: 40_000 });
    }
  },
);

test('a browser that has no encoder says so', { tag: '@all' }, async () => {
  const page = driver;
  await page.keyboard.press('Escape');
  await page.evaluate(() => Reflect.deleteProperty(window, 'VideoEncoder'));
  await page.getByRole('button', { name: 'Export as video' }).click();
  await expect(page.getByText(/^This browser cannot make videos\. Use Chrome or Edge/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make the Video' })).toHaveCount(0);
});
