import { tireLabel } from '#contract/laps/labels.ts';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { isRanking } from '#engine/timing/laps.ts';

type Sessions = DriverLaps['sessions'];

/** A car model on one category of tyres; progress is compared within a group. */
export type ProgressGroup = { key: string; label: string };

/** A lap on the chart of a season: its time and speed as shares of the width and of the height from the top. */
export type ProgressDot = { lapId: string; groupIndex: number; x: number; y: number };

/** The bests of a group, each from its lap on, as points of a step function. */
export type ProgressLine = { groupIndex: number; points: { x: number; y: number }[] };

export type Progress = {
  groups: ProgressGroup[];
  dots: ProgressDot[];
  lines: ProgressLine[];
  /** The range of lap times from the top to the bottom of the chart. */
  slowestMs: number;
  fastestMs: number;
  /** Laps that are too slow for the picture, such as those in the rain or behind a slower car. */
  hiddenCount: number;
};

// A lap slower than 107 % of the best is no attempt; Formula 1 uses this share for qualifying.
const SHOWN_SHARE_MAX = 1.07;

/** Computes the chart of a driver's laps on one track; null if no lap ranks. */
export function drawProgress({ sessions, bestsOverTime }: DriverLaps): Progress | null {
  const groups = listGroups(sessions);
  const indexByKey = new Map(groups.map(({ key }, index) => [key, index]));
  const laps = sessions.flatMap((session) =>
    session.laps
      .filter(isRanking)
      .map((lap) => ({ ...lap, key: groupKey(session), atMs: Date.parse(session.sessionDate) })),
  );
  if (laps.length === 0) return null;
  const fastestMs = Math.min(...laps.map(({ lapTimeMs }) => lapTimeMs));
  const shown = laps.filter(({ lapTimeMs }) => lapTimeMs <= fastestMs * SHOWN_SHARE_MAX);
  const slowestMs = Math.max(...shown.map(({ lapTimeMs }) => lapTimeMs), fastestMs + 1);
  const times = shown.map(({ atMs }) => atMs);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const toX = (atMs: number) => (last === first ? 0.5 : (atMs - first) / (last - first));
  const toY = (lapTimeMs: number) => (slowestMs - lapTimeMs) / (slowestMs - fastestMs);
  const bests = bestsOverTime.filter(({ lapTimeMs }) => lapTimeMs <= slowestMs);
  return {
    groups,
    slowestMs,
    fastestMs,
    hiddenCount: laps.length - shown.length,
    dots: shown.map(({ lapId, key, atMs, lapTimeMs }) => ({
      lapId,
      groupIndex: indexByKey.get(key) ?? 0,
      x: toX(atMs),
      y: toY(lapTimeMs),
    })),
    lines: groups.flatMap(({ key }, groupIndex) => {
      const steps = bests
        .filter((best) => groupKey(best) === key)
        .map(({ sessionDate, lapTimeMs }) => ({ x: toX(Date.parse(sessionDate)), y: toY(lapTimeMs) }));
      return steps.length === 0 ? [] : [{ groupIndex, points: joinSteps(steps) }];
    }),
  };
}

/** Connects the bests: each holds until the next one, and the last one to the end of the chart. */
function joinSteps(steps: readonly { x: number; y: number }[]): { x: number; y: number }[] {
  return steps.flatMap((step, index) => [step, { x: steps[index + 1]?.x ?? 1, y: step.y }]);
}

function listGroups(sessions: Sessions): ProgressGroup[] {
  const labels = new Map(
    sessions
      .filter(({ laps }) => laps.some(isRanking))
      .map((session) => [
        groupKey(session),
        `${session.carModel ?? 'Unknown car'}, ${tireLabel(session.tireCompound)}`,
      ]),
  );
  return [...labels].map(([key, label]) => ({ key, label }));
}

function groupKey({ carModel, tireCompound }: { carModel: string | null; tireCompound: string | null }) {
  return `${carModel ?? ''}|${tireCompound ?? ''}`;
}
