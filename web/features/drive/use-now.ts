import { useEffect, useState } from 'react';

const EVERY_MS = 500;

/** Returns the clock of this device, in milliseconds since 1970, and renders again twice a second. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), EVERY_MS);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}
