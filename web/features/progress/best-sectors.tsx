import { useId } from 'react';
import { Link } from 'wouter';
import type { LapId, TrackId } from '#contract/ids.ts';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { Card } from '#web/ui/card.tsx';
import { formatDifference, formatSeconds, formatShortDate } from '#web/ui/format.ts';
import charts from './charts.module.css';
import { lapHref } from '#web/ui/lap-url.ts';
import { findLap } from './lap-names.ts';
import styles from './progress.module.css';

type BestSectorsProps = { driver: DriverLaps; trackId: TrackId };

/** Shows the best sectors, which add up to the theoretical best, each with its lap and with the same sector of the best lap. */
export function BestSectors({ driver, trackId }: BestSectorsProps) {
  const headingId = useId();
  const { bestSectors, theoreticalBestMs, best } = driver;
  if (bestSectors.length < 2 || theoreticalBestMs === null || !best) return null;
  const gaps = listSectorGaps(driver);
  const largestMs = Math.max(1, ...gaps.map(({ gapMs }) => gapMs ?? 0));
  return (
    <Card as="section" padded={false} aria-labelledby={headingId} className={charts['card']}>
      <div className={charts['head']}>
        <h2 id={headingId}>Best sectors</h2>
      </div>
      <table className={styles['sectors']}>
        <caption className="visually-hidden">The best sectors and the laps that they are from</caption>
        <thead>
          <tr>
            <th scope="col">Sector</th>
            <th scope="col">Best</th>
            <th scope="col">From</th>
            <th scope="col">Best lap</th>
            <th scope="col">To find, s</th>
            <th scope="col" className={styles['bar']}>
              <span className="visually-hidden">Bar</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {gaps.map((gap) => (
            <SectorRow key={gap.name} {...{ driver, trackId, gap, largestMs }} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Lap</th>
            <td className={styles['value']}>{formatLapTime(theoreticalBestMs)}</td>
            <td colSpan={2}>{formatLapTime(best.lapTimeMs)}</td>
            <td className={styles['value']}>{formatGap(best.lapTimeMs - theoreticalBestMs)}</td>
            <td className={styles['bar']} aria-hidden="true">
              <i />
            </td>
          </tr>
        </tfoot>
      </table>
    </Card>
  );
}

function SectorRow({ gap, largestMs, ...props }: BestSectorsProps & { gap: SectorGap; largestMs: number }) {
  const { name, timeMs, lapId, inBestMs, gapMs } = gap;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={styles['value']}>{formatSeconds(timeMs)}</td>
      <td>
        <SectorLap {...props} lapId={lapId} />
      </td>
      <td>{inBestMs === null ? '—' : formatSeconds(inBestMs)}</td>
      <td className={gapMs ? styles['value'] : styles['same']}>{formatGap(gapMs)}</td>
      <td className={styles['bar']} aria-hidden="true">
        <i style={{ width: `${(100 * (gapMs ?? 0)) / largestMs}%` }} />
      </td>
    </tr>
  );
}

function SectorLap({ driver, trackId, lapId }: BestSectorsProps & { lapId: LapId }) {
  const found = findLap(driver.sessions, lapId);
  if (!found) return null;
  return (
    <Link href={lapHref(trackId, { lapId, otherIds: [] })} className={charts['link']}>
      {formatShortDate(found.session.sessionDate)}, lap {found.lap.number}
    </Link>
  );
}

/** A best sector next to the same sector of the best lap; null where that is not known. */
type SectorGap = DriverLaps['bestSectors'][number] & { inBestMs: number | null; gapMs: number | null };

function listSectorGaps({ bestSectors, best }: DriverLaps): SectorGap[] {
  return bestSectors.map((sector, index) => {
    const inBestMs = best?.sectorTimesMs[index] ?? null;
    return { ...sector, inBestMs, gapMs: inBestMs === null ? null : inBestMs - sector.timeMs };
  });
}

function formatGap(gapMs: number | null): string {
  if (gapMs === null) return '—';
  return gapMs === 0 ? 'the same' : formatDifference(gapMs);
}

// More names than these would not fit into a line.
const NAMED_SECTORS_MAX = 3;

/** Says in which sectors there is time to find: 'S1 0.115 and S3 0.189 to find'; null where there is none. */
export function describeToFind(driver: DriverLaps): string | null {
  const gaps = listSectorGaps(driver).filter(({ gapMs }) => (gapMs ?? 0) > 0);
  const largest = gaps.toSorted((a, b) => (b.gapMs ?? 0) - (a.gapMs ?? 0)).slice(0, NAMED_SECTORS_MAX);
  const named = gaps
    .filter((gap) => largest.includes(gap))
    .map(({ name, gapMs }) => `${name} ${formatSeconds(gapMs ?? 0)}`);
  if (named.length === 0) return null;
  const joined = [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' and ');
  return gaps.length > named.length ? `most of it in ${joined}` : `${joined} to find`;
}
