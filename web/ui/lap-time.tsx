import { formatLapTime } from '#engine/lap-time.ts';

type LapTimeProps = {
  lapTimeMs: number;
  /** Shown as a tooltip, where it is known. */
  uncertaintyMs?: number | null;
  className?: string | undefined;
};

/** A lap time as m:ss.mmm, in figures of equal width. */
export function LapTime({ lapTimeMs, uncertaintyMs = null, className }: LapTimeProps) {
  return (
    <time
      className={className}
      dateTime={`PT${(lapTimeMs / 1000).toFixed(3)}S`}
      title={uncertaintyMs === null ? undefined : `${formatUncertainty(uncertaintyMs)} s`}
    >
      {formatLapTime(lapTimeMs)}
    </time>
  );
}

/** The uncertainty of a lap time in seconds: ±0.014. */
export function formatUncertainty(uncertaintyMs: number): string {
  return `±${(uncertaintyMs / 1000).toFixed(3)}`;
}
