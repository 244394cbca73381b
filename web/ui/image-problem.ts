import { HEIC_MESSAGE, LIMITS } from '#contract/limits.ts';

/** The image types of browsers and phones. Phones convert their own formats for a field that asks for these. */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'] as const;

const HEIC_TYPES = new Set(['image/heic', 'image/heif', 'image/heic-sequence', 'image/heif-sequence']);

const BYTES_PER_MEGABYTE = 1024 * 1024;

/** Returns a sentence about why a chosen file cannot be used as an image; null if it can be sent. */
export function findImageProblem({ type, size }: Pick<File, 'type' | 'size'>): string | null {
  if (HEIC_TYPES.has(type)) return HEIC_MESSAGE;
  if (!IMAGE_TYPES.some((known) => known === type)) {
    return 'This file is not an image that we can read. Use a JPEG, PNG, WebP, GIF or AVIF file.';
  }
  if (size === 0) return 'This file is empty.';
  if (size > LIMITS.imageBytesMax) {
    return `This image is too large: it has ${formatMegabytes(size)} MB and may have at most ${LIMITS.imageBytesMax / BYTES_PER_MEGABYTE} MB.`;
  }
  return null;
}

// The size is rounded up, so that a file over the limit never appears to be within it.
function formatMegabytes(byteCount: number): string {
  return (Math.ceil((byteCount / BYTES_PER_MEGABYTE) * 10) / 10).toFixed(1);
}
