import Square from 'lucide-react/icons/square';
import { useEffect, useRef, useState } from 'react';
import styles from './driving-screen.module.css';

/** A touch by accident is shorter. */
const HOLD_MS = 1_500;
const DONE_VIBRATION_MS = 60;

/** Ends the drive once it was held; letting go earlier has no effect. */
export function HoldButton({ label, onHeld }: { label: string; onHeld: () => void }) {
  const [isHeld, setIsHeld] = useState(false);
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function hold(): void {
    if (timer.current !== undefined) return;
    setIsHeld(true);
    timer.current = window.setTimeout(() => {
      letGo();
      navigator.vibrate?.(DONE_VIBRATION_MS);
      onHeld();
    }, HOLD_MS);
  }

  function letGo(): void {
    window.clearTimeout(timer.current);
    timer.current = undefined;
    setIsHeld(false);
  }

  return (
    <button
      type="button"
      className={styles['hold']}
      data-held={isHeld}
      onPointerDown={hold}
      onPointerUp={letGo}
      onPointerCancel={letGo}
      onPointerLeave={letGo}
      onKeyDown={({ key }) => (key === 'Enter' || key === ' ') && hold()}
      onKeyUp={letGo}
      onBlur={letGo}
      onContextMenu={(event) => event.preventDefault()}
    >
      <Square size={22} strokeWidth={2.5} aria-hidden="true" />
      {label}
    </button>
  );
}
