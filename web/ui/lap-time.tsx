type LapTimeProps = { lapTimeMs: number; className?: string };

/** A lap time as m:ss.mmm, in figures of equal width. */
export function LapTime({ lapTimeMs, className }: LapTimeProps) {
  return (
    <time className={className} dateTime={`PT${(lapTimeMs / 1000).toFixed(3)}S`}>
      {formatLapTime(lapTimeMs)}
    </time>
  );
}

/** A lap time in whole milliseconds as m:ss.mmm. */
export function formatLapTime(lapTimeMs: number): string {
  const minutes = Math.floor(lapTimeMs / 60_000);
  const seconds = ((lapTimeMs % 60_000) / 1_000).toFixed(3).padStart(6, '0');
  return `${minutes}:${seconds}`;
}
