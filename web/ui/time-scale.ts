import { formatLapTime } from '#engine/lap-time.ts';

/** A range of lap times with its round ticks; shares count from the fastest to the slowest time. */
export type TimeScale = {
  fastestMs: number;
  slowestMs: number;
  ticks: { timeMs: number; label: string; share: number }[];
};

const STEPS_MS = [
  10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
];
const TICKS_MAX = 6;
const PADDING_SHARE = 0.05;
const PADDING_MIN_MS = 100;

/** Makes the scale of these lap times with some room at both ends; null without a time. */
export function makeTimeScale(timesMs: readonly number[]): TimeScale | null {
  if (timesMs.length === 0) return null;
  const [fastest, slowest] = [Math.min(...timesMs), Math.max(...timesMs)];
  const paddingMs = Math.max(PADDING_MIN_MS, PADDING_SHARE * (slowest - fastest));
  const [fastestMs, slowestMs] = [fastest - paddingMs, slowest + paddingMs];
  const stepMs = STEPS_MS.find((step) => (slowestMs - fastestMs) / step <= TICKS_MAX) ?? 3_600_000;
  const first = Math.ceil(fastestMs / stepMs);
  const count = Math.floor(slowestMs / stepMs) - first + 1;
  const scale = { fastestMs, slowestMs };
  return {
    ...scale,
    ticks: Array.from({ length: count }, (_, index) => {
      const timeMs = (first + index) * stepMs;
      return { timeMs, label: formatTick(timeMs, stepMs), share: toShare(scale, timeMs) };
    }),
  };
}

/** Returns where a time lies between the fastest and the slowest one: 0 to 1, also for times outside. */
export function toShare(
  { fastestMs, slowestMs }: Pick<TimeScale, 'fastestMs' | 'slowestMs'>,
  timeMs: number,
): number {
  const share = (timeMs - fastestMs) / (slowestMs - fastestMs);
  return Math.min(1, Math.max(0, round(share)));
}

/** Rounds a share or a coordinate of a chart, which keeps the HTML short. */
export function round(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Formats a tick with as many decimals as the step has: 1:44, 1:43.5. */
function formatTick(timeMs: number, stepMs: number): string {
  const dropped = stepMs >= 1_000 ? 4 : stepMs >= 100 ? 2 : 1;
  return formatLapTime(timeMs).slice(0, -dropped);
}
