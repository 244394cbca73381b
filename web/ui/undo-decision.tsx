import type { RefObject } from 'react';
import type { DecidedLap } from '#contract/moderation/evidence.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { Button } from './button.tsx';
import { useCall } from './use-call.ts';
import { useFocusAfter } from './use-focus-after.ts';

type UndoDecisionProps = {
  lap: Pick<DecidedLap, 'trackId' | 'lapId' | 'lapTimeMs' | 'userName' | 'whyNot'>;
  /** Takes the focus when the button is gone. */
  focusAfter?: RefObject<HTMLElement | null>;
};

/** Undoes the decision in force on a lap; renders nothing for those who may not. */
export function UndoDecision({ lap, focusAfter }: UndoDecisionProps) {
  const { trackId, lapId, lapTimeMs, userName, whyNot } = lap;
  const { run, isBusy } = useCall('DELETE /api/admin/tracks/:trackId/laps/:lapId/decision', {
    success: { title: 'Decision Undone', description: 'The flags of the lap are open again.' },
    failure: 'Not Undone',
    refreshesAfterFailure: true,
  });
  useFocusAfter(focusAfter);
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
