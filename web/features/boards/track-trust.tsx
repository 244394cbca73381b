import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { Answer } from '#web/api/call-api.ts';
import { Card } from '#web/ui/card.tsx';
import { formatLapDate, pluralize } from '#web/ui/format.ts';
import { useNearViewport } from '#web/ui/use-near-viewport.ts';
import common from '#web/ui/common.module.css';
import { trackHref } from '#web/ui/page-hrefs.ts';
import styles from './track-trust.module.css';

type Holder = Answer<'GET /api/laps/track/:trackId/record-history'>[number];

/** Shows how the laps of a board were verified, and who held the record since when. Loads near the viewport. */
export function TrackTrust({ trackId }: { trackId: TrackId }) {
  const { ref, isNear } = useNearViewport<HTMLDivElement>();
  return (
    <div ref={ref} className={styles['trust']}>
      {isNear && <ChecksAndHistory trackId={trackId} />}
    </div>
  );
}

function ChecksAndHistory({ trackId }: { trackId: TrackId }) {
  const params = { trackId };
  const checks = useQuery(apiQuery('GET /api/tracks/:trackId/checks', { params }));
  const history = useQuery(apiQuery('GET /api/laps/track/:trackId/record-history', { params }));
  // Both parts appear together: checks that arrive last would push the history down.
  if (checks.isPending || history.isPending) return null;
  return (
    <>
      {checks.data && <Checks {...checks.data} />}
      {history.data && <RecordHistory trackId={trackId} holders={history.data} />}
    </>
  );
}

function Checks({ checkedLapCount, openFlagDays }: Answer<'GET /api/tracks/:trackId/checks'>) {
  if (checkedLapCount === 0) return null;
  return (
    <p className={common['note']}>
      {pluralize(checkedLapCount, 'lap')} checked, {describeOpenFlags(openFlagDays)}
    </p>
  );
}

function describeOpenFlags(days: number | null): string {
  if (days === null) return 'no open flags';
  return `oldest open flag ${days < 1 ? 'from today' : `${pluralize(days, 'day')} old`}`;
}

// A history needs at least two records.
const RECORDS_MIN = 2;

function RecordHistory({ trackId, holders }: { trackId: TrackId; holders: readonly Holder[] }) {
  if (holders.length < RECORDS_MIN) return null;
  return (
    <Card as="section" className={common['list']} aria-label="Record history">
      <h2 className={common['heading']}>Record history</h2>
      <Steps holders={holders.toReversed()} />
      <ol className={styles['holders']}>
        {holders.map((holder, index) => (
          <HolderRow key={holder.lapId} trackId={trackId} holder={holder} next={holders[index - 1]} />
        ))}
      </ol>
    </Card>
  );
}

type HolderRowProps = { trackId: TrackId; holder: Holder; next: Holder | undefined };

function HolderRow({ trackId, holder, next }: HolderRowProps) {
  const { lapId, lapTimeMs, userName, carName, since } = holder;
  const until = next
    ? `${formatLapDate(since)} to ${formatLapDate(next.since)}`
    : `since ${formatLapDate(since)}`;
  return (
    <li className={styles['holder']}>
      <Link href={`${trackHref(trackId)}?lap=${lapId}`} className={styles['time']}>
        {formatLapTime(lapTimeMs)}
      </Link>
      <span className={styles['by']}>
        <span>{[userName, carName].filter(Boolean).join(', ')}</span>
        <span className={common['muted']}>{until}</span>
      </span>
    </li>
  );
}

const BOX = { width: 600, height: 96, margin: 6 };

/** Draws the record over time as a step function, from the first record to shortly after the latest. */
function Steps({ holders }: { holders: readonly Holder[] }) {
  const times = holders.map(({ since }) => Date.parse(since));
  const laps = holders.map(({ lapTimeMs }) => lapTimeMs);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const [low, high] = [Math.min(...laps), Math.max(...laps)];
  const end = last + (last - first) * 0.08;
  const { width, height, margin } = BOX;
  const x = (time: number) => margin + ((time - first) / Math.max(1, end - first)) * (width - 2 * margin);
  const y = (lap: number) => margin + ((high - lap) / Math.max(1, high - low)) * (height - 2 * margin);
  const points = holders.map(({ since, lapTimeMs }) => ({ x: x(Date.parse(since)), y: y(lapTimeMs) }));
  const path = points
    .map((point, index) => `${index === 0 ? `M${point.x}` : `H${point.x}V`} ${point.y}`)
    .join('');
  return (
    <svg className={styles['chart']} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={`${path}H${x(end)}`} className={styles['line']} />
      {points.map((point) => (
        <circle key={`${point.x} ${point.y}`} cx={point.x} cy={point.y} r={4} className={styles['dot']} />
      ))}
    </svg>
  );
}
