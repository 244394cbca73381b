/** A lap time as drivers write it: `1:23.456`. Minutes are not limited; fractions of a millisecond are rounded. */
export function formatLapTime(lapTimeMs: number): string {
  // Rounded before it is taken apart, so that 59,999.6 ms is one minute and not `0:60.000`.
  const wholeMs = Math.round(lapTimeMs);
  const minutes = Math.floor(wholeMs / MS_PER_MINUTE);
  const seconds = (wholeMs - minutes * MS_PER_MINUTE) / 1000;
  return `${minutes}:${seconds.toFixed(3).padStart(6, '0')}`;
}

/** Milliseconds of a time such as `1:23.456`, `1:23.4` or `83.456`; null for any other text. */
export function parseLapTime(text: string): number | null {
  const match = /^(?:(\d+):(?=\d\d(?:\.|$)))?(\d+)(?:\.(\d{1,3}))?$/.exec(text.trim());
  if (match === null) return null;
  const [, minutes, seconds = '0', fraction = ''] = match;
  if (minutes !== undefined && Number(seconds) >= 60) return null;
  return Number(minutes ?? 0) * MS_PER_MINUTE + Number(seconds) * 1000 + Number(fraction.padEnd(3, '0'));
}

const MS_PER_MINUTE = 60_000;
