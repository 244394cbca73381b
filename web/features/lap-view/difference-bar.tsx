import type { LapStroke } from './shown-laps.ts';

type DifferenceBarProps = {
  value: number;
  /** The share of half of the width that one unit takes. */
  scale: number;
  widthPx: number;
  /** The lap whose colour the bar has; null for a grey bar. */
  stroke: LapStroke | null;
};

/** Draws a difference as a bar from the middle: to the right above zero, to the left below it. */
export function DifferenceBar({ value, scale, widthPx, stroke }: DifferenceBarProps) {
  const middle = widthPx / 2;
  const length = Math.min(1, Math.abs(value) * scale) * (middle - 1);
  const color = `var(${stroke?.color ?? '--text-3'})`;
  return (
    <svg width={widthPx} height="10" viewBox={`0 0 ${widthPx} 10`} aria-hidden="true">
      {value !== 0 && <path d={`M${middle} 0V10`} stroke="var(--line-strong)" />}
      {value !== 0 && (
        <rect x={value > 0 ? middle : middle - length} y="1" width={length} height="8" rx="1" fill={color} />
      )}
    </svg>
  );
}
