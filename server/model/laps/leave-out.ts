import { isRanking, type LapStatus } from '#engine/timing/laps.ts';

type JudgedLap = {
  status: LapStatus;
  reasons: string[];
  leftOutStatus?: LapStatus | null;
  rejectedStatus?: LapStatus | null;
};

/** The lap as it is while its driver leaves it out: it does not rank, and keeps the status that it would have. */
export function leaveOut<L extends JudgedLap>(lap: L): L {
  const { status, reasons } = putBack(lap);
  return {
    ...lap,
    status: isRanking({ status }) ? 'rejected' : status,
    reasons: [...reasons, 'left_out'],
    leftOutStatus: status,
  };
}

/** The lap as it is without its driver's wish. */
export function putBack<L extends JudgedLap>(lap: L): L {
  const { leftOutStatus = null } = lap;
  if (leftOutStatus === null) return lap;
  const reasons = lap.reasons.filter((reason) => reason !== 'left_out');
  return { ...lap, status: leftOutStatus, reasons, leftOutStatus: null };
}

/** The lap as it is while a decision rejects it: it keeps the status that it would have, and its driver's wish. */
export function rejectLap<L extends JudgedLap>(lap: L): L {
  return withDriversWish(lap, (own) => {
    const { status, reasons } = withoutVerdict(own);
    return {
      ...own,
      status: isRanking({ status }) ? 'rejected' : status,
      reasons: [...reasons, 'rejected_by_moderator'],
      rejectedStatus: status,
    };
  });
}

/** The lap as it is while a decision keeps it: one that nothing but its slowness speaks against ranks, whatever the record is. */
export function keepLap<L extends JudgedLap>(lap: L): L {
  return withDriversWish(lap, (own) => {
    const kept = withoutVerdict(own);
    return isOnlySlow(kept)
      ? { ...kept, status: 'warning', reasons: [...kept.reasons, 'ranked_by_moderator'] }
      : kept;
  });
}

/** The lap as it is without a decision. */
export function acceptLap<L extends JudgedLap>(lap: L): L {
  return withDriversWish(lap, withoutVerdict);
}

/** Whether nothing but its slowness speaks against a lap. */
export function isOnlySlow({ reasons }: Pick<JudgedLap, 'reasons'>): boolean {
  return reasons.length === 1 && reasons[0] === 'slow_for_track';
}

/** Whether a decision lets a slow lap rank. */
export function isRankedByModerator({ reasons }: Pick<JudgedLap, 'reasons'>): boolean {
  return reasons.includes('ranked_by_moderator');
}

/** The lap as its file alone gives it. */
export function asTimed<L extends JudgedLap>(lap: L): L {
  return withoutVerdict(putBack(lap));
}

function withDriversWish<L extends JudgedLap>(lap: L, change: (own: L) => L): L {
  const changed = change(putBack(lap));
  return (lap.leftOutStatus ?? null) === null ? changed : leaveOut(changed);
}

function withoutVerdict<L extends JudgedLap>(lap: L): L {
  if (isRankedByModerator(lap)) {
    // Whether it ranks without the decision is for the next look at the slow laps of the track to say.
    const reasons = lap.reasons.filter((reason) => reason !== 'ranked_by_moderator');
    return { ...lap, status: 'rejected', reasons };
  }
  const { rejectedStatus = null } = lap;
  if (rejectedStatus === null) return lap;
  const reasons = lap.reasons.filter((reason) => reason !== 'rejected_by_moderator');
  return { ...lap, status: rejectedStatus, reasons, rejectedStatus: null };
}
