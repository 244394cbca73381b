import { expect, test } from 'vitest';
import { drawCircuit, drawPositions, sectorLengthsMeters, type DrawnTrack } from './circuit-path.ts';

const BOX = { width: 200, height: 100, padding: 10 };

// The rectangle reaches about 1113 m to the east and 556 m to the north, at the equator.
const rectangle: [number, number][] = [
  [0, 0],
  [0, 0.01],
  [0.005, 0.01],
  [0.005, 0],
];

const lineAt = (lat: number, lon: number) => ({ a: { lat, lon }, b: { lat, lon } });

function pointsOf(path: string): [x: number, y: number][] {
  return [...path.matchAll(/([\d.-]+) ([\d.-]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

function cornersOf(path: string): [x: number, y: number][] {
  return pointsOf(path.replaceAll(/[ML][\d.-]+ [\d.-]+|(?<=Q[\d.-]+ [\d.-]+ )[\d.-]+ [\d.-]+/g, ''));
}

test('a circuit stays inside the box and its padding, centred, with north up', () => {
  const drawn = drawCircuit({ outline: rectangle, sectors: [] }, BOX);
  expect(cornersOf(drawn?.lap ?? '')).toEqual([
    [20, 90],
    [180, 90],
    [180, 10],
    [20, 10],
  ]);
});

test('a circuit across the 180th meridian is drawn like any other', () => {
  const acrossIt = rectangle.map(([lat, lon]): [number, number] => [
    lat,
    lon < 0.004 ? 179.996 + lon : lon - 180.004,
  ]);
  const line = { a: { lat: 0, lon: 179.9995 }, b: { lat: 0.0001, lon: -179.9995 } };
  expect(cornersOf(drawCircuit({ outline: acrossIt, sectors: [] }, BOX)?.lap ?? '')).toEqual(
    cornersOf(drawCircuit({ outline: rectangle, sectors: [] }, BOX)?.lap ?? ''),
  );
  expect(sectorLengthsMeters({ outline: acrossIt, sectors: [line] })).toEqual(
    sectorLengthsMeters({ outline: acrossIt, sectors: [] }),
  );
});

test('a corner is a curve of ten units before and after it, and straights stay straight', () => {
  expect(drawCircuit({ outline: rectangle, sectors: [] }, BOX)?.lap).toBe(
    'M20.0 80.0Q20.0 90.0 30.0 90.0L170.0 90.0Q180.0 90.0 180.0 80.0' +
      'L180.0 20.0Q180.0 10.0 170.0 10.0L30.0 10.0Q20.0 10.0 20.0 20.0Z',
  );
});

test('an outline that ends where it begins is drawn like one that does not', () => {
  const closed = [...rectangle, ...rectangle.slice(0, 1)];
  expect(drawCircuit({ outline: closed, sectors: [] }, BOX)?.lap).toBe(
    drawCircuit({ outline: rectangle, sectors: [] }, BOX)?.lap,
  );
});

test('a circuit much taller than wide stays north up, in its own proportions', () => {
  const tall = rectangle.map(([lat, lon]): [number, number] => [lon * 4, lat / 4]);
  const points = pointsOf(drawCircuit({ outline: tall, sectors: [] }, BOX)?.lap ?? '');
  const [width, height] = [0, 1].map((axis) => {
    const values = points.map((point) => point[axis] ?? Number.NaN);
    return Math.max(...values) - Math.min(...values);
  });
  expect(height).toBeCloseTo(80, 0);
  expect(width).toBeLessThan(10);
});

test('sector lines cut the lap at the nearest points, and the last sector ends at the start', () => {
  const drawn = drawCircuit(
    { outline: rectangle, sectors: [lineAt(0.005, 0.0101), lineAt(0.0001, 0.0099)] },
    BOX,
  );
  expect(drawn?.sectors.map((sector) => pointsOf(sector))).toEqual([
    [
      [20, 90],
      [180, 90],
    ],
    [
      [180, 90],
      [180, 10],
    ],
    [
      [180, 10],
      [30, 10],
      [20, 10],
      [20, 20],
      [20, 90],
    ],
  ]);
});

test('sector lengths add up to the whole lap', () => {
  const lengths = sectorLengthsMeters({
    outline: rectangle,
    sectors: [lineAt(0, 0.01), lineAt(0.005, 0.01)],
  });
  expect(lengths.map((length) => Math.round(length))).toEqual([1112, 556, 1668]);
});

test('fewer than three points draw nothing', () => {
  expect(drawCircuit({ outline: [], sectors: [] }, BOX)).toBeNull();
  expect(drawCircuit({ outline: rectangle.slice(0, 2), sectors: [] }, BOX)).toBeNull();
});

test('driven positions are drawn one point each, where an outline of the same shape would be', () => {
  const positions = rectangle.map(([lat, lon]) => ({ lat, lon }));
  const drawn = drawPositions(positions, BOX).map(({ x, y }) => [Math.round(x), Math.round(y)]);
  expect(drawn).toEqual([
    [20, 90],
    [180, 90],
    [180, 10],
    [20, 10],
  ]);
  expect(drawPositions(positions.slice(0, 1), BOX)).toEqual([]);
});

test('a stage stays open: its last sector ends at the finish, which is marked, and its length is not that of a lap', () => {
  const stage = { outline: rectangle, sectors: [lineAt(0, 0.01)], finishLine: lineAt(0.005, 0) };
  const drawn = drawCircuit(stage, BOX);
  expect(drawn?.lap).not.toContain('Z');
  expect(cornersOf(drawn?.lap ?? '')).toEqual([
    [180, 90],
    [180, 10],
  ]);
  expect(pointsOf(drawn?.sectors.at(-1) ?? '').at(-1)).toEqual([20, 10]);
  expect(pointsOf(drawn?.finishTick ?? '')).toEqual([
    [20, 4],
    [20, 16],
  ]);
  expect(totalMeters({ ...stage, finishLine: null }) - totalMeters(stage)).toBeCloseTo(556, -1);
  expect(drawCircuit({ outline: rectangle }, BOX)?.finishTick).toBeNull();
});

function totalMeters(track: DrawnTrack): number {
  return sectorLengthsMeters(track).reduce((sum, length) => sum + length, 0);
}
