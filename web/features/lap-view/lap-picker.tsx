import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LapId, TrackId } from '#contract/ids.ts';
import type { TimePeriod } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { callApi } from '#web/api/call-api.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { LapTime } from '#web/ui/lap-time.tsx';
import { QueryState, RetryLine } from '#web/ui/state-message.tsx';
import { StatusBadge } from './lap-card.tsx';
import styles from './lap-picker.module.css';
import {
  filterLaps,
  listBoardLaps,
  listOwnLaps,
  listValues,
  NO_FILTER,
  type PickableLap,
  type PickerFilter,
} from './pickable-laps.ts';

type LapPickerProps = {
  trackId: TrackId;
  /** The laps that are already chosen. */
  chosenIds: readonly LapId[];
  onChoose: (lap: PickableLap) => void;
  onClose: () => void;
};

/** Shows a dialog in which the reader chooses a lap of the board, or any own one, to compare with. */
export function LapPicker({ onClose, ...choices }: LapPickerProps) {
  return (
    <Dialog closesOutside onClose={onClose} title="Compare with">
      <Choices {...choices} />
    </Dialog>
  );
}

function Choices({ trackId, chosenIds, onChoose }: Omit<LapPickerProps, 'onClose'>) {
  const [filter, setFilter] = useState(NO_FILTER);
  const [today] = useState(() => new Date());
  const board = useBoardLaps(trackId, filter !== NO_FILTER);
  const own = useOwnLaps(trackId);
  if (!board.laps) return <QueryState noun="leaderboard" query={board.query} />;
  const show = (laps: readonly PickableLap[]) =>
    filterLaps(
      laps.filter(({ lapId }) => !chosenIds.includes(lapId)),
      filter,
      today,
    );
  const [ownShown, boardShown] = [show(own), show(board.laps)];
  return (
    <>
      <PickerFields filter={filter} onChange={setFilter} laps={[...board.laps, ...own]} />
      {board.query.isError && (
        <RetryLine onRetry={board.retry}>Not all laps of the leaderboard could be loaded.</RetryLine>
      )}
      {ownShown.length > 0 && <LapList title="Your laps" laps={ownShown} onChoose={onChoose} />}
      {boardShown.length > 0 && <LapList title="Leaderboard" laps={boardShown} onChoose={onChoose} />}
      {ownShown.length + boardShown.length === 0 && <p className={styles['none']}>No lap fits.</p>}
    </>
  );
}

/** The server gives no more rows at once. */
const PAGE_SIZE = 500;

/** Returns the laps of the board; all of its pages where the reader searches. */
function useBoardLaps(trackId: TrackId, isFiltered: boolean) {
  const query = useInfiniteQuery({
    queryKey: ['api', 'laps', 'track', trackId, 'best', 'picker'],
    queryFn: ({ pageParam }): Promise<LapRecord[]> =>
      callApi('GET /api/laps/track/:trackId/best', {
        params: { trackId },
        query: { limit: PAGE_SIZE, offset: pageParam },
      }),
    initialPageParam: 0,
    getNextPageParam: (page, pages) => (page.length < PAGE_SIZE ? undefined : pages.length * PAGE_SIZE),
  });
  const { data, isError, refetch, hasNextPage, isFetching, fetchNextPage } = query;
  useEffect(() => {
    if (isFiltered && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isFiltered, hasNextPage, isFetching, isError, fetchNextPage]);
  const retry = () => void (hasNextPage ? fetchNextPage() : refetch());
  return { laps: data && listBoardLaps(data.pages.flat()), query, retry };
}

function useOwnLaps(trackId: TrackId): PickableLap[] {
  const { user } = useCurrentUser();
  const userIds = user ? [user.id] : [];
  const [own] = useQueries({
    queries: userIds.map((userId) =>
      apiQuery('GET /api/tracks/:trackId/drivers/:userId/laps', { params: { trackId, userId } }),
    ),
  });
  return own?.data ? listOwnLaps(own.data) : [];
}

const PERIOD_LABELS: Record<TimePeriod, string> = {
  'all-time': 'Any time',
  '1-month': 'Last month',
  '6-months': 'Last 6 months',
  '1-year': 'Last year',
};

type PickerFieldsProps = {
  filter: PickerFilter;
  onChange: (filter: PickerFilter) => void;
  laps: readonly PickableLap[];
};

function PickerFields({ filter, onChange, laps }: PickerFieldsProps) {
  const change = (changed: Partial<PickerFilter>) => onChange({ ...filter, ...changed });
  return (
    <div className={styles['fields']}>
      <TextField
        compact
        label="Search"
        type="search"
        placeholder="Driver, car or date"
        className={styles['search']}
        value={filter.text}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
      <Choice
        label="Class"
        value={filter.raceClass}
        options={listValues(laps, ({ raceClass }) => raceClass)}
        onChange={(raceClass) => change({ raceClass })}
      />
      <Choice
        label="Car"
        value={filter.car}
        options={listValues(laps, ({ car }) => car)}
        onChange={(car) => change({ car })}
      />
      <SelectField
        compact
        label="Driven"
        value={filter.period}
        onChange={({ currentTarget: { value } }) =>
          change({ period: PERIODS.find((period) => period === value) ?? 'all-time' })
        }
      >
        {PERIODS.map((period) => (
          <option key={period} value={period}>
            {PERIOD_LABELS[period]}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

const PERIODS = ['all-time', '1-month', '6-months', '1-year'] as const;

type ChoiceProps = {
  label: string;
  value: string;
  options: readonly string[];
  onChange: (value: string) => void;
};

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <SelectField
      compact
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      <option value="">Any</option>
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </SelectField>
  );
}

const SHOWN_COUNT = 50;

type LapListProps = { title: string; laps: readonly PickableLap[]; onChoose: (lap: PickableLap) => void };

function LapList({ title, laps, onChoose }: LapListProps) {
  const [count, setCount] = useState(SHOWN_COUNT);
  return (
    <section>
      <h3 className={styles['heading']}>{title}</h3>
      <ul className={styles['laps']} aria-label={title}>
        {laps.slice(0, count).map((lap) => (
          <li key={lap.lapId}>
            <button type="button" className={styles['lap']} onClick={() => onChoose(lap)}>
              <span className={styles['rank']}>{lap.rank}</span>
              <span className={styles['driver']}>
                {lap.title}
                <span className={styles['car']}>
                  <Facts facts={[lap.car, formatLapDate(lap.sessionDate)]} />
                </span>
                {lap.uncounted && (
                  <span>
                    <StatusBadge status={lap.uncounted} />
                  </span>
                )}
              </span>
              <LapTime lapTimeMs={lap.lapTimeMs} className={styles['time']} />
            </button>
          </li>
        ))}
      </ul>
      {laps.length > count && (
        <Button wide onClick={() => setCount(count + SHOWN_COUNT)}>
          Load More
        </Button>
      )}
    </section>
  );
}
