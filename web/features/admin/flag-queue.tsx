import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { Link } from 'wouter';
import { FLAG_LABELS, FLAG_LIMITS } from '#contract/flag-labels.ts';
import type { FlaggedLap } from '#contract/flags.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { describeError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { formatDifference, formatLapDate, pluralize } from '#web/ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import styles from './flag-queue.module.css';

/** Flagged laps, those that have waited longest first, each with all that a decision needs. */
export function FlagQueue() {
  const [order, setOrder] = useState<'age' | 'position'>('age');
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/admin/flagged-laps', { query: { order } }));
  const deciding = useDeciding();
  return (
    <AdminCard
      title="Flagged Laps"
      lead="Flagged laps rank until one of you decides. Own laps, those of drivers whom you have flagged, and appeals against your decision are for others to decide."
    >
      <SelectField
        compact
        label="Order"
        value={order}
        onChange={(event) => setOrder(event.currentTarget.value === 'position' ? 'position' : 'age')}
      >
        <option value="age">Oldest flag first</option>
        <option value="position">Best position first</option>
      </SelectField>
      {deciding.latest && (
        <Latest key={deciding.latest.lap.lapId} deciding={deciding} latest={deciding.latest} />
      )}
      {isError && <FailedState title="The flags could not be loaded." onRetry={() => void refetch()} />}
      {!isError && !data && <LoadingState>Loading flags...</LoadingState>}
      {data?.length === 0 && (
        <EmptyState title="No open flags">
          Laps that drivers or the automatic checks flag are decided here.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className={styles['list']}>
          {data.map((lap) => (
            <li key={lap.lapId}>
              <FlaggedLapCard lap={lap} deciding={deciding} />
            </li>
          ))}
        </ul>
      )}
    </AdminCard>
  );
}

type Deciding = ReturnType<typeof useDeciding>;
type Verdict = 'keep' | 'reject';
type LatestDecision = { lap: FlaggedLap; verdict: Verdict };

function useDeciding() {
  const queryClient = useQueryClient();
  const [latest, setLatest] = useState<LatestDecision | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  async function run(work: () => Promise<unknown>, then: LatestDecision | null): Promise<void> {
    setIsBusy(true);
    try {
      await work();
      setLatest(then);
    } catch (error) {
      showToast({ title: 'Not Decided', description: describeError(error), destructive: true });
    }
    await refresh(['admin', 'tracks', 'laps'], queryClient);
    setIsBusy(false);
  }

  return {
    latest,
    isBusy,
    decide: (lap: FlaggedLap, verdict: Verdict, reason: string | null) =>
      run(
        () =>
          callApi('POST /api/admin/tracks/:trackId/laps/:lapId/decision', {
            params: { trackId: lap.trackId, lapId: lap.lapId },
            body: { verdict, reason },
          }),
        { lap, verdict },
      ),
    ask: ({ trackId, lapId }: FlaggedLap, question: string) =>
      run(
        () =>
          callApi('POST /api/admin/tracks/:trackId/laps/:lapId/question', {
            params: { trackId, lapId },
            body: { question },
          }),
        null,
      ),
    undo: ({ trackId, lapId }: FlaggedLap) =>
      run(
        () =>
          callApi('DELETE /api/admin/tracks/:trackId/laps/:lapId/decision', { params: { trackId, lapId } }),
        null,
      ),
  };
}

function Latest({ latest: { lap, verdict }, deciding }: { latest: LatestDecision; deciding: Deciding }) {
  const line = useRef<HTMLParagraphElement>(null);
  // The lap that was decided is gone, and with it the focus: from here the next Tab leads to Undo, then to the next lap.
  useEffect(() => line.current?.focus(), []);
  return (
    <p ref={line} tabIndex={-1} className={styles['latest']}>
      <output>
        {formatLapTime(lap.lapTimeMs)} by {lap.userName} was {verdict === 'keep' ? 'kept' : 'rejected'}.
      </output>
      <Button size="small" pending={deciding.isBusy} onClick={() => void deciding.undo(lap)}>
        Undo
      </Button>
    </p>
  );
}

function FlaggedLapCard({ lap, deciding }: { lap: FlaggedLap; deciding: Deciding }) {
  const { trackId, lapId, trackName, userName, carName, lapTimeMs, isRejected, whyNot } = lap;
  return (
    <Card as="article" className={styles['lap']} aria-label={`${formatLapTime(lapTimeMs)} by ${userName}`}>
      <h3 className={styles['title']}>
        <Link href={`/track/${trackId}?lap=${lapId}`}>{formatLapTime(lapTimeMs)}</Link> by {userName}{' '}
        {isRejected && <Badge tone="bad">Rejected</Badge>}
      </h3>
      <p className={styles['facts']}>{[trackName, carName].filter(Boolean).join(' · ')}</p>
      <Figures lap={lap} />
      <ul className={styles['flags']}>
        {lap.flags.map(({ reason, sentence, flaggedAt, userName: by }) => (
          <li key={`${flaggedAt} ${reason}`}>
            <strong>{FLAG_LABELS[reason]}</strong>: “{sentence}” {by ?? 'Automatic check'},{' '}
            {formatLapDate(flaggedAt)}
          </li>
        ))}
        {lap.questions.map(({ question, askedAt, answer }) => (
          <li key={askedAt}>
            <strong>Asked</strong>: “{question}”{' '}
            {answer === null ? 'No answer yet.' : `The driver: “${answer}”`}
          </li>
        ))}
      </ul>
      <History lap={lap} />
      {whyNot === null ? <Verdicts lap={lap} deciding={deciding} /> : <p>{whyNot}</p>}
    </Card>
  );
}

