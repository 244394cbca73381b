import { useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import Play from 'lucide-react/icons/play';
import { useState, type ReactNode, type RefObject } from 'react';
import type { FlaggedLap } from '#contract/moderation/schemas.ts';
import { tireLabel } from '#contract/laps/labels.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { buttonClassName, ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { formatLapDate, pluralize } from '#web/ui/format.ts';
import { formatUncertainty } from '#web/ui/lap-time.tsx';
import { lapHref } from '#web/ui/lap-url.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { FailedState } from '#web/ui/state-message.tsx';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import { ComparedTable } from './compared-table.tsx';
import type { Deciding } from './decide-flagged-laps.ts';
import { describeFully, type Flag } from './describe-flag.ts';
import { EvidenceCurve } from './evidence-curve.tsx';
import { EvidenceGroups } from './evidence-groups.tsx';
import { EvidenceMap } from './evidence-map.tsx';
import { Verdicts } from './verdicts.tsx';
import evidenceStyles from './evidence.module.css';
import styles from './moderation.module.css';

type DetailProps = {
  lap: FlaggedLap;
  others: readonly FlaggedLap[];
  deciding: Deciding;
  /** Takes the focus when the lap is decided. */
  focusAfter: RefObject<HTMLElement | null>;
};

/** Shows a flagged lap with the evidence for the reason, and decides on it. */
export function FlaggedLapDetail({ lap, others, deciding, focusAfter }: DetailProps) {
  const { lapTimeMs, userName, flags, whyNot } = lap;
  const [chosen, setChosen] = useState(0);
  useFocusAfter(focusAfter);
  const flag = flags[chosen] ?? flags[0];
  return (
    <Card as="article" className={styles['detail']} aria-label={`${formatLapTime(lapTimeMs)} by ${userName}`}>
      <Top lap={lap} />
      <ul className={styles['reasons']}>
        {flags.map((one, index) => (
          <Reason
            key={`${one.flaggedAt} ${one.reason}`}
            flag={one}
            lap={lap}
            isShown={one === flag}
            onShow={flags.length > 1 ? () => setChosen(index) : null}
          />
        ))}
      </ul>
      <Evidence lap={lap} reason={flag?.reason}>
        <Questions lap={lap} />
        {whyNot === null ? (
          <Verdicts lap={lap} others={others} deciding={deciding} />
        ) : (
          <p className={styles['whyNot']}>{whyNot}</p>
        )}
      </Evidence>
      <History lap={lap} />
    </Card>
  );
}

function Top({ lap }: { lap: FlaggedLap }) {
  const { trackId, lapId, lapTimeMs, userName, isRejected, trackName, videoUrl, whyNot } = lap;
  return (
    <header className={styles['top']}>
      <div>
        <h2>
          {formatLapTime(lapTimeMs)} <span>{userName}</span>
          {isRejected && <Badge tone="bad">Rejected</Badge>}
        </h2>
        <p>{trackName}</p>
        <p>{listFacts(lap).join(', ')}</p>
      </div>
      <div className={styles['links']}>
        <ButtonLink href={lapHref(trackId, { lapId, otherIds: [] })} size="small">
          Open lap
        </ButtonLink>
        {whyNot === null && (
          <a
            href={`/api/admin/tracks/${trackId}/laps/${lapId}/lap-file`}
            download
            className={buttonClassName({ size: 'small' })}
            aria-label="Download the lap file"
          >
            <Download size={16} aria-hidden="true" />
            File
          </a>
        )}
        {videoUrl !== null && /^https?:/i.test(videoUrl) && (
          <a
            href={videoUrl}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClassName({ size: 'small' })}
            aria-label={`Video of ${userName}`}
          >
            <Play size={16} aria-hidden="true" />
            Video
          </a>
        )}
      </div>
    </header>
  );
}

function listFacts(lap: FlaggedLap): string[] {
  const { carName, tireCompound, sessionDate, rank, driverCount, uncertaintyMs, isRejected, reasons } = lap;
  return [
    carName,
    tireCompound && tireLabel(tireCompound),
    formatLapDate(sessionDate),
    isRejected ? null : `P${rank} of ${driverCount}`,
    `${formatUncertainty(uncertaintyMs)} s`,
    reasons.length > 0 && `found by the engine: ${reasons.join(', ').replaceAll('_', ' ')}`,
  ].filter((fact) => typeof fact === 'string');
}

type ReasonProps = { flag: Flag; lap: FlaggedLap; isShown: boolean; onShow: (() => void) | null };

function Reason({ flag, lap, isShown, onShow }: ReasonProps) {
  const by = flag.userName === null ? 'Automatic check' : flag.userName;
  return (
    <li data-shown={isShown}>
      <h3>{describeFully(flag)}</h3>
      <p>
        {by}, {formatLapDate(flag.flaggedAt)}.
        {isShown && !lap.isRejected && ' The lap counts until somebody decides.'}
        {onShow && !isShown && (
          <button type="button" onClick={onShow}>
            Show this one
          </button>
        )}
      </p>
    </li>
  );
}

type EvidenceProps = { lap: FlaggedLap; reason: Flag['reason'] | undefined; children: ReactNode };

/** Shows the picture of the reason above the decision, and the laps that the reason is about below it. */
function Evidence({ lap, reason, children }: EvidenceProps) {
  const { trackId, lapId, lapTimeMs } = lap;
  const { data, isError, refetch } = useQuery(
    apiQuery('GET /api/admin/tracks/:trackId/laps/:lapId/evidence', {
      params: { trackId, lapId },
      query: { ...(reason && { reason }) },
    }),
  );
  return (
    <>
      {isError && !data && (
        <FailedState title="The evidence could not be loaded." onRetry={() => void refetch()} />
      )}
      {!isError && !data && <Skeleton height={460} />}
      {data && (
        <div className={evidenceStyles['evidence']}>
          {data.curve ? (
            <EvidenceCurve curve={data.curve} />
          ) : (
            <EvidenceGroups groups={data.groups} lapTimeMs={lapTimeMs} />
          )}
          <EvidenceMap evidence={data} />
        </div>
      )}
      {/* Buttons that are here before the evidence would move when it comes. */}
      {(data || isError) && children}
      {data && <ComparedTable lap={lap} evidence={data} />}
    </>
  );
}

function Questions({ lap: { questions } }: { lap: FlaggedLap }) {
  if (questions.length === 0) return null;
  return (
    <ul className={styles['questions']}>
      {questions.map(({ question, askedAt, answer }) => (
        <li key={askedAt}>
          <strong>Asked on {formatLapDate(askedAt)}</strong>: “{question}”{' '}
          {answer === null ? 'Waiting for the answer.' : `The driver: “${answer}”`}
        </li>
      ))}
    </ul>
  );
}

function History({ lap: { history, isRejected } }: { lap: FlaggedLap }) {
  if (history.length === 0) return null;
  return (
    <details className={styles['history']} open={isRejected}>
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
