import { useQuery } from '@tanstack/react-query';
import Flag from 'lucide-react/icons/flag';
import { lazy, Suspense, useState, type ComponentProps } from 'react';
import { FLAG_LABELS, isAutomatic } from '#contract/moderation/labels.ts';
import type { LapFlags } from '#contract/moderation/schemas.ts';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { mayModerate } from '#contract/people/labels.ts';
import { isForBoards } from '#engine/timing/laps.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import common from '#web/ui/common.module.css';
import { formatLapDate, formatSentence } from '#web/ui/format.ts';
import { UndoDecision } from '#web/ui/undo-decision.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from './lap-flags.module.css';

// Few readers flag a lap, so the dialog loads on demand.
const FlagDialog = lazy(async () => ({ default: (await import('./flag-dialog.tsx')).FlagDialog }));

/** Lets drivers flag a lap of somebody else that may be on a board. */
export function FlagLap({ lap }: { lap: LapView }) {
  const { user } = useCurrentUser();
  if (!user || lap.isOwn || !isForBoards(lap)) return null;
  return (
    <DialogButton lap={lap} kind="flag">
      Flag this lap
    </DialogButton>
  );
}

/** Lets moderators confirm the lap of somebody else from a published result, and take that back. */
export function OfficialLap({ lap }: { lap: LapView }) {
  const { user } = useCurrentUser();
  const { run, isBusy } = useCall('DELETE /api/admin/tracks/:trackId/laps/:lapId/official', {
    success: { title: 'Not Official Any More' },
    failure: 'Not Changed',
    refreshesAfterFailure: true,
  });
  if (!mayModerate(user) || lap.isOwn) return null;
  // The rejection of a moderator is undone first.
  if (lap.reasons.includes('rejected_by_moderator')) return null;
  if (!lap.evidence.includes('official'))
    return (
      <DialogButton lap={lap} kind="official">
        Confirm as official
      </DialogButton>
    );

  const { trackId, lapId } = lap;
  return (
    <Button size="small" pending={isBusy} onClick={() => void run({ params: { trackId, lapId } })}>
      Take back official
    </Button>
  );
}

/** Shows moderators the decision in force on a lap, with its undo; renders nothing without one. */
export function DecisionOnLap({ lap }: { lap: LapView }) {
  const { user } = useCurrentUser();
  const { data } = useQuery({
    ...apiQuery('GET /api/admin/decided-laps', { query: { lapIds: lap.lapId, limit: 1, offset: 0 } }),
    enabled: mayModerate(user) && !lap.isOwn,
    // Others decide meanwhile.
    staleTime: 0,
  });
  const decided = data?.laps[0];
  if (!decided || lap.isOwn) return null;
  const { verdict, reason, decidedAt, decidedByName, isOwnDecision, whyNot } = decided;
  const who = isOwnDecision ? 'You' : (decidedByName ?? 'A moderator');
  return (
    <Card as="section" className={styles['flags']} aria-label="Decision on this lap">
      <p>
        {who} {verdict === 'keep' ? 'kept' : 'rejected'} this flagged lap on {formatLapDate(decidedAt)}
        {reason === null ? '.' : `: “${reason}”`} {whyNot}
      </p>
      <UndoDecision lap={decided} />
    </Card>
  );
}

/** Shows the flags of an own lap and their decisions; renders nothing without flags. */
export function OwnLapFlags({ lap }: { lap: LapView }) {
  return lap.isOwn ? <Flags lap={lap} /> : null;
}

function Flags({ lap }: { lap: LapView }) {
  const { trackId, lapId } = lap;
  const { data } = useQuery(
    apiQuery('GET /api/tracks/:trackId/laps/:lapId/flags', { params: { trackId, lapId } }),
  );
  if (!data) return null;
  const { openFlags, decision, mayAppeal, questions } = data;
  const isRejected = decision?.verdict === 'reject';
  if (openFlags.length === 0 && !isRejected && !mayAppeal) return null;
  return (
    <Card as="section" className={styles['flags']} aria-label="Doubts about this lap">
      <h2 className={common['heading']}>Doubts about this lap</h2>
      {isRejected && (
        <p>
          The moderator wrote on {formatLapDate(decision.decidedAt)}: “{decision.reason}”
        </p>
      )}
      {mayAppeal && !isRejected && (
        <p>
          It ranks once it takes at most 130 % of the best lap here that is not slow itself, or once a
          moderator lets it.
        </p>
      )}
      {openFlags.map((flag) => (
        <OpenFlag key={flag.flaggedAt} flag={flag} ranks={isForBoards(lap)} />
      ))}
      {questions.map(({ question, askedAt, answer }) => (
        <p key={askedAt}>
          A moderator asks: “{question}” {answer !== null && `You answered: “${answer}”`}
        </p>
      ))}
      {questions.some(({ answer }) => answer === null) && (
        <DialogButton lap={lap} kind="answer">
          Answer
        </DialogButton>
      )}
      {mayAppeal && (
        <DialogButton lap={lap} kind="appeal">
          Appeal
        </DialogButton>
      )}
    </Card>
  );
}

type OpenFlagProps = { flag: LapFlags['openFlags'][number]; ranks: boolean };

export function OpenFlag({ flag: { reason, sentence }, ranks }: OpenFlagProps) {
  if (reason === 'appeal')
    return <p>You have appealed: “{sentence}” A moderator will decide. There is one appeal.</p>;
  return (
    <p>
      {FLAG_LABELS[reason]}: “{isAutomatic(reason) ? formatSentence(sentence) : sentence}” A moderator will
      look at it{ranks && '; until then the lap ranks'}. Only you and moderators see this.
    </p>
  );
}

type DialogKind = ComponentProps<typeof FlagDialog>['kind'];

function DialogButton({ lap, kind, children }: { lap: LapView; kind: DialogKind; children: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        <Flag size={16} aria-hidden="true" />
        {children}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <FlagDialog lap={lap} kind={kind} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
