import { formatLapTime } from '#engine/lap-time.ts';

type LapTimeProps = { lapTimeMs: number; className?: string };

/** A lap time as m:ss.mmm, in figures of equal width. */
export function LapTime({ lapTimeMs, className }: LapTimeProps) {
  return (
    <time className={className} dateTime={`PT${(lapTimeMs / 1000).toFixed(3)}S`}>
      {formatLapTime(lapTimeMs)}
    </time>
  );
}
