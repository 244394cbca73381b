/** Half of the room that a figure of three digits takes, and a mark of braking with it. */
const FIGURE_ROOM = 18;
const MARK_GAP = 8;

/** Holds the place of a figure: what is at `x` is its beginning, its middle or its end. */
type PlacedFigure = { x: number; textAnchor: 'start' | 'middle' | 'end' };

/** Places a figure over or under its point; at an edge of the picture and at a mark of braking beside it. */
export function placeFigure(
  point: number,
  marks: readonly number[],
  { left, right }: { left: number; right: number },
): PlacedFigure {
  const near = marks.filter((mark) => Math.abs(mark - point) < FIGURE_ROOM);
  if (near.length > 0) {
    const end = Math.min(point, ...near) - MARK_GAP;
    if (end >= left + 2 * FIGURE_ROOM - MARK_GAP) return { x: end, textAnchor: 'end' };
    return { x: Math.max(point, ...near) + MARK_GAP, textAnchor: 'start' };
  }
  if (point > right - 24) return { x: point, textAnchor: 'end' };
  return { x: point, textAnchor: point < left + 12 ? 'start' : 'middle' };
}
