/** Formats a lap time in milliseconds as drivers write it: `1:23.456`. Minutes are not limited; fractions of a millisecond are rounded. */
export function formatLapTime(lapTimeMs: number): string {
  // Rounded before it is taken apart, so that 59,999.6 ms is one minute and not `0:60.000`.
  const wholeMs = Math.round(lapTimeMs);
  const minutes = Math.floor(wholeMs / MS_PER_MINUTE);
  const seconds = (wholeMs - minutes * MS_PER_MINUTE) / 1000;
  return `${minutes}:${seconds.toFixed(3).padStart(6, '0')}`;
}

const MS_PER_MINUTE = 60_000;
