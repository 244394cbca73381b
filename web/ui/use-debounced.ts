import { useEffect, useState } from 'react';

const SEARCH_DELAY_MS = 150;

/** Returns the value once it has not changed for `delayMs`: by default so long that fast typing searches once. */
export function useDebounced<T>(value: T, delayMs = SEARCH_DELAY_MS): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), delayMs);
    return () => window.clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
