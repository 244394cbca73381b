import type { LapId } from '#contract/ids.ts';
import { LAP_REASON_MESSAGES, tireLabel, type LapReason } from '#contract/laps/labels.ts';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { formatLapDate } from '#web/ui/format.ts';

export type DrivenSession = DriverLaps['sessions'][number];

export type DrivenLap = DrivenSession['laps'][number];

export type SessionLap = { lap: DrivenLap; session: DrivenSession };

/** The short mark above a lap that is not clean. */
const REASON_MARKS: Record<LapReason, string> = {
  gap_in_data: 'gap',
  impossible_jump: 'jump',
  wrong_direction: 'direction',
  too_short: 'short',
  too_long: 'long',
  off_track: 'off track',
  impossible_speed: 'speed',
  slow_for_track: 'slow',
  impossible_acceleration: 'forces',
  speeds_disagree: 'speeds',
  filled_in: 'filled in',
  repeated_positions: 'repeated',
  clock_changed: 'clock',
  odd_clock: 'clock',
  coarse_time_stamps: 'coarse',
  timed_by_logger: 'logger',
  out_lap: 'out',
  in_lap: 'in',
  simulated: 'simulated',
  sample: 'sample',
  recorded_before: 'again',
  left_out: 'left out',
  rejected_by_moderator: 'rejected',
  ranked_by_moderator: 'ranked',
};

/** Returns the short mark of a lap that is not clean: its reason, or its time where it is only slow. */
export function markLap(lap: DrivenLap): string {
  const [reason] = lap.reasons;
  return isRanking(lap) || !reason ? formatLapTime(lap.lapTimeMs) : REASON_MARKS[reason];
}

/** Describes a lap in words: 'Lap 8, 1:42.882, best of the session'. */
export function describeLap(lap: DrivenLap, { bestLapId }: DrivenSession): string {
  const words = [`Lap ${lap.number}`, formatLapTime(lap.lapTimeMs)];
  if (lap.lapId === bestLapId) words.push('best of the session');
  if (!lap.isClean) words.push(describeReasons(lap));
  return words.join(', ');
}

function describeReasons(lap: DrivenLap): string {
  if (isRanking(lap)) return 'more than 107 % of the best of the session';
  return ['does not count.', ...lap.reasons.map((reason) => LAP_REASON_MESSAGES[reason])].join(' ');
}

/** Names two laps by what distinguishes them: 'Lap 8 and Lap 11', with dates where the sessions differ. */
export function nameTwoLaps(one: SessionLap, other: SessionLap): string {
  const isSameSession = one.session.sessionId === other.session.sessionId;
  const name = ({ lap, session }: SessionLap) =>
    isSameSession ? `Lap ${lap.number}` : `Lap ${lap.number}, ${formatLapDate(session.sessionDate)}`;
  return `${name(one)} and ${name(other)}`;
}

/** Lists car and tires of a session, as far as they are known. */
export function listCarFacts({ carName, tireCompound }: DrivenSession): string[] {
  return [carName, tireCompound && tireLabel(tireCompound)].flatMap((fact) => fact ?? []);
}

/** Finds a lap and its session. */
export function findLap(sessions: readonly DrivenSession[], lapId: LapId): SessionLap | null {
  for (const session of sessions) {
    const lap = session.laps.find((lap) => lap.lapId === lapId);
    if (lap) return { lap, session };
  }
  return null;
}

export type TrackRecord = { userName: string; lapTimeMs: number };

/** Finds the record of the track: the driver's own best where it is the first of its board, else the first of the others. */
export function findRecord({
  places,
  best,
  userName,
}: Pick<DriverLaps, 'places' | 'best' | 'userName'>): TrackRecord | null {
  const board = places.find(({ scope }) => scope === 'board');
  if (!board) return null;
  return best && board.ahead === null ? { userName, lapTimeMs: best.lapTimeMs } : (board.entries[0] ?? null);
}
