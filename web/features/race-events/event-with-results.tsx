import Download from 'lucide-react/icons/download';
import { lazy, Suspense, useMemo, useState } from 'react';
import { buttonClassName } from '#web/ui/button.tsx';
import { EventActions } from './event-actions.tsx';
import type { Asked } from './event-dialogs.tsx';
import { EventHead } from './event-head.tsx';
import { viewEvent, type EventAnswer } from './event-view.ts';
import { ResultsSections } from './results-sections.tsx';
import styles from './event-with-results.module.css';

const EventDialog = lazy(async () => ({ default: (await import('./event-dialogs.tsx')).EventDialog }));

/** Shows an event, its results and its entries, with the dialogs of those who take part and who run it. */
export function EventWithResults({ answer, signInHref }: { answer: EventAnswer; signInHref: string }) {
  const view = useMemo(() => viewEvent(answer), [answer]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const mayChangeEntries = view.mayOrganise && view.state !== 'official';
  return (
    <>
      <EventHead
        view={view}
        actions={<EventActions view={view} signInHref={signInHref} onAsk={setAsked} />}
      />
      <ResultsSections
        view={view}
        onEntry={mayChangeEntries ? (entry) => setAsked({ kind: 'entry', entry }) : undefined}
      />
      {view.hasRuns && (
        <div className={styles['files']}>
          <a className={buttonClassName({ size: 'small' })} href={`/api/events/${view.eventId}/results.csv`}>
            <Download size={16} aria-hidden="true" />
            CSV
          </a>
          <a className={buttonClassName({ size: 'small' })} href={`/api/events/${view.eventId}/results.json`}>
            <Download size={16} aria-hidden="true" />
            {view.state === 'official' ? 'Signed results' : 'JSON'}
          </a>
        </div>
      )}
      {asked && (
        <Suspense fallback={null}>
          <EventDialog view={view} asked={asked} onAsk={setAsked} />
        </Suspense>
      )}
    </>
  );
}
