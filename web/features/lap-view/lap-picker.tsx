import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatCarName } from '#contract/laps/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { LapTime } from '#web/ui/lap-time.tsx';
import { LoadingState, RetryLine } from '#web/ui/state-message.tsx';
import styles from './lap-picker.module.css';

type LapPickerProps = {
  trackId: string;
  /** The laps that are already chosen. */
  chosenIds: readonly string[];
  onChoose: (lapId: string) => void;
  onClose: () => void;
};

/** Shows a dialog in which the reader chooses a lap of the board to compare with. */
export function LapPicker({ onClose, ...choices }: LapPickerProps) {
  return (
    <Dialog onClose={onClose} title="Compare with">
      <BoardLaps {...choices} />
    </Dialog>
  );
}

const PAGE_SIZE = 50;

function BoardLaps({ trackId, chosenIds, onChoose }: Omit<LapPickerProps, 'onClose'>) {
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { data, isError, refetch } = useQuery({
    ...apiQuery('GET /api/laps/track/:trackId/best', {
      params: { trackId },
      query: { limit, includeOwn: 'true' },
    }),
    placeholderData: (previous) => previous,
  });
  if (isError) {
    return <RetryLine onRetry={() => void refetch()}>The leaderboard could not be loaded.</RetryLine>;
  }
  if (!data) return <LoadingState>Loading leaderboard...</LoadingState>;
  return (
    <>
      <ul className={styles['laps']}>
        {data
          .filter(({ lapId }) => !chosenIds.includes(lapId))
          .map((record) => (
            <li key={record.lapId}>
              <button type="button" className={styles['lap']} onClick={() => onChoose(record.lapId)}>
                <span className={styles['rank']}>{record.rank}</span>
                <span className={styles['driver']}>
                  {record.userName}
                  <span className={styles['car']}>{formatCarName(record)}</span>
                </span>
                <LapTime lapTimeMs={record.lapTimeMs} className={styles['time']} />
              </button>
            </li>
          ))}
      </ul>
      {data.length >= limit && (
        <Button wide onClick={() => setLimit(limit + PAGE_SIZE)}>
          Load More
        </Button>
      )}
    </>
  );
}
