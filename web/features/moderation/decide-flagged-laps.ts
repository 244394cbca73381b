import type { FlaggedLap } from '#contract/moderation/schemas.ts';
import { useCalls, type Work } from '#web/ui/use-call.ts';

export type Deciding = ReturnType<typeof useDeciding>;

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

/** Sends the decisions and questions of moderators; each fetches the queue again. */
export function useDeciding(onDecided: () => void) {
  const { run, isBusy } = useCalls((send, work: Work) => work(send), {
    failure: 'Not Decided',
    refreshesAfterFailure: true,
  });

  return {
    isBusy,
    decide: async (
      laps: [FlaggedLap, ...FlaggedLap[]],
      verdict: 'keep' | 'reject',
      reason: string | null,
    ): Promise<void> => {
      const [{ trackId, lapId }] = laps;
      const done = await run((send) =>
        send('POST /api/admin/tracks/:trackId/laps/:lapId/decision', {
          params: { trackId, lapId },
          body: { verdict, reason, wholeSession: laps.length > 1 },
        }),
      );
      if (done !== null) onDecided();
    },
    ask: async ({ trackId, lapId }: FlaggedLap, question: string): Promise<boolean> => {
      const asked = await run((send) =>
        send('POST /api/admin/tracks/:trackId/laps/:lapId/question', {
          params: { trackId, lapId },
          body: { question },
        }),
      );
      return asked !== null;
    },
  };
}
