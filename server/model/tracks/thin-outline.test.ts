import { expect, test } from 'vitest';
import type { OutlinePoint } from '#engine/track.ts';
import { listedOutline, thinOutline } from './thin-outline.ts';

test('points on a straight go first, corners and both ends stay', () => {
  const square: OutlinePoint[] = [
    [0, 0],
    [0, 0.5],
    [0, 1],
    [0.5, 1.0001],
    [1, 1],
    [1, 0.5],
    [1, 0],
    [0, 0],
  ];
  expect(thinOutline(square, 5)).toEqual([
    [0, 0],
    [0, 1],
    [1, 1],
    [1, 0],
    [0, 0],
  ]);
});

/** The latitudes of what is left of a lobed closed outline around this longitude. */
function thinnedLats(centerLon: number): number[] {
  const outline = Array.from({ length: 200 }, (_, index): OutlinePoint => {
    const angle = (index * Math.PI) / 100;
    const radius = 0.01 * (1 + 0.3 * Math.cos(3 * angle + 1));
    const lon = centerLon + radius * Math.cos(angle);
    return [radius * Math.sin(angle), lon > 180 ? lon - 360 : lon];
  });
  return listedOutline(outline).map(([lat]) => lat);
}

test('an outline across the 180th meridian is thinned like any other', () => {
  expect(thinnedLats(180)).toEqual(thinnedLats(10));
});

test('an outline that is short enough stays as it is', () => {
  const line: OutlinePoint[] = [
    [0, 0],
    [1, 1],
  ];
  expect(thinOutline(line, 48)).toEqual(line);
  expect(thinOutline([], 48)).toEqual([]);
});

test('the list leaves out what a small drawing cannot show, and no more', () => {
  const circle: OutlinePoint[] = Array.from({ length: 2_001 }, (_, i) => {
    const angle = (i / 1_000) * Math.PI;
    const radius = 0.01 + (i % 2) * 0.000_000_1;
    return [50 + radius * Math.sin(angle), 8 + (radius * Math.cos(angle)) / Math.cos(50 * (Math.PI / 180))];
  });
  const listed = listedOutline(circle);
  expect(listed.length).toBeGreaterThan(12);
  expect(listed.length).toBeLessThanOrEqual(48);
  expect(listed.at(-1)).toEqual(listed[0]);
  for (const [lat, lon] of listed) {
    expect(Math.hypot(lat - 50, (lon - 8) * Math.cos(50 * (Math.PI / 180)))).toBeCloseTo(0.01, 4);
    expect(String(lat).length).toBeLessThanOrEqual('50.12345'.length);
  }
});

test('a road that is almost straight keeps enough points to be drawn', () => {
  const road: OutlinePoint[] = Array.from({ length: 100 }, (_, i) => [50 + i / 10_000, 8]);
  expect(listedOutline(road)).toHaveLength(4);
});
