import type { LapId } from '#contract/ids.ts';
import { useState } from 'react';
import type { FlaggedLap } from '#contract/moderation/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { describeAge, describeShortly, measureBar } from './describe-flag.ts';
import styles from './moderation.module.css';

type QueueListProps = {
  laps: readonly FlaggedLap[];
  shownId: LapId | undefined;
  onChoose: (lapId: LapId) => void;
};

/** Lists the laps that wait, each with its figure against the limit. */
export function QueueList({ laps, shownId, onChoose }: QueueListProps) {
  const [nowMs] = useState(() => Date.now());
  return (
    <ul className={styles['queue']} aria-label="Flagged laps">
      {laps.map((lap) => (
        <li key={lap.lapId}>
          <button
            type="button"
            aria-current={lap.lapId === shownId ? 'true' : undefined}
            onClick={() => onChoose(lap.lapId)}
          >
            <b>{lap.userName}</b>
            <span className={styles['time']}>{formatLapTime(lap.lapTimeMs)}</span>
            <span className={styles['why']}>{describeLap(lap)}</span>
            <small>{describeAge(lap.openSince, nowMs)}</small>
            <Bar lap={lap} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Describes the flag with a figure, or the oldest one, and how many others there are. */
function describeLap({ flags }: FlaggedLap): string {
  const shown = flags.find(({ measure }) => measure !== null) ?? flags[0];
  if (!shown) return '';
  return `${describeShortly(shown)}${flags.length > 1 ? ` and ${flags.length - 1} more` : ''}`;
}

function Bar({ lap: { flags } }: { lap: FlaggedLap }) {
  const measure = flags.find((flag) => flag.measure !== null)?.measure;
  if (!measure) return null;
  const { found, limit } = measureBar(measure);
  return (
    <span className={styles['bar']} aria-hidden="true">
      <i style={{ width: `${100 * found}%` }} />
      <u style={{ left: `${100 * limit}%` }} />
    </span>
  );
}
