import type { LapStroke } from './shown-laps.ts';

/** Draws a piece of a lap's line for legends. */
export function LineKey({ stroke: { color, dashes } }: { stroke: LapStroke }) {
  return (
    <svg
      width="24"
      height="4"
      viewBox="0 0 24 4"
      aria-hidden="true"
      style={{ display: 'inline-block', flex: 'none', verticalAlign: 'middle', forcedColorAdjust: 'none' }}
    >
      <path d="M0 2H24" stroke={`var(${color})`} strokeWidth="3" strokeDasharray={dashes.join(' ')} />
    </svg>
  );
}
