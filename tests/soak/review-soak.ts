import { isDeepStrictEqual } from 'node:util';
import { inOrder, type BoardRow } from './community.ts';
import { leastOf, medianOf, type Figures } from './figures.ts';
import type { SoakCounts } from './soak.ts';

// Decides whether a soak is good, apart from the work that it does.

/**
 * Returns whether `rows` are the first `limit` of the board that `whole` is. Rows of equal times may stand in any order, and where a
 * page ends among them, any of these may be the last.
 */
export function isRightBoard(
  rows: readonly BoardRow[],
  whole: readonly BoardRow[],
  limit = Infinity,
): boolean {
  const expected = inOrder(whole).slice(0, limit);
  const last = expected.at(-1)?.lapTimeMs ?? 0;
  const isSorted = rows.every(({ lapTimeMs }, index) => lapTimeMs >= (rows[index - 1]?.lapTimeMs ?? 0));
  const before = ({ lapTimeMs }: BoardRow) => lapTimeMs < last;
  const tied = rows.filter((row) => !before(row));
  return (
    rows.length === expected.length &&
    isSorted &&
    isDeepStrictEqual(inOrder(rows.filter(before)), expected.filter(before)) &&
    new Set(tied.map(({ driverId }) => driverId)).size === tied.length &&
    tied.every((row) => whole.some((other) => isDeepStrictEqual(row, other)))
  );
}

// Memory is compared between these parts of the time: after everything is warm, and at the end.
const WARM = [0.3, 0.5] as const;
const END = [0.8, 1] as const;
// Less is within what one collection more or less makes; a leak of one object a call is far more in half an hour.
const GROWTH_MAX = 0.15;
// Below this nothing can be said about memory.
const MEMORY_FROM_MINUTES = 10;

/** Holds a figure while everything was warm, and at the end. */
export type Growth = { warm: number; end: number };

/** Returns the figures that must not grow: memory, heap after collections, and open files with sockets among them. */
export function growthOf(samples: readonly Figures[]): Record<'memory' | 'heap' | 'files', Growth> {
  const part = ([from, to]: readonly [number, number]) =>
    samples.slice(Math.floor(from * samples.length), Math.ceil(to * samples.length));
  const [warm, end] = [part(WARM), part(END)];
  const between = (of: typeof medianOf, name: keyof Figures): Growth => ({
    warm: of(warm, name),
    end: of(end, name),
  });
  return {
    memory: between(medianOf, 'residentBytes'),
    heap: between(leastOf, 'heapBytes'),
    files: between(medianOf, 'openFiles'),
  };
}

/** Lists everything that speaks against a soak, in sentences; nothing where it is good. */
export function reviewSoak(
  { counts, failures }: { counts: SoakCounts; failures: readonly string[] },
  samples: readonly Figures[],
  lengthMinutes: number,
): string[] {
  const growing =
    lengthMinutes < MEMORY_FROM_MINUTES
      ? []
      : Object.entries(growthOf(samples))
          // Written so that an unknown figure (NaN) fails, too.
          .filter(([, { warm, end }]) => !(end <= warm * (1 + GROWTH_MAX)))
          .map(([name, { warm, end }]) => `${name} grows from ${warm} to ${end}.`);
  return [...failures, ...(counts.boardsJudged === 0 ? ['No board could be judged.'] : []), ...growing];
}
