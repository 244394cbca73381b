// Writes the icons and the picture of the home page into web/public, all from one drawing. Run it again only after a change of
// the mark: `npx tsx scripts/draw-icons.ts`.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Track } from '#contract/tracks/schemas.ts';
import { drawHomePreview, drawMark } from '#server/features/sharing/social-cards/draw-social-card.ts';
import { renderPng } from '#server/features/sharing/social-cards/social-card-cache.ts';

const FOLDER = 'web/public';
const CIRCUIT = 'circuit-de-spa-francorchamps-grand-prix';
const CANVAS = '#0B0D11';

type Icon = { sizePx: number; cornerShare: number; markShare: number };

/** The mark fills its tile, with the corners that a browser shows. */
const TILE = { cornerShare: 0.22, markShare: 0.74 };
/** The operating system cuts the corners (a maskable icon): the inner circle of four fifths stays visible. */
const FULL = { cornerShare: 0, markShare: 0.5 };

const PNG_ICONS: Record<string, Icon> = {
  'icon-192.png': { sizePx: 192, ...TILE },
  'icon-512.png': { sizePx: 512, ...TILE },
  'icon-maskable-512.png': { sizePx: 512, ...FULL },
  'apple-touch-icon.png': { sizePx: 180, ...FULL, markShare: 0.6 },
};
const FAVICON_SIZES_PX = [16, 32, 48];

for (const [name, icon] of Object.entries(PNG_ICONS)) await write(name, await renderIcon(icon));
await write('favicon.svg', `${drawIcon({ sizePx: 32, ...TILE })}\n`);
const images = FAVICON_SIZES_PX.map(async (sizePx) => ({
  sizePx,
  png: await renderIcon({ sizePx, ...TILE }),
}));
await write('favicon.ico', joinIco(await Promise.all(images)));
await write('preview.png', await renderPng(drawHomePreview(await getTrack(CIRCUIT))));

function drawIcon({ sizePx, cornerShare, markShare }: Icon): string {
  const corner = Math.round(sizePx * cornerShare);
  // The mark is a drawing of 22 by 24.
  const scale = (sizePx * markShare) / 24;
  const [x, y] = [(sizePx - 22 * scale) / 2, (sizePx - 24 * scale) / 2];
  const mark = drawMark().replaceAll(/\s+/g, ' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sizePx} ${sizePx}" width="${sizePx}" height="${sizePx}"><rect width="${sizePx}" height="${sizePx}" rx="${corner}" fill="${CANVAS}"/><g transform="translate(${round(x)} ${round(y)}) scale(${round(scale)})">${mark}</g></svg>`;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

async function renderIcon(icon: Icon): Promise<Buffer> {
  return await sharp(Buffer.from(drawIcon(icon)))
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** Joins several sizes, each as PNG, into an icon file: a directory of 6 bytes, 16 for each entry, then the images. */
function joinIco(entries: readonly { sizePx: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(6 + 16 * entries.length);
  head.writeUInt16LE(1, 2); // an icon, not a cursor
  head.writeUInt16LE(entries.length, 4);
  let offset = head.length;
  for (const [index, { sizePx, png }] of entries.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(sizePx, at);
    head.writeUInt8(sizePx, at + 1);
    head.writeUInt16LE(1, at + 4); // planes
    head.writeUInt16LE(32, at + 6); // bits of a pixel
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += png.length;
  }
  return Buffer.concat([head, ...entries.map(({ png }) => png)]);
}

async function getTrack(id: string): Promise<Track> {
  const tracks: Track[] = JSON.parse(await readFile('data/tracks.json', 'utf8'));
  const track = tracks.find((candidate) => candidate.id === id);
  if (track === undefined) throw new Error(`data/tracks.json has no ${id}.`);
  return track;
}

async function write(name: string, content: string | Buffer): Promise<void> {
  await writeFile(join(FOLDER, name), content);
}
