import { expect, test } from 'vitest';
import { planClip, type ClipSide } from './clip-plan.ts';
import { drawOverlay } from './draw-overlay.ts';

/** Two laps of a kilometre, at 25 and at 20 m/s. */
const meters = Array.from({ length: 101 }, (_, index) => index * 10);
const elapsedAt = (metersPerSecond: number) => meters.map((place) => (place / metersPerSecond) * 1_000);
const map = {
  meters,
  elapsedMs: elapsedAt(25),
  lats: meters.map((place) => 50 + place / 111_195),
  lons: meters.map(() => 8),
  stretches: [],
  sectorMeters: [300],
  corners: [],
};

const sideOf = (name: string, metersPerSecond: number, hasGap: boolean): ClipSide => ({
  name,
  chapters: [],
  clock: { videoSeconds: 4, timeMs: 0, rate: 1 },
  places: { meters, elapsedMs: elapsedAt(metersPerSecond) },
  lapStartMs: 0,
  speedsKmh: meters.map(() => metersPerSecond * 3.6),
  // Its sector line was passed 4 ms later than by the positions along the line of the reference.
  sectorTimesMs: [(300 / metersPerSecond) * 1_000 + (hasGap ? 4 : 0), (700 / metersPerSecond) * 1_000],
  hasGap,
});

const REFERENCE = sideOf('Priya Venkat', 25, false);
const OWN = sideOf('Theo Okafor', 20, true);

/** Lists the texts that are drawn after so many seconds of the first lap, plate by plate. */
function listTexts(sides: ClipSide[], seconds: number): string[] {
  const texts: string[] = [];
  const drawing = new Proxy<Partial<OffscreenCanvasRenderingContext2D>>(
    {},
    {
      get: (_, name) => (text: string) => name === 'fillText' && texts.push(text),
      set: () => true,
    },
  );
  const frame = planClip(sides, 1)[seconds];
  if (!frame) throw new Error('The clip is shorter.');
  const boxes = sides.map((_, index) => ({ x: index * 960, y: 0, width: 960, height: 540 }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A canvas takes a browser.
  drawOverlay(drawing as OffscreenCanvasRenderingContext2D, { map, sides, frame, boxes });
  return texts;
}

test('a clip shows the time, speed, gap and finished sectors of both laps at the same place', () => {
  expect(listTexts([REFERENCE, OWN], 20)).toEqual([
    'Priya Venkat',
    '0:20.000',
    '90 km/h',
    'S1  0:12.000',
    'Theo Okafor',
    '0:25.000',
    '72 km/h',
    'Gap +5.000',
    'S1  0:15.004',
  ]);
});

test('a lap alone has its gap to the lap that the charts compare it with', () => {
  expect(listTexts([OWN], 10)).toEqual(['Theo Okafor', '0:10.000', '72 km/h', 'Gap +2.000']);
});

test('the sectors after one that was not timed are left out', () => {
  const untimed = { ...REFERENCE, sectorTimesMs: [null, 12_000] };
  expect(listTexts([untimed], 20)).toEqual(['Priya Venkat', '0:20.000', '90 km/h']);
});
