import { DAY_MS, HOUR_MS } from '#engine/durations.ts';
import { formatLapDate } from '#web/ui/format.ts';

/** Formats when a person was seen last, which the server knows to ten minutes: 'now', '2 h ago', 'yesterday', '3 days ago' or '06/07/26'. */
export function formatLastSeen(iso: string | null, nowMs: number): string {
  if (iso === null) return 'not signed in';
  const ageMs = nowMs - Date.parse(iso);
  const days = Math.floor(ageMs / DAY_MS);
  if (ageMs < HOUR_MS) return 'now';
  if (days < 1) return `${Math.floor(ageMs / HOUR_MS)} h ago`;
  if (days < 7) return days === 1 ? 'yesterday' : `${days} days ago`;
  return formatLapDate(iso);
}
