import { useQuery } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { useRef, useState } from 'react';
import { Link } from 'wouter';
import type { SavedComparison } from '#contract/lap-view/saved-comparisons.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { IconButton } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { RetryLine } from '#web/ui/state-message.tsx';
import { writeLapUrl } from '#web/ui/lap-url.ts';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { RenameComparison } from './rename-comparison.tsx';
import styles from './saved-comparisons.module.css';

/** Lists the comparisons that the viewer has saved; nothing where there are none. */
export function SavedComparisons() {
  const saved = useRef<HTMLDivElement>(null);
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/comparisons'));
  const [renamed, setRenamed] = useState<SavedComparison | null>(null);
  const [removed, setRemoved] = useState<SavedComparison | null>(null);
  return (
    <div ref={saved} tabIndex={-1}>
      {isError && !data && (
        <RetryLine onRetry={() => void refetch()}>Your comparisons could not be loaded.</RetryLine>
      )}
      {data && data.length > 0 && (
        <section className={styles['saved']}>
          <h2>Saved comparisons</h2>
          <ul>
            {data.map((comparison) => (
              <ComparisonRow
                key={comparison.id}
                comparison={comparison}
                onRename={() => setRenamed(comparison)}
                onDelete={() => setRemoved(comparison)}
              />
            ))}
          </ul>
        </section>
      )}
      {renamed && <RenameComparison comparison={renamed} onClose={() => setRenamed(null)} />}
      {removed && (
        <ConfirmDialog
          title="Delete this comparison?"
          confirmText="Delete"
          focusAfter={saved}
          onConfirm={(send) =>
            send('DELETE /api/comparisons/:comparisonId', { params: { comparisonId: removed.id } })
          }
          success={{ title: 'Comparison Deleted' }}
          onClose={() => setRemoved(null)}
        >
          <p>{removed.name} is deleted. Its laps stay.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

type ComparisonRowProps = { comparison: SavedComparison; onRename: () => void; onDelete: () => void };

function ComparisonRow({ comparison, onRename, onDelete }: ComparisonRowProps) {
  const { name, trackId, trackName, configuration, lapIds, savedAt } = comparison;
  const [lapId, ...otherIds] = lapIds;
  const search = writeLapUrl(new URLSearchParams(), lapId ? { lapId, otherIds } : null);
  return (
    <li>
      <span>
        <Link href={`${trackHref(trackId)}?${search.toString()}`}>{name}</Link>
        <small>
          <Facts facts={[trackName, configuration, formatLapDate(savedAt)]} />
        </small>
      </span>
      <IconButton label={`Rename the comparison ${name}`} icon={<Pencil size={16} />} onClick={onRename} />
      <IconButton label={`Delete the comparison ${name}`} icon={<Trash2 size={16} />} onClick={onDelete} />
    </li>
  );
}
