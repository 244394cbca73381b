import sharp, { type ResizeOptions } from 'sharp';
import type { UserId } from '#contract/ids.ts';
import { HEIC_MESSAGE } from '#contract/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import { openFairQueue } from '#server/kernel/workers/fair-queue.ts';
import { isHeic } from './heic.ts';

/** What an image is for, which says how large it is kept. */
export type ImageUse = 'photo' | 'avatar';

const SIZES: Record<ImageUse, ResizeOptions> = {
  // As wide as a card gets on a fine screen.
  photo: { width: 1600, height: 1600, fit: 'inside', withoutEnlargement: true },
  avatar: { width: 512, height: 512, fit: 'cover', withoutEnlargement: true },
};

// Phones take 50 million pixels, and panoramas of 63. A file of a few kilobytes can claim thousands of millions.
const PIXELS_MAX = 64_000_000;
// Of files that are decoded as a whole before they are made smaller: four to eight bytes a pixel in memory.
const WHOLE_PIXELS_MAX = 32_000_000;
// Decoded in half a second.
const SMALL_PIXELS_MAX = 16_000_000;
// One large image at a time, and none of one driver beside another of theirs: some hundred megabytes at most.
const queue = openFairQueue({ running: 2, runningLarge: 1, runningOfOne: 1, waiting: 100 });
const SECONDS_MAX = 30;
const QUALITY = 82;

// libvips reads many formats, and some of them can name other files. Only what cameras, phones and browsers make is opened.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    ...['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].flatMap((format) => [
      `VipsForeignLoad${format}File`,
      `VipsForeignLoad${format}Buffer`,
    ]),
    // The pictures of links are drawn as SVG here. What people send is read from files, where SVG stays shut out.
    'VipsForeignLoadSvgBuffer',
  ],
});
// Every image is another one: a cache would only hold memory.
sharp.cache(false);
// Several threads for one image make it little faster, and need as many times the memory.
sharp.concurrency(1);

/**
 * Decodes the image at `path`, turns it as its camera was held, and encodes it as WebP: nothing of the file itself, with
 * the position and the camera that it may tell, is left. Of moving pictures the first one is taken. The work is done in
 * threads of its own.
 * @throws AppError where the file is no image that we take
 */
export async function encodeImage(path: string, use: ImageUse, userId: UserId): Promise<Buffer> {
  try {
    const pixels = await checkPixels(path);
    const turn = { key: userId, isLarge: pixels > SMALL_PIXELS_MAX };
    return await queue.run(turn, () => encode(path, use));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw (await isHeic(path))
      ? new AppError('invalid_input', HEIC_MESSAGE, { cause: error })
      : toAppError(error);
  }
}

/** Reads the head of a file and nothing more. @throws AppError where there are more pixels than we decode */
async function checkPixels(path: string): Promise<number> {
  const { width, height, format, isProgressive } = await sharp(path, { limitInputPixels: false }).metadata();
  const pixels = width * height;
  const isRowByRow = (format === 'jpeg' || format === 'png') && !isProgressive;
  const pixelsMax = isRowByRow ? PIXELS_MAX : WHOLE_PIXELS_MAX;
  if (pixels <= pixelsMax) return pixels;
  const kind = isRowByRow ? 'it' : 'one of this kind';
  throw new AppError(
    'too_large',
    `This image is too large: ${kind} may have at most ${pixelsMax / 1_000_000} million pixels.`,
  );
}

function encode(path: string, use: ImageUse): Promise<Buffer> {
  return sharp(path, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
    .timeout({ seconds: SECONDS_MAX })
    .autoOrient()
    .resize(SIZES[use])
    .webp({ quality: QUALITY })
    .toBuffer();
}

function toAppError(cause: unknown): AppError {
  const message = cause instanceof Error ? cause.message : '';
  const sentence = /unsupported image format/i.test(message)
    ? 'This file is not an image that we can read. Use a JPEG, PNG, WebP, GIF or AVIF file.'
    : 'This image is damaged or cannot be read.';
  return new AppError('invalid_input', sentence, { cause });
}
