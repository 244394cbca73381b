type Column = readonly (number | null)[];
type Range = { from: number; to: number };

/** Draws a column as a line in a box of one by one, from 0 up to the top, with breaks where nothing is known. */
export function drawColumn(values: Column, top: number, range?: Range): string {
  const end = values.length - 1;
  // A stretch of one station is drawn with its neighbours.
  const [from, to] = range ? [Math.max(0, range.from - 1), Math.min(end, range.to + 1)] : [0, end];
  let path = '';
  let isBroken = true;
  for (let index = from; index <= to; index += 1) {
    const value = values[index] ?? null;
    if (value !== null) path += `${isBroken ? 'M' : 'L'}${round(index / end)} ${toY(value, top)}`;
    isBroken = value === null;
  }
  return path;
}

/** Draws the area between two columns; where nothing is known there is none. */
export function drawBand({ low, high }: { low: Column; high: Column }, top: number): string {
  const end = high.length - 1;
  const known = high.flatMap((value, index) => (value === null ? [] : [index]));
  const point = (column: Column) => (index: number) =>
    `${round(index / end)} ${toY(column[index] ?? 0, top)}`;
  if (known.length === 0) return '';
  return `M${known.map(point(high)).join('L')}L${known.toReversed().map(point(low)).join('L')}Z`;
}

/** Lists round ticks from 0 up to the top, `most` of them at most. */
export function listTicks(top: number, most: number): number[] {
  if (!(top > 0)) return [];
  const power = 10 ** Math.floor(Math.log10(top / most));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => top / size <= most) ?? top;
  return Array.from({ length: Math.floor(top / step) + 1 }, (_, index) => Number((index * step).toFixed(6)));
}

/** Values below 0, such as the gain in speed of a car that brakes, lie on the axis. */
function toY(value: number, top: number): number {
  return round(1 - Math.max(0, value) / top);
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
