import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import { Badge } from '#web/ui/badge.tsx';
import { QueryState } from '#web/ui/state-message.tsx';
import styles from '#web/ui/card-list.module.css';
import { formatBytes } from '#web/ui/format.ts';

const statusQuery = { ...apiQuery('GET /api/admin/operations'), staleTime: 0 };

/** Shows the version of the server, a newer one, and the usage of its disk, in a dialog. */
export function ServerCard() {
  const query = useQuery(statusQuery);
  const { data } = query;
  return (
    <>
      <QueryState noun="status" query={query} />
      {data && (
        <ul className={styles['list']}>
          <li className={styles['row']}>
            <div>
              <p className={styles['name']}>Pitboard {data.version}</p>
              {!data.update.isChecked && (
                <p className={styles['target']}>Set UPDATE_URL to hear of newer versions.</p>
              )}
            </div>
            {data.update.latest !== null && <Badge tone="warn">Version {data.update.latest} is out</Badge>}
          </li>
          {data.isBehindPooler && (
            <li className={styles['row']}>
              <div>
                <p className={styles['name']}>A pooler stands before the database</p>
                <p className={styles['target']}>
                  It passes no notifications, so live sessions are up to a second late and notices up to
                  three. Set DATABASE_DIRECT_URL to the address of the PostgreSQL server itself, and start
                  Pitboard again.
                </p>
              </div>
            </li>
          )}
          <li className={styles['row']}>
            <p className={styles['name']}>Free on the disk</p>
            <span>{formatBytes(data.disk.freeBytes)}</span>
          </li>
          <li className={styles['row']}>
            <p className={styles['name']}>Database</p>
            <span>{formatBytes(data.disk.databaseBytes)}</span>
          </li>
          <li className={styles['row']}>
            <p className={styles['name']}>Lap files, as they were sent</p>
            <span>{formatBytes(data.disk.lapFileBytes)}</span>
          </li>
        </ul>
      )}
    </>
  );
}
