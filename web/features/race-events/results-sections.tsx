import { lazy, Suspense, useState } from 'react';
import { FlagPicture } from '#web/ui/picture.tsx';
import { EmptyState } from '#web/ui/state-message.tsx';
import { Card } from '#web/ui/card.tsx';
import { pluralize } from '#web/ui/format.ts';
import { EntriesTable } from './entries-table.tsx';
import type { EventView, ShownEntry, ShownRun } from './event-view.ts';
import { ResultsTable } from './results-table.tsx';
import styles from './results-sections.module.css';

const RunDialog = lazy(async () => ({ default: (await import('./run-dialog.tsx')).RunDialog }));

type SectionsProps = { view: EventView; onEntry: ((entry: ShownEntry) => void) | undefined };

/** Shows the results by class and over all, once there are runs, and the entries. */
export function ResultsSections({ view, onEntry }: SectionsProps) {
  const [opened, setOpened] = useState<{ run: ShownRun; entry: ShownEntry } | null>(null);
  const { classes, overall, hasRuns, entries } = view;
  const onRun = (run: ShownRun, entry: ShownEntry) => setOpened({ run, entry });
  if (entries.length === 0)
    return (
      <Card className={styles['none']}>
        <EmptyState title="No entries yet" picture={<FlagPicture />}>
          {view.state === 'open' ? 'Be the first to enter.' : 'Drivers are listed here once they enter.'}
        </EmptyState>
      </Card>
    );
  return (
    <>
      {hasRuns &&
        classes
          .filter(({ rows }) => rows.length > 0)
          .map(({ id, name, indexFactor, rows }) => (
            <section key={id} className={styles['section']} aria-label={`Results of class ${name}`}>
              <h2>
                {name}
                {indexFactor !== null && <small>Index {indexFactor}</small>}
              </h2>
              <ResultsTable caption={`Results of class ${name}`} view={view} rows={rows} onRun={onRun} />
            </section>
          ))}
      {hasRuns && overall !== null && classes.length > 1 && (
        <section className={styles['section']} aria-label="Overall results">
          <h2>Overall</h2>
          <ResultsTable caption="Overall results" view={view} rows={overall} isOverall onRun={onRun} />
        </section>
      )}
      {(!hasRuns || onEntry !== undefined) && (
        <section className={styles['section']} aria-label="Entries">
          <h2>
            Entries{' '}
            <small>{pluralize(entries.filter(({ isWithdrawn }) => !isWithdrawn).length, 'driver')}</small>
          </h2>
          <EntriesTable view={view} onEntry={onEntry} />
        </section>
      )}
      {opened !== null && (
        <Suspense fallback={null}>
          <RunDialog view={view} {...opened} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </>
  );
}
