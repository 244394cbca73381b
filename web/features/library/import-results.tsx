import { useState } from 'react';
import { Link } from 'wouter';
import { Badge, type BadgeTone } from '#web/ui/badge.tsx';
import { formatCount } from '#web/ui/format.ts';
import common from '#web/ui/common.module.css';
import table from '#web/ui/table.module.css';
import { Headings, Table } from '#web/ui/table.tsx';
import { AdminCard } from '#web/ui/admin-card.tsx';
import styles from '#web/ui/admin.module.css';
import { paginate, Pager } from '#web/ui/pager.tsx';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { TrackUpdate } from './track-update.tsx';
import { countResults, type TrackResult } from './track-import.ts';

const STATUS_BADGES: Record<TrackResult['status'], { label: string; tone: BadgeTone }> = {
  success: { label: 'Imported', tone: 'pb' },
  exists: { label: 'Exists', tone: 'neutral' },
  updated: { label: 'Updated', tone: 'pb' },
  error: { label: 'Failed', tone: 'bad' },
};

/** Shows the result of each track of the last import, in the order of the review. */
export function ImportResults({ results }: { results: readonly TrackResult[] }) {
  const [page, setPage] = useState(0);
  const shown = paginate(results, page);
  return (
    <AdminCard title="Import Results" lead={describeCounts(results)} takesFocus>
      <div>
        <Table
          caption="Results by track"
          head={<Headings columns={{ Row: '', Track: '', Location: 'wide', Result: '' }} />}
        >
          {shown.rows.map((result) => (
            <ResultRow key={result.row} result={result} />
          ))}
        </Table>
        <Pager noun="results" page={shown} total={results.length} onPage={setPage} />
      </div>
    </AdminCard>
  );
}

function ResultRow({ result }: { result: TrackResult }) {
  const { label, tone } = STATUS_BADGES[result.status];
  const { differences = [], trackId } = result;
  const name = result.name ?? `Track ${result.row}`;
  const location = [result.location, result.country].filter(Boolean).join(', ');
  return (
    <tr>
      <td className={table['row']}>{result.row}</td>
      <th scope="row">
        {trackId === undefined ? (
          name
        ) : (
          <Link href={trackHref(trackId)} className={styles['link']}>
            {name}
          </Link>
        )}
        <span className={table['part']}>{result.configuration}</span>
        <span className={table['under']}>{location}</span>
      </th>
      <td className={`${table['wide']} ${common['muted']}`}>{location}</td>
      <td>
        <Badge tone={tone}>{label}</Badge>
        <span className={table['part']}>{result.message}</span>
        {differences.length > 0 && <TrackUpdate {...{ result, name, differences }} />}
      </td>
    </tr>
  );
}

function describeCounts(results: readonly TrackResult[]): string {
  const { success, exists, updated, error } = countResults(results);
  const parts = [
    `${formatCount(success)} imported`,
    exists > 0 && `${formatCount(exists)} already in the library`,
    updated > 0 && `${formatCount(updated)} updated`,
    error > 0 && `${formatCount(error)} failed`,
  ];
  return `${parts.filter(Boolean).join(', ')}.`;
}
