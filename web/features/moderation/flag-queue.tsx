import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { Link } from 'wouter';
import { FLAG_LABELS, FLAG_LIMITS } from '#contract/moderation/labels.ts';
import type { FlaggedLap } from '#contract/moderation/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { formatDifference, formatLapDate, pluralize } from '#web/ui/format.ts';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { AdminCard } from '#web/ui/admin-card.tsx';
import {
  type Deciding,
  type LatestDecision,
  listDecidedTogether,
  useDeciding,
} from './decide-flagged-laps.ts';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';
import styles from './flag-queue.module.css';

/** Shows flagged laps, oldest first, each with the data that a decision needs. */
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
        <Latest
          key={deciding.latest.laps.map(({ lapId }) => lapId).join()}
          deciding={deciding}
          latest={deciding.latest}
        />
      )}
      {isError && <FailedState title="The flags could not be loaded." onRetry={() => void refetch()} />}
      {!isError && !data && <LoadingState>Loading flags...</LoadingState>}
      {data?.length === 0 && (
        <EmptyState title="No open flags">
          Laps that drivers or the automatic checks flag are decided here.
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul className={common['list']}>
          {data.map((lap) => (
            <li key={lap.lapId}>
              <FlaggedLapCard lap={lap} others={listDecidedTogether(data, lap)} deciding={deciding} />
            </li>
          ))}
        </ul>
      )}
    </AdminCard>
  );
}

function Latest({ latest, deciding }: { latest: LatestDecision; deciding: Deciding }) {
  const lines = useRef<HTMLUListElement>(null);
  // The decided lap has disappeared, and with it the focus: from here the next Tab leads to Undo, then to the next lap.
  useEffect(() => lines.current?.focus(), []);
  const verdict = latest.verdict === 'keep' ? 'kept' : 'rejected';
  return (
    <ul ref={lines} tabIndex={-1} className={styles['latest']} aria-label="Latest decision">
      {latest.laps.map((lap) => (
        <li key={lap.lapId}>
          <output>
            {formatLapTime(lap.lapTimeMs)} by {lap.userName} was {verdict}.
          </output>
          <Button
            size="small"
            aria-label={latest.laps.length > 1 ? `Undo for ${formatLapTime(lap.lapTimeMs)}` : undefined}
            pending={deciding.isBusy}
            onClick={() => void deciding.undo(latest, lap)}
          >
            Undo
          </Button>
        </li>
      ))}
    </ul>
  );
}

type LapCardProps = { lap: FlaggedLap; others: readonly FlaggedLap[]; deciding: Deciding };

function FlaggedLapCard({ lap, others, deciding }: LapCardProps) {
  const { trackId, lapId, trackName, userName, carName, lapTimeMs, isRejected, whyNot } = lap;
  return (
    <Card as="article" className={styles['lap']} aria-label={`${formatLapTime(lapTimeMs)} by ${userName}`}>
      <h3 className={styles['title']}>
        <Link href={`/track/${trackId}?lap=${lapId}`}>{formatLapTime(lapTimeMs)}</Link> by {userName}{' '}
        {isRejected && <Badge tone="bad">Rejected</Badge>}
      </h3>
      <p className={common['muted']}>{[trackName, carName].filter(Boolean).join(' · ')}</p>
      <Figures lap={lap} />
      <ul className={common['list']}>
        {lap.flags.map(({ reason, sentence, flaggedAt, userName: by }) => (
          <li key={`${flaggedAt} ${reason}`}>
            <strong>{FLAG_LABELS[reason]}</strong>: “{sentence}” {by ?? 'Automatic check'},{' '}
            {formatLapDate(flaggedAt)}
          </li>
        ))}
        {lap.questions.map(({ question, askedAt, answer }) => (
          <li key={askedAt}>
            <strong>Asked on {formatLapDate(askedAt)}</strong>: “{question}”{' '}
            {answer === null ? 'Waiting for the answer.' : `The driver: “${answer}”`}
          </li>
        ))}
      </ul>
      <History lap={lap} />
      {whyNot === null ? <Verdicts lap={lap} others={others} deciding={deciding} /> : <p>{whyNot}</p>}
    </Card>
  );
}