function Figures({ lap }: { lap: FlaggedLap }) {
  const { uncertaintyMs, record, driverOtherBest, reasons, videoUrl, userName } = lap;
  const { trackId, lapId, rank, openSince } = lap;
  return (
    <dl className={styles['figures']}>
      <dt>Position</dt>
      <dd>
        P{rank}, flagged since {formatLapDate(openSince)}
      </dd>
      <dt>Lap file</dt>
      <dd>
        <a href={`/api/admin/tracks/${trackId}/laps/${lapId}/lap-file`} download>
          Download
        </a>
      </dd>
      <dt>Uncertainty</dt>
      <dd>± {(uncertaintyMs / 1000).toFixed(3)} s</dd>
      <dt>Fastest other lap here</dt>
      <dd>
        <OtherLap lap={lap} other={record} name="the fastest other lap" />
      </dd>
      <dt>Best other lap of this driver</dt>
      <dd>
        <OtherLap lap={lap} other={driverOtherBest} name="the best other lap of the driver" />
      </dd>
      <dt>Found by the checks</dt>
      <dd>{reasons.join(', ').replaceAll('_', ' ') || 'nothing'}</dd>
      <dt>Video</dt>
      <dd>
        {videoUrl && /^https?:/i.test(videoUrl) ? (
          <a href={videoUrl} target="_blank" rel="noopener noreferrer" aria-label={`Video of ${userName}`}>
            Open
          </a>
        ) : (
          'none'
        )}
      </dd>
    </dl>
  );
}

type OtherLapProps = { lap: FlaggedLap; other: FlaggedLap['record']; name: string };

/** Time and gap of another lap, and the comparison with it, the faster one as its reference. */
function OtherLap({ lap: { trackId, lapId, lapTimeMs, isRejected }, other, name }: OtherLapProps) {
  if (!other) return 'none';
  const [first, second] = lapTimeMs <= other.lapTimeMs ? [lapId, other.lapId] : [other.lapId, lapId];
  return (
    <>
      {formatLapTime(other.lapTimeMs)} ({formatDifference(lapTimeMs - other.lapTimeMs)} s){' '}
      {!isRejected && (
        <Link href={`/track/${trackId}?lap=${first}&vs=${second}`} aria-label={`Compare with ${name}`}>
          Compare
        </Link>
      )}
    </>
  );
}

function History({ lap: { history } }: { lap: FlaggedLap }) {
  if (history.length === 0) return null;
  return (
    <details className={styles['history']}>
      <summary>{pluralize(history.length, 'decision')} before</summary>
      <ul>
        {history.map(({ verdict, reason, decidedAt, userName, isUndone }) => (
          <li key={decidedAt}>
            {formatLapDate(decidedAt)}: {verdict === 'keep' ? 'kept' : 'rejected'}
            {userName && ` by ${userName}`}
            {reason && `, “${reason}”`}
            {isUndone && ', undone'}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Verdicts({ lap, deciding }: { lap: FlaggedLap; deciding: Deciding }) {
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);

  function reject(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('reason');
    const reason = typeof value === 'string' ? value.trim() : '';
    if (reason.length < FLAG_LIMITS.sentenceCharactersMin) {
      setProblem(
        `Its driver gets the reason: please write at least ${FLAG_LIMITS.sentenceCharactersMin} characters.`,
      );
      return;
    }
    setProblem(undefined);
    void deciding.decide(lap, 'reject', reason);
  }

  function ask(): void {
    const value = form.current && new FormData(form.current).get('reason');
    const question = typeof value === 'string' ? value.trim() : '';
    if (question.length < FLAG_LIMITS.sentenceCharactersMin) {
      setProblem(`Write the question: at least ${FLAG_LIMITS.sentenceCharactersMin} characters.`);
      return;
    }
    setProblem(undefined);
    form.current?.reset();
    void deciding.ask(lap, question);
  }

  return (
    <form ref={form} noValidate className={styles['verdicts']} onSubmit={reject}>
      <Button
        variant="primary"
        pending={deciding.isBusy}
        onClick={() => void deciding.decide(lap, 'keep', null)}
      >
        Keep
      </Button>
      <TextField
        label="Reason, for the driver"
        name="reason"
        autoComplete="off"
        compact
        error={problem}
        className={styles['reason']}
      />
      <Button type="submit" variant="destructive" pending={deciding.isBusy}>
        Reject
      </Button>
      <Button pending={deciding.isBusy} onClick={ask}>
        Ask the driver
      </Button>
    </form>
  );
}
