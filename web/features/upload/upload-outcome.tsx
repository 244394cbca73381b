import type { TrackId } from '#contract/ids.ts';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleCheck from 'lucide-react/icons/circle-check';
import { useId, useLayoutEffect, useRef } from 'react';
import type { UploadBest } from '#contract/upload/schemas.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatSeconds } from '#web/ui/format.ts';
import { LapTime } from '#web/ui/lap-time.tsx';
import { lapHref } from '#web/ui/lap-url.ts';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { describeImprovement, describeRank, listComparedLaps, listSectorGains } from './describe-best.ts';
import { STATUS_LABELS } from './lap-file-queue.ts';
import common from '#web/ui/common.module.css';
import styles from './upload-outcome.module.css';
import { describeResult } from './upload-results.ts';
import type { TrackOutcome } from './upload-state.ts';
import { useUploadState } from './use-upload.ts';

/** Shows the outcomes of the last upload, above what has been chosen since, until some of it is processed. */
export function UploadOutcomes({ findTrackName }: { findTrackName: (id: TrackId) => string }) {
  const { outcomes, queue } = useUploadState();
  if (queue.some(({ status }) => status !== 'ready')) return null;
  return outcomes.map((outcome) => (
    <UploadOutcome key={outcome.trackId} outcome={outcome} trackName={findTrackName(outcome.trackId)} />
  ));
}

type UploadOutcomeProps = { outcome: TrackOutcome; trackName: string };

/** Shows the outcome of the last upload on a track: the rank on the board, what improved, and the result of each file. */
function UploadOutcome({ outcome: { trackId, results, best }, trackName }: UploadOutcomeProps) {
  const lapId =
    best?.lapId ?? results.find(({ simulatedLapId }) => simulatedLapId !== undefined)?.simulatedLapId;
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // The form that had the focus has disappeared.
    heading.current?.focus();
  }, []);
  return (
    <Card as="section" className={common['stack']}>
      <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
        Uploaded to {trackName}
      </h2>
      {best && <Best best={best} />}
      <ul className={styles['list']}>
        {results.map((result, index) => (
          <li key={`${index} ${result.file}`} className={styles['result']}>
            {result.success ? (
              <CircleCheck size={20} aria-hidden="true" className={styles['done']} />
            ) : (
              <CircleAlert size={20} aria-hidden="true" className={common['bad']} />
            )}
            <div>
              <p className={styles['name']}>{result.file}</p>
              <p className={styles['detail']}>{describeResult(result)}</p>
            </div>
            <Badge tone={result.success ? 'pb' : 'bad'}>
              {STATUS_LABELS[result.success ? 'uploaded' : 'error']}
            </Badge>
          </li>
        ))}
      </ul>
      <div className={styles['links']}>
        {lapId !== undefined && (
          <ButtonLink
            href={lapHref(trackId, { lapId, otherIds: [] })}
            variant="primary"
            className={styles['link']}
          >
            Look into the lap
          </ButtonLink>
        )}
        <ButtonLink href={trackHref(trackId)} className={styles['link']}>
          View {trackName} leaderboard
        </ButtonLink>
      </div>
      {best && <Comparisons best={best} trackId={trackId} />}
    </Card>
  );
}

/** Shows the driver's best lap on the track, as it is now. */
function Best({ best }: { best: UploadBest }) {
  const { lapTimeMs, isRecord, isNew, ahead } = best;
  const gains = listSectorGains(best);
  return (
    <div className={common['lines']}>
      <p className={styles['rank']}>
        <span>{describeRank(best)}</span>
        <LapTime lapTimeMs={lapTimeMs} className={classNames(styles['time'], isRecord && styles['record'])} />
        {isRecord && isNew && <Badge tone="best">Track record!</Badge>}
      </p>
      <p className={styles['detail']}>
        {ahead && `${formatSeconds(lapTimeMs - ahead.lapTimeMs)} s behind ${ahead.userName}. `}
        {describeImprovement(best)}
      </p>
      {gains.length > 0 && (
        <ul aria-label="Sectors that improved" className={styles['gains']}>
          {gains.map(({ name, gainMs }) => (
            <li key={name}>
              <Badge tone="pb">
                {name} −{formatSeconds(gainMs)} s
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Comparisons({ best, trackId }: { best: UploadBest; trackId: TrackId }) {
  const compared = listComparedLaps(best);
  const id = useId();
  if (compared.length === 0) return null;
  return (
    <div className={styles['compare']}>
      <span id={id}>Compare with…</span>
      <ul aria-labelledby={id}>
        {compared.map(({ lapId, label, lapUrl }) => (
          <li key={lapId}>
            <ButtonLink href={lapHref(trackId, lapUrl)} size="small">
              {label}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
