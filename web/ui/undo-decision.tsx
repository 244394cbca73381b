import type { DecidedLap } from '#contract/moderation/evidence.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { Button } from './button.tsx';
import { useCall } from './use-call.ts';

type UndoDecisionProps = {
  lap: Pick<DecidedLap, 'trackId' | 'lapId' | 'lapTimeMs' | 'userName' | 'whyNot'>;
  /** Follows a success: the button is gone then. */
  onDone?: () => void;
};

/** Undoes the decision in force on a lap; renders nothing for those who may not. */
export function UndoDecision({ lap, onDone }: UndoDecisionProps) {
  const { trackId, lapId, lapTimeMs, userName, whyNot } = lap;
  const { run, isBusy } = useCall('DELETE /api/admin/tracks/:trackId/laps/:lapId/decision', {
    success: { title: 'Decision Undone', description: 'The flags of the lap are open again.' },
    failure: 'Not Undone',
    refreshesAfterFailure: true,
    ...(onDone && { onDone }),
  });
  if (whyNot !== null) return null;
  return (
    <Button
      size="small"
      aria-label={`Undo the decision on ${formatLapTime(lapTimeMs)} by ${userName}`}
      pending={isBusy}
      onClick={() => void run({ params: { trackId, lapId } })}
    >
      Undo
    </Button>
  );
}
