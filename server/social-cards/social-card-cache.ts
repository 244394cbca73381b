import { createHash } from 'node:crypto';
import sharp from 'sharp';

/** Finished pictures of one process, by what is drawn on them: a picture of an old record is never found again. */
export type PreviewCache = { get: (svg: string) => Promise<Buffer> };

// Some ten megabytes; links are shared of few tracks at a time.
const PREVIEWS_MAX = 200;
const COLORS_MAX = 64;

/** Makes pictures of SVG that we have drawn ourselves; those that are asked for at once are made together. */
export function keepPreviews(previewsMax = PREVIEWS_MAX): PreviewCache {
  // In the order of their last use.
  const previews = new Map<string, Promise<Buffer>>();
  return {
    get: (svg) => {
      const etag = etagOf(svg);
      const preview = previews.get(etag) ?? renderPng(svg);
      previews.delete(etag);
      previews.set(etag, preview);
      preview.catch(() => previews.delete(etag));
      for (const [oldest] of previews) {
        if (previews.size <= previewsMax) break;
        previews.delete(oldest);
      }
      return preview;
    },
  };
}

/** The tag of the picture that `svg` draws, known before it is drawn. */
export function etagOf(svg: string): string {
  return `"${createHash('sha256').update(svg).digest('base64url')}"`;
}

/** In few colours, which lines and letters on one ground need: a quarter of the bytes. */
export function renderPng(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg)).png({ palette: true, colors: COLORS_MAX, effort: 7 }).toBuffer();
}
