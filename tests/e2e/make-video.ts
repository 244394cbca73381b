import { createRequire } from 'node:module';
import type { Browser, Page } from '@playwright/test';

/** The library as one script for pages, which sets `Mediabunny`. */
export const LIBRARY = createRequire(import.meta.url)
  .resolve('mediabunny')
  .replace(/mediabunny\.[a-z.]+$/, 'mediabunny.min.cjs');

declare const Mediabunny: typeof import('mediabunny');

export const FRAMES_PER_SECOND = 25;

/** The picture is a grid of black and white cells: the bits of the number of the frame, the lowest first. */
export const CELLS = { columns: 8, rows: 2, sizePx: 16 };

/** Says how long a video is, how many frames a second has, and whether there is a tone with it. */
export type MadeVideo = { seconds: number; rate?: number; hasSound?: boolean };

/**
 * Makes short videos in the browser itself: MP4 with VP9 and Opus, which every Chromium writes and plays. Each frame shows its own number.
 */
export async function makeVideo(browser: Browser, url: string, made: MadeVideo): Promise<Buffer> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await context.route('**/make-video', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><div id="root" data-ready></div>' }),
  );
  await page.goto(`${url}/make-video`);
  await page.addScriptTag({ path: LIBRARY });
  const base64 = await page.evaluate(encodeVideo, toEncoding(made));
  await context.close();
  return Buffer.from(base64, 'base64');
}

type Encoding = typeof CELLS & { frameCount: number; rate: number; hasSound: boolean };

/** Says what the page that makes the video is given. */
export function toEncoding({ seconds, rate = FRAMES_PER_SECOND, hasSound = false }: MadeVideo): Encoding {
  return { ...CELLS, frameCount: seconds * rate, rate, hasSound };
}

/** Runs in a page that has the library. */
export async function encodeVideo(encoding: Encoding): Promise<string> {
  const { columns, rows, sizePx, frameCount, rate, hasSound } = encoding;
  const { AudioBufferSource, BufferTarget, CanvasSource, Mp4OutputFormat, Output } = Mediabunny;
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
  const sound = hasSound ? new AudioBufferSource({ codec: 'opus', bitrate: 32_000 }) : null;
  if (sound) output.addAudioTrack(sound);
  await output.start();
  if (sound) {
    const tone = new AudioBuffer({ length: (48_000 * frameCount) / rate, sampleRate: 48_000 });
    tone.copyToChannel(
      Float32Array.from({ length: tone.length }, (_, index) => 0.2 * Math.sin(index / 17)),
      0,
    );
    await sound.add(tone);
  }
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
  for (const byte of new Uint8Array(target.buffer ?? [])) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Reads the number of the frame that a video of the page shows, from its picture. */
export async function readFrame(page: Page, lapName: string): Promise<number> {
  return await page
    .getByRole('region', { name: `Video of ${lapName}` })
    .locator('video')
    .evaluate(readNumber, CELLS);
}

/** Runs in the page: reads the number from the picture of a video; NaN while there is none. */
export function readNumber(video: Element, { columns, rows, sizePx }: typeof CELLS): number {
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

/** Reads the numbers of both videos of a page at the same moments while they play, until the first one has come so many frames on. */
export async function watchFrames(page: Page, frames: number): Promise<[first: number, second: number][]> {
  return await page.evaluate(
    async ({ cells, count, read }) => {
      // oxlint-disable-next-line no-eval -- The page has no module of the tests.
      const readNumber: (video: Element, cells: object) => number = eval(`(${read})`);
      const pairs: [number, number][] = [];
      const hasCome = () => (pairs.at(-1)?.[0] ?? 0) - (pairs[0]?.[0] ?? 0) >= count;
      while (!hasCome()) {
        await new Promise(requestAnimationFrame);
        const [first, second] = document.querySelectorAll('video');
        if (first && second) pairs.push([readNumber(first, cells), readNumber(second, cells)]);
      }
      return pairs;
    },
    { cells: CELLS, count: frames, read: readNumber.toString() },
  );
}
