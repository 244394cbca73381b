import sharp, { type ResizeOptions } from 'sharp';
import type { UserId } from '#contract/ids.ts';
import { HEIC_MESSAGE } from '#contract/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import { openFairQueue } from '#server/kernel/workers/fair-queue.ts';
import { open } from 'node:fs/promises';

/** Names the use of an image, which decides its stored size. */
export type ImageUse = 'photo' | 'avatar';

const SIZES: Record<ImageUse, ResizeOptions> = {
  // A card has this width on a high-resolution screen.
  photo: { width: 1600, height: 1600, fit: 'inside', withoutEnlargement: true },
  avatar: { width: 512, height: 512, fit: 'cover', withoutEnlargement: true },
};

// Phones take 50 million pixels, and panoramas of 63. A file of a few kilobytes can claim thousands of millions.
const PIXELS_MAX = 64_000_000;
// Some formats are decoded as a whole before they are scaled down, with four to eight bytes of memory per pixel.
const WHOLE_PIXELS_MAX = 32_000_000;
// The server decodes this in half a second.
const SMALL_PIXELS_MAX = 16_000_000;
// One large image and one image of each driver at a time need a few hundred megabytes at most.
const queue = openFairQueue({ running: 2, runningLarge: 1, runningOfOne: 1, waiting: 100 });
const SECONDS_MAX = 30;
const QUALITY = 82;

// libvips reads many formats, and some of them can name other files. The server opens only formats of cameras, phones and browsers.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    ...['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].flatMap((format) => [
      `VipsForeignLoad${format}File`,
      `VipsForeignLoad${format}Buffer`,
    ]),
    // The server draws preview images of links as SVG from memory. Uploads are read from files, for which SVG stays blocked.
    'VipsForeignLoadSvgBuffer',
  ],
});
// No image is decoded twice, so a cache would only use memory.
sharp.cache(false);
// Several threads for one image are hardly faster, and each needs its own memory.
sharp.concurrency(1);

/**
 * Decodes the image at `path`, applies its orientation, and encodes it as WebP without any metadata, such as the position and
 * the camera. The first frame of an animation is used. libvips does the work in its own threads.
 * @throws AppError where the file is no image of an accepted format
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

/** Reads the number of pixels from the header of a file. @throws AppError where there are more than the server decodes */
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

// ISO/IEC 14496-12 and 23008-12: a file begins with the length of its first box, `ftyp`, its brand, a version, and the brands
// that it is compatible with. HEIC has the brands of HEVC; AVIF has the same container and the brand `avif`.
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx']);
const BOX_BYTES_MAX = 256;

/** Tells whether the file at `path` is a HEIC photo, the format of iPhones. The build of libvips in sharp cannot decode it. */
async function isHeic(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BOX_BYTES_MAX), 0, BOX_BYTES_MAX, 0);
    const text = buffer.subarray(0, bytesRead).toString('latin1');
    if (text.slice(4, 8) !== 'ftyp') return false;
    const brands = (text.slice(8, buffer.readUInt32BE(0)).match(/.{4}/gs) ?? []).filter((_, i) => i !== 1);
    return !brands.includes('avif') && brands.some((brand) => HEIC_BRANDS.has(brand));
  } finally {
    await handle.close();
  }
}
