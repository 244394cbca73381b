import sharp, { type ResizeOptions } from 'sharp';
import { HEIC_MESSAGE } from '#contract/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
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

/**
 * Decodes the image at `path`, turns it as its camera was held, and encodes it as WebP: nothing of the file itself, with
 * the position and the camera that it may tell, is left. Of moving pictures the first one is taken. The work is done in
 * threads of its own.
 * @throws AppError where the file is no image that we take
 */
export function encodeImage(path: string, use: ImageUse): Promise<Buffer> {
  // One at a time: an image of the largest size needs some hundred megabytes while it is decoded.
  const encoding = lastInLine.then(() => encode(path, use));
  lastInLine = encoding.catch(() => undefined);
  return encoding;
}

let lastInLine: Promise<unknown> = Promise.resolve();

async function encode(path: string, use: ImageUse): Promise<Buffer> {
  try {
    return await sharp(path, { limitInputPixels: PIXELS_MAX, failOn: 'error', pages: 1 })
      .timeout({ seconds: SECONDS_MAX })
      .autoOrient()
      .resize(SIZES[use])
      .webp({ quality: QUALITY })
      .toBuffer();
  } catch (cause) {
    throw (await isHeic(path)) ? new AppError('invalid_input', HEIC_MESSAGE, { cause }) : toAppError(cause);
  }
}

function toAppError(cause: unknown): AppError {
  const message = cause instanceof Error ? cause.message : '';
  if (/pixel limit/i.test(message)) {
    const sentence = `This image is too large: it may have at most ${PIXELS_MAX / 1_000_000} million pixels.`;
    return new AppError('too_large', sentence, { cause });
  }
  const sentence = /unsupported image format/i.test(message)
    ? 'This file is not an image that we can read. Use a JPEG, PNG, WebP, GIF or AVIF file.'
    : 'This image is damaged or cannot be read.';
  return new AppError('invalid_input', sentence, { cause });
}
