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
    const { status, reasons } = withoutRejection(own);
    return {
      ...own,
      status: isRanking({ status }) ? 'rejected' : status,
      reasons: [...reasons, 'rejected_by_moderator'],
      rejectedStatus: status,
    };
  });
}

/** The lap as it is without a decision that rejects it. */
export function acceptLap<L extends JudgedLap>(lap: L): L {
  return withDriversWish(lap, withoutRejection);
}

/** The lap as its file alone gives it. */
export function asTimed<L extends JudgedLap>(lap: L): L {
  return withoutRejection(putBack(lap));
}

function withDriversWish<L extends JudgedLap>(lap: L, change: (own: L) => L): L {
  const changed = change(putBack(lap));
  return (lap.leftOutStatus ?? null) === null ? changed : leaveOut(changed);
}

function withoutRejection<L extends JudgedLap>(lap: L): L {
  const { rejectedStatus = null } = lap;
  if (rejectedStatus === null) return lap;
  const reasons = lap.reasons.filter((reason) => reason !== 'rejected_by_moderator');
  return { ...lap, status: rejectedStatus, reasons, rejectedStatus: null };
}
