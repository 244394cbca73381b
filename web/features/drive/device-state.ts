import { useEffect, useState } from 'react';
import { useCurrentUser } from '#web/api/current-user.ts';
import { useBrowserAnswer, useBrowserValue } from '#web/ui/use-browser-value.ts';
import { storesRecordings } from './storage/record.ts';

// Chromium alone has these; elsewhere the page leaves the figures out.
type BatteryManager = EventTarget & { level: number };
type WithBattery = Navigator & { getBattery?: () => Promise<BatteryManager> };

/** Returns the charge of this device from 0 to 1; null where the browser does not tell it. */
export function useBattery(): number | null {
  const [level, setLevel] = useState<number | null>(null);
  useEffect(() => {
    const withBattery: WithBattery = navigator;
    const ended = new AbortController();
    const follow = async () => {
      const battery = await withBattery.getBattery?.().catch(() => undefined);
      if (battery === undefined || ended.signal.aborted) return;
      const show = () => setLevel(battery.level);
      battery.addEventListener('levelchange', show, { signal: ended.signal });
      show();
    };
    void follow();
    return () => ended.abort();
  }, []);
  return level;
}

/** A receiver of 25 Hz sends this much. */
const BYTES_PER_HOUR = 2_300 * 3_600;
const HOURS_SHOWN_MAX = 99;

/** Returns for how many hours there is space; null where the browser does not tell it. */
export function useRoomHours(): number | null {
  return useBrowserAnswer(estimateHours, null);
}

async function estimateHours(): Promise<number | null> {
  const { quota, usage } = (await navigator.storage?.estimate?.().catch(() => null)) ?? {};
  if (quota === undefined || usage === undefined) return null;
  return Math.min(HOURS_SHOWN_MAX, Math.floor((quota - usage) / BYTES_PER_HOUR));
}

/** Returns whether this browser stores recordings, as it says when asked; true until then. */
export function useStoresRecordings(): boolean {
  return useBrowserAnswer(storesRecordings, true);
}

/** Returns whether the server can be reached: the browser has a network, and the server has answered who is signed in. */
export function useIsOnline(): boolean {
  const hasNetwork = useBrowserValue(() => navigator.onLine, true, followNetwork);
  const { isUnanswered } = useCurrentUser();
  return hasNetwork && !isUnanswered;
}

function followNetwork(show: () => void): () => void {
  window.addEventListener('online', show);
  window.addEventListener('offline', show);
  return () => {
    window.removeEventListener('online', show);
    window.removeEventListener('offline', show);
  };
}
