import { isRanking, type LapStatus } from '#engine/timing/laps.ts';

type JudgedLap = { status: LapStatus; reasons: string[]; leftOutStatus?: LapStatus | null };

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
