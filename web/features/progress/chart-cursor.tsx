import { useRef, type KeyboardEvent, type MouseEvent } from 'react';
import styles from './charts.module.css';

type ChartCursorProps = {
  label: string;
  count: number;
  active: number | null;
  valueText: string;
  /** Returns the point that is next to a share of the width. */
  findIndex: (share: number) => number;
  onActive: (index: number) => void;
  /** Is called by a click, Enter or the space bar. */
  onChoose?: ((index: number) => void) | undefined;
  onEscape?: (() => void) | undefined;
};

/** Covers a chart: the pointer and the keys of a slider move from point to point. */
export function ChartCursor(props: ChartCursorProps) {
  const { label, count, active, valueText, findIndex, onActive, onChoose, onEscape } = props;
  // The slider's own value of a press is not that of the nearest point.
  const isPressed = useRef(false);

  function findPoint({ clientX, currentTarget }: MouseEvent): number {
    const { left, width } = currentTarget.getBoundingClientRect();
    return findIndex((clientX - left) / width);
  }

  function onKeyDown(event: KeyboardEvent): void {
    isPressed.current = false;
    if (event.key === 'Escape') onEscape?.();
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onChoose?.(active ?? 0);
  }

  return (
    <input
      type="range"
      className={styles['cursor']}
      aria-label={label}
      aria-valuetext={valueText}
      min={0}
      max={count - 1}
      value={active ?? 0}
      onFocus={() => active === null && onActive(0)}
      onChange={(event) => !isPressed.current && onActive(Number(event.currentTarget.value))}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        isPressed.current = true;
        onActive(findPoint(event));
      }}
      onPointerMove={(event) => onActive(findPoint(event))}
      onClick={(event) => {
        // Screen readers click without a position.
        onChoose?.(event.detail === 0 ? (active ?? 0) : findPoint(event));
      }}
    />
  );
}
