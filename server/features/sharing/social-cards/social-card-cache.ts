import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';

/** Renders an SVG as a picture. The SVG is the cache key, so the picture of an old record is never found again. */
export type SocialCardCache = (svg: string) => Promise<Buffer>;

// The pictures take some ten megabytes; few tracks are shared at a time.
const PICTURES_MAX = 200;
const COLORS_MAX = 64;

export function openSocialCardCache(): SocialCardCache {
  const cache = new LRUCache<string, Buffer>({
    max: PICTURES_MAX,
    fetchMethod: renderPng,
    // A picture that is evicted while it is rendered still goes to the waiting calls.
    ignoreFetchAbort: true,
  });
  return (svg) => cache.forceFetch(svg);
}

/** Computes the ETag of the picture of `svg`, before it is rendered. */
export function svgEtag(svg: string): string {
  return `"${createHash('sha256').update(svg).digest('base64url')}"`;
}

/** Renders with few colours, which are enough for lines and letters on one background: a quarter of the bytes. */
export function renderPng(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg)).png({ palette: true, colors: COLORS_MAX, effort: 7 }).toBuffer();
}
