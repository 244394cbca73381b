import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from '@playwright/test';

const LIBRARY = createRequire(import.meta.url)
  .resolve('mediabunny')
  .replace(/mediabunny\.[a-z.]+$/, 'mediabunny.min.mjs');

export const FRAMES_PER_SECOND = 25;

/** The picture is a grid of black and white cells: the bits of the number of the frame, the lowest first. */
const CELLS = { columns: 8, rows: 2, sizePx: 16 };

/** Makes short videos in the browser itself: MP4 with VP9, which every Chromium writes and plays. Each frame shows its own number. */
export async function makeVideo(browser: Browser, url: string, seconds: number): Promise<Buffer> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await context.route('**/make-video/*', (route) =>
    route.request().url().endsWith('.mjs')
      ? route.fulfill({ contentType: 'text/javascript', body: readFileSync(LIBRARY, 'utf8') })
      : route.fulfill({ contentType: 'text/html', body: '<!doctype html><div id="root" data-ready></div>' }),
  );
  await page.goto(`${url}/make-video/page`);
  const base64 = await page.evaluate(encode, {
    ...CELLS,
    frameCount: seconds * FRAMES_PER_SECOND,
    rate: FRAMES_PER_SECOND,
  });
  await context.close();
  return Buffer.from(base64, 'base64');
}

type Encoding = typeof CELLS & { frameCount: number; rate: number };

async function encode({ columns, rows, sizePx, frameCount, rate }: Encoding): Promise<string> {
  const library = '/make-video/mediabunny.mjs';
  const { BufferTarget, CanvasSource, Mp4OutputFormat, Output } = await import(library);
  const canvas = new OffscreenCanvas(columns * sizePx, rows * sizePx * 2);
  const drawing = canvas.getContext('2d');
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target });
  const source = new CanvasSource(canvas, {
    codec: 'vp9',
    bitrate: 400_000,
    keyFrameInterval: 1,
    latencyMode: 'realtime',
  });
  output.addVideoTrack(source, { frameRate: rate });
  await output.start();
  for (let frame = 0; frame < frameCount; frame += 1) {
    if (!drawing) break;
    drawing.fillStyle = '#345';
    drawing.fillRect(0, 0, canvas.width, canvas.height);
    for (let bit = 0; bit < columns * rows; bit += 1) {
      drawing.fillStyle = (frame >> bit) % 2 === 1 ? '#fff' : '#000';
      drawing.fillRect((bit % columns) * sizePx, Math.floor(bit / columns) * sizePx, sizePx, sizePx);
    }
    await source.add(frame / rate, 1 / rate);
  }
  await output.finalize();
  let binary = '';
  for (const byte of new Uint8Array(target.buffer)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Reads the number of the frame that a video of the page shows, from its picture. */
export async function readFrame(page: Page, lapName: string): Promise<number> {
  return await page
    .getByRole('region', { name: `Video of ${lapName}` })
    .locator('video')
    .evaluate(readNumber, CELLS);
}

function readNumber(video: Element, { columns, rows, sizePx }: typeof CELLS): number {
  if (!(video instanceof HTMLVideoElement)) return Number.NaN;
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [columns * sizePx, rows * sizePx * 2];
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  if (!drawing || video.readyState < 2) return Number.NaN;
  drawing.drawImage(video, 0, 0, canvas.width, canvas.height);
  let number = 0;
  for (let bit = 0; bit < columns * rows; bit += 1) {
    const [x, y] = [((bit % columns) + 0.5) * sizePx, (Math.floor(bit / columns) + 0.5) * sizePx];
    if ((drawing.getImageData(x, y, 1, 1).data[0] ?? 0) > 128) number += 2 ** bit;
  }
  return number;
}

/** Reads the numbers of both videos of a page at the same moments while they play, for some seconds. */
export async function watchFrames(page: Page, seconds: number): Promise<[first: number, second: number][]> {
  return await page.evaluate(
    async ({ cells, lastsMs, read }) => {
      // oxlint-disable-next-line no-eval -- The page has no module of the tests.
      const readNumber: (video: Element, cells: object) => number = eval(`(${read})`);
      const pairs: [number, number][] = [];
      const startMs = performance.now();
      while (performance.now() - startMs < lastsMs) {
        await new Promise(requestAnimationFrame);
        const [first, second] = document.querySelectorAll('video');
        if (first && second) pairs.push([readNumber(first, cells), readNumber(second, cells)]);
      }
      return pairs;
    },
    { cells: CELLS, lastsMs: seconds * 1_000, read: readNumber.toString() },
  );
}