function Figures({ lap }: { lap: FlaggedLap }) {
  const { uncertaintyMs, record, driverOtherBest, reasons, videoUrl, userName, whyNot } = lap;
  const { trackId, lapId, rank, openSince } = lap;
  return (
    <dl className={styles['figures']}>
      <dt>Position</dt>
      <dd>
        P{rank}, flagged since {formatLapDate(openSince)}
      </dd>
      {whyNot === null && (
        <>
          <dt>Lap file</dt>
          <dd>
            <a href={`/api/admin/tracks/${trackId}/laps/${lapId}/lap-file`} download>
              Download
            </a>
          </dd>
        </>
      )}
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

/** Shows time and gap of another lap, and a link to the comparison, with the faster one as its reference. */
function OtherLap({ lap: { trackId, lapId, lapTimeMs }, other, name }: OtherLapProps) {
  if (!other) return 'none';
  const [first, second] = lapTimeMs <= other.lapTimeMs ? [lapId, other.lapId] : [other.lapId, lapId];
  return (
    <>
      {formatLapTime(other.lapTimeMs)} ({formatDifference(lapTimeMs - other.lapTimeMs)} s){' '}
      <Link href={`/track/${trackId}?lap=${first}&vs=${second}`} aria-label={`Compare with ${name}`}>
        Compare
      </Link>
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

/** Keeps the text for the driver, a reason or a question. */
function useSentence() {
  const [problem, setProblem] = useState<string>();
  const form = useRef<HTMLFormElement>(null);

  /** Returns the text; if it is too short, returns undefined and reports that next to the field. */
  function readSentence(demand: string): string | undefined {
    const value = form.current && new FormData(form.current).get('reason');
    const sentence = typeof value === 'string' ? value.trim() : '';
    const isLongEnough = sentence.length >= FLAG_LIMITS.sentenceCharactersMin;
    setProblem(
      isLongEnough ? undefined : `${demand} at least ${FLAG_LIMITS.sentenceCharactersMin} characters.`,
    );
    return isLongEnough ? sentence : undefined;
  }

  return { form, problem, readSentence };
}

function Verdicts({ lap, others, deciding }: LapCardProps) {
  const [isWholeSession, setIsWholeSession] = useState(false);
  const { form, problem, readSentence } = useSentence();
  const decidedLaps: [FlaggedLap, ...FlaggedLap[]] = isWholeSession ? [lap, ...others] : [lap];
  const isAsked = lap.questions.some(({ answer }) => answer === null);

  function reject(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const reason = readSentence('Its driver gets the reason: please write');
    if (reason !== undefined) void deciding.decide(decidedLaps, 'reject', reason);
  }

  function ask(): void {
    const question = readSentence('Write the question:');
    if (question === undefined) return;
    form.current?.reset();
    void deciding.ask(lap, question);
  }

  return (
    <Form ref={form} className={styles['verdicts']} onSubmit={reject}>
      {others.length > 0 && (
        <Switch
          label={`Decide ${pluralize(others.length, 'other flagged lap')} of this session too`}
          hint={others.map(({ lapTimeMs }) => formatLapTime(lapTimeMs)).join(', ')}
          checked={isWholeSession}
          onChange={(event) => setIsWholeSession(event.currentTarget.checked)}
        />
      )}
      <Button
        variant="primary"
        pending={deciding.isBusy}
        onClick={() => void deciding.decide(decidedLaps, 'keep', null)}
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
      {!isAsked && (
        <Button pending={deciding.isBusy} onClick={ask}>
          Ask the driver
        </Button>
      )}
    </Form>
  );
}
