import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect, type CDPSession, type Locator } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { signInByCalls } from './sign-in.ts';
import { test } from './test.ts';

/** No track of the library is near. */
const HIDDEN = kartTrackAt({ lat: 47.3, lon: 9.85 });
const GREY_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

let pitboard: Pitboard;
let tileServer: Server;
let tilesOrigin: string;
const askedTiles: string[] = [];

test.beforeAll(async () => {
  tileServer = createServer(({ url = '' }, response) => {
    askedTiles.push(url);
    response.setHeader('content-type', 'image/png').end(GREY_PIXEL);
  }).listen(0, '127.0.0.1');
  await once(tileServer, 'listening');
  const address = tileServer.address();
  if (address === null || typeof address === 'string') throw new Error('The tile server has no port.');
  tilesOrigin = `http://127.0.0.1:${address.port}`;
  pitboard = await startPitboard({
    environment: { MAP_TILES: `${tilesOrigin}/{z}/{x}/{y}.png`, MAP_ATTRIBUTION: '© Test Maps' },
  });
});
test.afterAll(async () => {
  await pitboard.remove();
  tileServer.closeAllConnections();
  tileServer.close();
});

test(
  'on a phone two fingers zoom the map of a new track, which lies on the tiles of the operator and may load no others',
  { tag: '@all' },
  async ({ browser }) => {
    const viewport = { width: 375, height: 780 };
    const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true });
    await signInByCalls(context.request, pitboard.url, 'Theo Okafor');
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text());
    });
    const answer = await page.goto(`${pitboard.url}/upload`);
    const images = /img-src ([^;]*)/.exec(answer?.headers()['content-security-policy'] ?? '')?.[1];
    expect(images?.split(' ').filter((source) => source.startsWith('http'))).toEqual([tilesOrigin]);

    const content = writeGpx(simulateDrive(HIDDEN, { seed: 51, laps: 5 }));
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'hidden.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(content) }]);
    await page.getByRole('button', { name: /^Process/ }).click();
    const map = page.getByRole('application');
    await expect(page.getByText('© Test Maps')).toBeVisible();
    await expect(map.locator('image').first()).toBeVisible();
    await expect.poll(() => askedTiles.length).toBeGreaterThan(0);
    expect(askedTiles[0]).toMatch(/^\/\d+\/\d+\/\d+\.png$/);

    const outline = map.locator('polygon').first();
    const before = await widthOf(outline);
    await pinch(await context.newCDPSession(page), map, { from: 30, to: 90 });
    await expect.poll(() => widthOf(outline)).toBeGreaterThan(2 * before);
    await pinch(await context.newCDPSession(page), map, { from: 90, to: 30 });
    await expect.poll(() => widthOf(outline)).toBeLessThan(1.5 * before);
    expect(refused).toEqual([]);
    await context.close();
  },
);

async function widthOf(shape: Locator): Promise<number> {
  return (await shape.boundingBox())?.width ?? Number.NaN;
}

const STEPS = 8;

/** Two fingers around a point of the map on which no line lies, so many pixels to either side of it. */
async function pinch(
  session: CDPSession,
  map: Locator,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const frame = await map.boundingBox();
  if (frame === null) throw new Error('The map is not shown.');
  const center = { x: frame.x + frame.width / 2, y: frame.y + frame.height / 2 };
  const touch = (type: 'touchStart' | 'touchMove', apart: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [-apart, apart].map((aside, id) => ({ x: center.x, y: center.y + aside, id })),
    });
  await touch('touchStart', from);
  for (let step = 1; step <= STEPS; step += 1) await touch('touchMove', from + ((to - from) * step) / STEPS);
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
