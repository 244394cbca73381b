import { formatLapTime } from '#engine/lap-time.ts';
import { formatSeconds } from './format.ts';

export type LapTimeProps = {
  lapTimeMs: number;
  /** The tooltip shows the uncertainty, if it is known. */
  uncertaintyMs?: number | null;
  className?: string | undefined;
};

/** Shows a lap time as m:ss.mmm, in figures of equal width. */
export function LapTime({ lapTimeMs, uncertaintyMs = null, className }: LapTimeProps) {
  return (
    <time
      className={className}
      dateTime={`PT${formatSeconds(lapTimeMs)}S`}
      title={uncertaintyMs === null ? undefined : `${formatUncertainty(uncertaintyMs)} s`}
    >
      {formatLapTime(lapTimeMs)}
    </time>
  );
}

/** Formats the uncertainty of a lap time in seconds: ±0.014. */
export function formatUncertainty(uncertaintyMs: number): string {
  return `±${formatSeconds(uncertaintyMs)}`;
}
