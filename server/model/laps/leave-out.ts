import type { LapStatus } from '#engine/timing/laps.ts';

type ClassifiedLap = {
  status: LapStatus;
  reasons: string[];
  leftOutStatus?: LapStatus | null;
  rejectedStatus?: LapStatus | null;
};

/** Returns the lap as its driver leaves it out: it does not rank, and keeps the status that it would have. */
export function leaveOut<L extends ClassifiedLap>(lap: L): L {
  const { status, reasons } = putBack(lap);
  return {
    ...lap,
    status: withoutPlace(status),
    reasons: [...reasons, 'left_out'],
    leftOutStatus: status,
  };
}

/** Returns the status of a lap that ranks on no board, that of simulators included. */
function withoutPlace(status: LapStatus): LapStatus {
  return status === 'incomplete' ? status : 'rejected';
}

/** Returns the lap without its driver's choice to leave it out. */
export function putBack<L extends ClassifiedLap>(lap: L): L {
  const { leftOutStatus = null } = lap;
  if (leftOutStatus === null) return lap;
  const reasons = lap.reasons.filter((reason) => reason !== 'left_out');
  return { ...lap, status: leftOutStatus, reasons, leftOutStatus: null };
}

/** Returns the lap as a decision rejects it: it keeps the status that it would have, and its driver's choice. */
export function rejectLap<L extends ClassifiedLap>(lap: L): L {
  return withDriversWish(lap, (own) => {
    const { status, reasons } = withoutVerdict(own);
    return {
      ...own,
      status: withoutPlace(status),
      reasons: [...reasons, 'rejected_by_moderator'],
      rejectedStatus: status,
    };
  });
}

/** Returns the lap as a decision keeps it: a lap whose only problem is its slowness ranks, regardless of the record. */
export function keepLap<L extends ClassifiedLap>(lap: L): L {
  return withDriversWish(lap, (own) => {
    const kept = withoutVerdict(own);
    return isOnlySlow(kept)
      ? { ...kept, status: 'warning', reasons: [...kept.reasons, 'ranked_by_moderator'] }
      : kept;
  });
}

/** Returns the lap as the decision in force has it; null where there is none. */
export function withVerdict<L extends ClassifiedLap>(lap: L, verdict: 'keep' | 'reject' | null): L {
  if (verdict === 'keep') return keepLap(lap);
  const accepted = withDriversWish(lap, withoutVerdict);
  return verdict === 'reject' ? rejectLap(accepted) : accepted;
}

export function isOnlySlow({ reasons }: Pick<ClassifiedLap, 'reasons'>): boolean {
  return reasons.length === 1 && reasons[0] === 'slow_for_track';
}

export function isRankedByModerator({ reasons }: Pick<ClassifiedLap, 'reasons'>): boolean {
  return reasons.includes('ranked_by_moderator');
}

/** Returns the lap as the engine timed it, without decisions of people. */
export function asTimed<L extends ClassifiedLap>(lap: L): L {
  return withoutVerdict(putBack(lap));
}

function withDriversWish<L extends ClassifiedLap>(lap: L, change: (own: L) => L): L {
  const changed = change(putBack(lap));
  return (lap.leftOutStatus ?? null) === null ? changed : leaveOut(changed);
}

function withoutVerdict<L extends ClassifiedLap>(lap: L): L {
  if (isRankedByModerator(lap)) {
    // The record of the track decides if the lap ranks without the decision.
    const reasons = lap.reasons.filter((reason) => reason !== 'ranked_by_moderator');
    return { ...lap, status: 'rejected', reasons };
  }
  const { rejectedStatus = null } = lap;
  if (rejectedStatus === null) return lap;
  const reasons = lap.reasons.filter((reason) => reason !== 'rejected_by_moderator');
  return { ...lap, status: rejectedStatus, reasons, rejectedStatus: null };
}
