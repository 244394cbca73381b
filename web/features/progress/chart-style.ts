import type { CSSProperties } from 'react';

type Variables = CSSProperties & Record<`--${string}`, number>;

/** Returns the number of columns for the style sheet. */
export function columnCount(count: number): Variables {
  return { '--count': count };
}

/** Returns a point for the style sheet, as shares of the width and of the height from the top. */
export function pointAt(x: number, y: number): Variables {
  return { '--x': x, '--y': y };
}
