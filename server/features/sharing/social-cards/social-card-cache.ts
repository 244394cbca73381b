import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import sharp from 'sharp';

/** Gives the picture that an SVG of ours draws. Pictures are cached by their SVG, so that of an old record is never found again. */
export type SocialCardCache = (svg: string) => Promise<Buffer>;

// Some ten megabytes; links are shared of few tracks at a time.
const PICTURES_MAX = 200;
const COLORS_MAX = 64;

export function openSocialCardCache(): SocialCardCache {
  const cache = new LRUCache<string, Buffer>({
    max: PICTURES_MAX,
    fetchMethod: renderPng,
    // Evicted while it is rendered, a picture still goes to the calls that wait for it.
    ignoreFetchAbort: true,
  });
  return (svg) => cache.forceFetch(svg);
}

/** The tag of the picture that `svg` draws, known before it is rendered. */
export function svgEtag(svg: string): string {
  return `"${createHash('sha256').update(svg).digest('base64url')}"`;
}

/** In few colours, which lines and letters on one ground need: a quarter of the bytes. */
export function renderPng(svg: string): Promise<Buffer> {
  return sharp(Buffer.from(svg)).png({ palette: true, colors: COLORS_MAX, effort: 7 }).toBuffer();
}
