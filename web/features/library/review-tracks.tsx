import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '#web/ui/button.tsx';
import { formatCount, pluralize } from '#web/ui/format.ts';
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts';
import { AdminCard } from '#web/ui/admin-card.tsx';
import { paginate, Pager, findPageIndex } from '#web/ui/pager.tsx';
import { FIELD_LABELS, fieldId, ReviewRowItem } from './review-row.tsx';
import common from '#web/ui/common.module.css';
import styles from './review-tracks.module.css';
import {
  findNextProblem,
  isReady,
  needsAttention,
  REVIEW_FIELDS,
  type RowField,
  type ReviewRow,
} from './track-review.ts';

type ReviewTracksProps = {
  rows: readonly ReviewRow[];
  isImporting: boolean;
  /** True if leaving the tab would lose edits. */
  hasEdits: boolean;
  onDiscard: () => void;
  onImport: () => void;
};

/** Shows the tracks of a file, each with fields to correct before it is imported. */
export function ReviewTracks(props: ReviewTracksProps) {
  const { rows, isImporting, hasEdits, onDiscard, onImport } = props;
  const [wantedPage, setWantedPage] = useState(0);
  const lastVisited = useRef<RowField | null>(null);
  const visit = useCallback((position: RowField) => {
    lastVisited.current = position;
  }, []);
  useUnsavedChangesGuard(hasEdits || isImporting);
  const shown = paginate(rows, wantedPage);

  function goToNextProblem(): void {
    const next = findNextProblem(rows, lastVisited.current);
    if (!next) return;
    const index = rows.findIndex(({ id }) => id === next.rowId);
    // The page must be rendered before an element on it can take the focus.
    flushSync(() => setWantedPage(findPageIndex(index)));
    document.getElementById(fieldId(next))?.focus();
  }

  return (
    <AdminCard
      title="Review Tracks"
      takesFocus
      lead="Fields with * are required. Tracks with problems stay here when the others are imported."
    >
      <ReviewBar
        rows={rows}
        isImporting={isImporting}
        onNextProblem={goToNextProblem}
        onDiscard={onDiscard}
        onImport={onImport}
      />
      <div className={styles['table']}>
        <div className={styles['head']} aria-hidden="true">
          <span className={styles['corner']} />
          {REVIEW_FIELDS.map((field) => (
            <span key={field}>{FIELD_LABELS[field]}</span>
          ))}
        </div>
        <ol>
          {shown.rows.map((row) => (
            <ReviewRowItem key={row.id} row={row} disabled={isImporting} onVisit={visit} />
          ))}
        </ol>
      </div>
      <Pager noun="tracks" page={shown} total={rows.length} onPage={setWantedPage} />
    </AdminCard>
  );
}

type ReviewBarProps = Pick<ReviewTracksProps, 'rows' | 'isImporting' | 'onDiscard' | 'onImport'> & {
  onNextProblem: () => void;
};

/** Shows the number of tracks and problems, and the actions. */
function ReviewBar({ rows, isImporting, onNextProblem, onDiscard, onImport }: ReviewBarProps) {
  const readyCount = rows.filter(isReady).length;
  const problemCount = rows.filter(needsAttention).length;
  return (
    <div className={styles['bar']}>
      <output className={styles['status']}>
        {pluralize(rows.length, 'track')}
        {problemCount > 0 && (
          <span className={common['bad']}>, {formatCount(problemCount)} with problems</span>
        )}
      </output>
      {problemCount > 0 && <Button onClick={onNextProblem}>Next Problem</Button>}
      <span className={styles['space']} />
      <Button variant="quiet" disabled={isImporting} onClick={onDiscard}>
        Discard
      </Button>
      <Button variant="primary" pending={isImporting} onClick={readyCount > 0 ? onImport : onNextProblem}>
        {isImporting ? 'Importing...' : importText(readyCount)}
      </Button>
    </div>
  );
}

function importText(readyCount: number): string {
  return readyCount === 0 ? 'Import Tracks' : `Import ${pluralize(readyCount, 'Track')}`;
}
