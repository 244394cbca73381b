import { expect, test } from 'vitest';
import { distanceMeters } from '#engine/geo.ts';
import type { OutlinePoint } from '#engine/track.ts';
import { atPixel, fitView, panned, listTiles, toPixel, zoomed } from './map-view.ts';

const SIZE = { width: 400, height: 300 };
const OUTLINE: OutlinePoint[] = [
  [47.2, 9.9],
  [47.21, 9.9],
  [47.21, 9.92],
];
const POSITION = { lat: 47.204, lon: 9.911 };

test('a fitted view shows every point, north up', () => {
  const view = fitView(OUTLINE, SIZE);
  const pixels = OUTLINE.map(([lat, lon]) => toPixel(view, SIZE, { lat, lon }));
  for (const { x, y } of pixels) {
    expect(x).toBeGreaterThanOrEqual(27);
    expect(x).toBeLessThanOrEqual(337);
    expect(y).toBeGreaterThanOrEqual(27);
    expect(y).toBeLessThanOrEqual(273);
  }
  expect(pixels[1]?.y).toBeLessThan(pixels[0]?.y ?? 0);
  expect(pixels[2]?.x).toBeGreaterThan(pixels[1]?.x ?? 0);
});

test('what is under the pointer stays there while the map is zoomed, and follows it while it is moved', () => {
  const view = fitView(OUTLINE, SIZE);
  const pixel = toPixel(view, SIZE, POSITION);
  for (const factor of [2, 0.4])
    expect(distanceMeters(atPixel(zoomed(view, SIZE, factor, pixel), SIZE, pixel), POSITION)).toBeLessThan(
      0.01,
    );
  const moved = toPixel(panned(view, 30, -20), SIZE, POSITION);
  expect(moved.x - pixel.x).toBeCloseTo(30);
  expect(moved.y - pixel.y).toBeCloseTo(-20);
  expect(zoomed(view, SIZE, 1e9).metersPerPixel).toBe(0.05);
});

test('tiles of the usual scheme cover the map, each where it lies', () => {
  const view = fitView(OUTLINE, SIZE);
  const tiles = listTiles(view, SIZE, 'https://tiles.example/{z}/{x}/{y}.png');
  // 47.205 degrees north, 9.91 east by the formula of the scheme.
  expect(tiles.map(({ url }) => url)).toContain('https://tiles.example/14/8643/5748.png');
  expect(Math.min(...tiles.map(({ x }) => x))).toBeLessThanOrEqual(0);
  expect(Math.max(...tiles.map(({ x, width }) => x + width))).toBeGreaterThanOrEqual(SIZE.width);
  expect(Math.min(...tiles.map(({ y }) => y))).toBeLessThanOrEqual(0);
  expect(Math.max(...tiles.map(({ y, height }) => y + height))).toBeGreaterThanOrEqual(SIZE.height);
  for (const { width, height } of tiles) expect(height / width).toBeCloseTo(1, 1);
});
