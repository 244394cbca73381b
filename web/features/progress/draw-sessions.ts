import type { LapId } from '#contract/ids.ts';
import { tireLabel } from '#contract/laps/labels.ts';
import type { DrivenSession } from './lap-names.ts';
import { makeTimeScale, round, toShare, type TimeScale } from '#web/ui/time-scale.ts';

/** The sessions of one car on one kind of tires that follow each other on the chart. */
export type CarChange = { index: number; count: number; label: string };

/**
 * The chart of sessions in columns: paths in a box one unit wide for each session and one unit high, slower laps on top. Dots are
 * paths without length.
 */
export type SessionsDrawing = {
  scale: TimeScale;
  laps: string;
  sessionBests: string;
  best: string;
  medians: string;
  medianLine: string;
  record: { y: number; isBelow: boolean } | null;
};

// The laps of a session take this share of the width of its column at most; a few columns are wide.
const COLUMN_SHARE_MAX = 0.62;
const COLUMN_SHARE_STEP = 0.2;
// A record that is farther below the laps than they spread would press them together, so it is at the edge instead.
const RECORD_DISTANCE_MAX = 1.5;
const RECORD_DISTANCE_SHARE = 0.03;

/** Draws the clean laps of sessions, given in the order of time; null where no lap is clean. */
export function drawSessions(
  sessions: readonly DrivenSession[],
  bestLapId: LapId | null,
  recordMs: number | null,
): SessionsDrawing | null {
  const timesMs = sessions.flatMap(({ laps }) =>
    laps.filter(({ isClean }) => isClean).map(({ lapTimeMs }) => lapTimeMs),
  );
  const isBelow = recordMs !== null && isFarBelow(timesMs, recordMs);
  const scale = makeTimeScale(recordMs === null || isBelow ? timesMs : [...timesMs, recordMs]);
  if (!scale || timesMs.length === 0) return null;
  const toY = (timeMs: number) => round(1 - toShare(scale, timeMs));
  const share = round(Math.min(COLUMN_SHARE_MAX, COLUMN_SHARE_STEP * sessions.length));
  const dots = sessions.flatMap((session, column) => {
    const clean = session.laps.filter(({ isClean }) => isClean);
    return clean.map(({ lapId, lapTimeMs }, index) => ({
      kind: lapId === bestLapId ? 'best' : lapId === session.bestLapId ? 'sessionBest' : 'lap',
      path: `M${round(column + 0.5 + share * ((index + 0.5) / clean.length - 0.5))} ${toY(lapTimeMs)}h0`,
    }));
  });
  const joinDots = (wanted: string) =>
    dots.flatMap(({ kind, path }) => (kind === wanted ? [path] : [])).join('');
  const medians = sessions.flatMap(({ spread }, column) =>
    spread ? [{ x: column + 0.5, y: toY(spread.medianMs) }] : [],
  );
  return {
    scale,
    laps: joinDots('lap'),
    sessionBests: joinDots('sessionBest'),
    best: joinDots('best'),
    medians: medians.map(({ x, y }) => `M${round(x - share / 2)} ${y}h${share}`).join(''),
    medianLine: medians.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(''),
    record: recordMs === null ? null : { y: isBelow ? 1 : toY(recordMs), isBelow },
  };
}

function isFarBelow(timesMs: readonly number[], recordMs: number): boolean {
  const [fastest, slowest] = [Math.min(...timesMs), Math.max(...timesMs)];
  const distanceMax = Math.max(RECORD_DISTANCE_MAX * (slowest - fastest), RECORD_DISTANCE_SHARE * fastest);
  return fastest - recordMs > distanceMax;
}

/** Lists the cars and tires of sessions in the order of time; a later label says only what has changed. */
export function listCarChanges(sessions: readonly DrivenSession[]): CarChange[] {
  const changes: CarChange[] = [];
  for (const [index, session] of sessions.entries()) {
    const before = sessions[index - 1];
    const last = changes.at(-1);
    if (before && last && isSameSetup(before, session)) last.count += 1;
    else changes.push({ index, count: 1, label: describeChange(before, session) });
  }
  return changes;
}

function isSameSetup(one: DrivenSession, other: DrivenSession): boolean {
  return one.carModel === other.carModel && one.tireCompound === other.tireCompound;
}

function describeChange(before: DrivenSession | undefined, session: DrivenSession): string {
  const car = session.carModel ?? 'Unknown car';
  const tires = session.tireCompound ? tireLabel(session.tireCompound) : 'Unknown tires';
  if (before && before.carModel === session.carModel) return tires;
  if (before && before.tireCompound === session.tireCompound) return car;
  return `${car}, ${tires}`;
}
