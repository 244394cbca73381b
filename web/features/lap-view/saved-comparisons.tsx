import { useQuery } from '@tanstack/react-query';
import Pencil from 'lucide-react/icons/pencil';
import Trash2 from 'lucide-react/icons/trash';
import { useState } from 'react';
import { Link } from 'wouter';
import type { SavedComparison } from '#contract/lap-view/saved-comparisons.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { RetryLine } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { writeLapUrl } from '#web/ui/lap-url.ts';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { RenameComparison } from './rename-comparison.tsx';
import styles from './saved-comparisons.module.css';

/** Lists the comparisons that the viewer has saved; nothing where there are none. */
export function SavedComparisons() {
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/comparisons'));
  const [renamed, setRenamed] = useState<SavedComparison | null>(null);
  const { run, isBusy } = useCall('DELETE /api/comparisons/:comparisonId', {
    success: { title: 'Comparison Deleted' },
    failure: 'The comparison could not be deleted.',
  });
  if (isError)
    return <RetryLine onRetry={() => void refetch()}>Your comparisons could not be loaded.</RetryLine>;
  if (!data || data.length === 0) return null;
  return (
    <section className={styles['saved']}>
      <h2>Saved comparisons</h2>
      <ul>
        {data.map((comparison) => {
          const { id, name, trackId, trackName, configuration, lapIds, savedAt } = comparison;
          const [lapId, ...otherIds] = lapIds;
          const search = writeLapUrl(new URLSearchParams(), lapId ? { lapId, otherIds } : null);
          return (
            <li key={id}>
              <span>
                <Link href={`${trackHref(trackId)}?${search.toString()}`}>{name}</Link>
                <small>
                  <Facts facts={[trackName, configuration, formatLapDate(savedAt)]} />
                </small>
              </span>
              <IconButton
                label={`Rename the comparison ${name}`}
                icon={<Pencil size={16} />}
                onClick={() => setRenamed(comparison)}
              />
              <IconButton
                label={`Delete the comparison ${name}`}
                icon={<Trash2 size={16} />}
                disabled={isBusy}
                onClick={() => void run({ params: { comparisonId: id } })}
              />
            </li>
          );
        })}
      </ul>
      {renamed && <RenameComparison comparison={renamed} onClose={() => setRenamed(null)} />}
    </section>
  );
}
