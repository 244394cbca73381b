import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useRef, type RefObject } from 'react';
import { useSearchParams } from 'wouter';
import type { LapId } from '#contract/ids.ts';
import type { FlaggedLap } from '#contract/moderation/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { FlagPicture } from '#web/ui/picture.tsx';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import { isLapId } from '#web/ui/url-ids.ts';
import { DecidedLast, DecidedLaps } from './decided-laps.tsx';
import { listDecidedTogether, useDeciding } from './decide-flagged-laps.ts';
import { FlaggedLapDetail } from './flagged-lap.tsx';
import { QueueList } from './queue-list.tsx';
import styles from './moderation.module.css';

const VIEWS = ['flags', 'appeals', 'decided'] as const;
type View = (typeof VIEWS)[number];
type Order = 'age' | 'position';

/** Shows what waits for moderators as a list with the evidence beside it, and what was decided. */
export function Moderation() {
  const [search, setSearch] = useSearchParams();
  const order: Order = search.get('order') === 'position' ? 'position' : 'age';
  const queue = useQuery({
    ...apiQuery('GET /api/admin/flagged-laps', { query: { order } }),
    // Others flag laps meanwhile.
    staleTime: 0,
  });
  const change = (values: Record<string, string | null>) =>
    setSearch(
      (before) => {
        for (const [name, value] of Object.entries(values))
          if (value === null) before.delete(name);
          else before.set(name, value);
        return before;
      },
      { replace: true },
    );
  const flags = queue.data?.filter((lap) => !isAppealed(lap));
  const appeals = queue.data?.filter(isAppealed);
  const view = VIEWS.find((one) => one === search.get('view')) ?? firstView(flags, appeals);
  const chosenId = search.get('flagged');
  const show = (view: View) => change({ view, flagged: null });
  return (
    <section aria-label="Moderation" className={styles['moderation']}>
      <Views view={view} counts={{ flags: flags?.length, appeals: appeals?.length }} onView={show} />
      {view === 'decided' ? (
        <DecidedLaps />
      ) : (
        <Queue
          query={queue}
          laps={view === 'appeals' ? appeals : flags}
          all={queue.data ?? []}
          view={view}
          order={order}
          chosenId={isLapId(chosenId) ? chosenId : null}
          onChange={change}
        />
      )}
    </section>
  );
}

/** Returns what is shown first: the flags, or the appeals where no flag waits. */
function firstView(flags?: readonly FlaggedLap[], appeals?: readonly FlaggedLap[]): View {
  return flags?.length === 0 && appeals?.length !== 0 ? 'appeals' : 'flags';
}

function isAppealed({ flags }: FlaggedLap): boolean {
  return flags.some(({ reason }) => reason === 'appeal');
}

type ViewsProps = {
  view: View;
  counts: Partial<Record<View, number | undefined>>;
  onView: (view: View) => void;
};

const VIEW_LABELS: Record<View, string> = { flags: 'Flags', appeals: 'Appeals', decided: 'Decided' };

function Views({ view, counts, onView }: ViewsProps) {
  return (
    <fieldset className={styles['views']}>
      <legend className="visually-hidden">What to show</legend>
      {VIEWS.map((one) => (
        <button key={one} type="button" aria-pressed={one === view} onClick={() => onView(one)}>
          {VIEW_LABELS[one]} <span>{counts[one]}</span>
        </button>
      ))}
    </fieldset>
  );
}

type QueueProps = {
  query: UseQueryResult<FlaggedLap[]>;
  laps: readonly FlaggedLap[] | undefined;
  /** The laps of both queues: one decision may cover several of a session. */
  all: readonly FlaggedLap[];
  view: View;
  order: Order;
  chosenId: LapId | null;
  onChange: (values: Record<string, string | null>) => void;
};

function Queue({ query, laps, ...props }: QueueProps) {
  return (
    <>
      <QueryState noun="flags" query={query} />
      {laps && <LoadedQueue laps={laps} {...props} />}
    </>
  );
}

type LoadedQueueProps = Omit<QueueProps, 'query' | 'laps'> & { laps: readonly FlaggedLap[] };

function LoadedQueue({ laps, all, view, order, chosenId, onChange }: LoadedQueueProps) {
  const decided = useRef<HTMLElement>(null);
  const deciding = useDeciding(() => {
    if (chosenId !== null) onChange({ flagged: null });
  });
  const chosen = laps.find(({ lapId }) => lapId === chosenId);
  const shown = chosen ?? laps[0];
  return (
    <div className={styles['columns']} data-chosen={chosen !== undefined || undefined}>
      <div className={styles['side']}>
        {laps.length > 1 && <OrderField order={order} onOrder={(order) => onChange({ order })} />}
        {laps.length > 0 && (
          <QueueList laps={laps} shownId={shown?.lapId} onChoose={(flagged) => onChange({ flagged })} />
        )}
        <DecidedLast list={decided} />
      </div>
      {shown ? (
        <div className={styles['main']}>
          <Back onBack={() => onChange({ flagged: null })} />
          <FlaggedLapDetail
            key={shown.lapId}
            lap={shown}
            others={listDecidedTogether(all, shown)}
            deciding={deciding}
            // The next Tab leads from this list to the decided lap and its Undo.
            focusAfter={decided}
          />
        </div>
      ) : (
        <Card className={styles['empty']}>
          <EmptyState
            title={view === 'appeals' ? 'No open appeals' : 'No open flags'}
            picture={<FlagPicture />}
          >
            {view === 'appeals'
              ? 'Drivers appeal once against a rejection; another moderator decides.'
              : 'Laps that drivers or the automatic checks flag are decided here. They rank until then.'}
          </EmptyState>
        </Card>
      )}
    </div>
  );
}

export type ListRef = RefObject<HTMLElement | null>;

function OrderField({ order, onOrder }: { order: Order; onOrder: (order: string | null) => void }) {
  return (
    <SelectField
      compact
      label="Order"
      value={order}
      onChange={(event) => onOrder(event.currentTarget.value === 'position' ? 'position' : null)}
    >
      <option value="age">Oldest flag first</option>
      <option value="position">Best position first</option>
    </SelectField>
  );
}

/** Leads back to the list where there is no room for both. */
function Back({ onBack }: { onBack: () => void }) {
  return (
    <Button variant="quiet" size="small" className={styles['back']} onClick={onBack}>
      <ArrowLeft size={16} aria-hidden="true" />
      All flagged laps
    </Button>
  );
}
