import { useState } from 'react';
import type { FlaggedLap } from '#contract/moderation/schemas.ts';
import type { Send } from '#web/api/refresh.ts';
import { useCalls } from '#web/ui/use-call.ts';

export type Deciding = ReturnType<typeof useDeciding>;
type Verdict = 'keep' | 'reject';
export type LatestDecision = { laps: FlaggedLap[]; verdict: Verdict };

/** Lists the other laps of the session that one decision can cover; the server chooses the same ones. */
export function listDecidedTogether(
  queue: readonly FlaggedLap[],
  { lapId, sessionId, isRejected }: FlaggedLap,
): FlaggedLap[] {
  return queue.filter(
    (other) =>
      other.sessionId === sessionId &&
      other.lapId !== lapId &&
      other.isRejected === isRejected &&
      other.whyNot === null,
  );
}

/** Sends the decisions of moderators; each fetches the queue again. */
export function useDeciding() {
  const [latest, setLatest] = useState<LatestDecision | null>(null);
  /** Undoes the latest decision; null if there is none to undo. */
  const { run, isBusy } = useCalls(
    (send, decide: (send: Send) => Promise<LatestDecision | null>) => decide(send),
    { failure: 'Not Decided', refreshesAfterFailure: true, onDone: setLatest },
  );

  return {
    latest,
    isBusy,
    decide: (laps: [FlaggedLap, ...FlaggedLap[]], verdict: Verdict, reason: string | null) =>
      run(async (send) => {
        const [{ trackId, lapId }] = laps;
        const { lapIds } = await send('POST /api/admin/tracks/:trackId/laps/:lapId/decision', {
          params: { trackId, lapId },
          body: { verdict, reason, wholeSession: laps.length > 1 },
        });
        return { laps: laps.filter((lap) => lapIds.includes(lap.lapId)), verdict };
      }),
    ask: ({ trackId, lapId }: FlaggedLap, question: string) =>
      run(async (send) => {
        await send('POST /api/admin/tracks/:trackId/laps/:lapId/question', {
          params: { trackId, lapId },
          body: { question },
        });
        return null;
      }),
    undo: ({ laps, verdict }: LatestDecision, { trackId, lapId }: FlaggedLap) =>
      run(async (send) => {
        await send('DELETE /api/admin/tracks/:trackId/laps/:lapId/decision', {
          params: { trackId, lapId },
        });
        const decided = laps.filter((lap) => lap.lapId !== lapId);
        return decided.length > 0 ? { laps: decided, verdict } : null;
      }),
  };
}
