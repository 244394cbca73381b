import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { formatLapTime } from '#engine/lap-time.ts';
import type { FileResult } from '#web/api/specified-answers/uploads.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { STATUS_LABELS } from './lap-file-queue.ts';
import styles from './upload-outcome.module.css';

type UploadOutcomeProps = { results: readonly FileResult[]; trackId: string; trackName: string };

/** The result of each file of the last upload, and a link to the board. */
export function UploadOutcome({ results, trackId, trackName }: UploadOutcomeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The form that had the focus is gone.
    heading.current?.focus();
  }, []);
  return (
    <Card as="section" className={styles['card']}>
      <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
        Uploaded to {trackName}
      </h2>
      <ul className={styles['list']}>
        {results.map((result, index) => (
          <li key={`${index} ${result.fileName}`} className={styles['result']}>
            {result.success ? (
              <CircleCheck size={20} aria-hidden="true" className={styles['done']} />
            ) : (
              <CircleAlert size={20} aria-hidden="true" className={styles['failed']} />
            )}
            <div>
              <p className={styles['name']}>{result.fileName}</p>
              <p className={styles['detail']}>{describeResult(result)}</p>
            </div>
            <Badge tone={result.success ? 'pb' : 'bad'}>
              {STATUS_LABELS[result.success ? 'uploaded' : 'error']}
            </Badge>
          </li>
        ))}
      </ul>
      <ButtonLink href={`/track/${encodeURIComponent(trackId)}`} className={styles['link']}>
        View {trackName} leaderboard
      </ButtonLink>
    </Card>
  );
}

function describeResult({ success, error, lapCount, bestLapTimeMs }: FileResult): string {
  if (!success) return error ?? '';
  const laps = lapCount === null ? 'Laps stored' : `${lapCount} ${lapCount === 1 ? 'lap' : 'laps'}`;
  return bestLapTimeMs === null ? laps : `${laps}, best ${formatLapTime(bestLapTimeMs)}`;
}
