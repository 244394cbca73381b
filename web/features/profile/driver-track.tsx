import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { LAP_REASON_MESSAGES, tireLabel } from '#contract/laps/labels.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { tracksQuery } from '#web/api/track-queries.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatLapDate, formatSeconds } from '#web/ui/format.ts';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import table from '#web/ui/table.module.css';
import styles from './driver-track.module.css';
import { driverLapsQuery } from './profile-queries.ts';
import { ProgressChart } from './progress-chart.tsx';
import { drawProgress } from './progress.ts';

type DriverTrackProps = {
  trackId: string;
  userId: string;
  /** The URL of the list of the driver's tracks. */
  backHref: string;
};

/** Shows all sessions and laps of a driver on one track. */
export function DriverTrack({ trackId, userId, backHref }: DriverTrackProps) {
  const tracks = useQuery(tracksQuery);
  const { data, isError, refetch } = useQuery(driverLapsQuery(trackId, userId));
  const name = tracks.data?.find(({ id }) => id === trackId)?.name ?? 'Track';
  return (
    <div className={styles['track']}>
      <div className={styles['head']}>
        <ButtonLink
          href={backHref}
          variant="quiet"
          className={styles['back']}
          aria-label="Back to all tracks"
        >
          <ArrowLeft size={20} aria-hidden="true" />
        </ButtonLink>
        <h2 className={styles['name']}>
          <Link href={`/track/${encodeURIComponent(trackId)}`}>{name}</Link>
        </h2>
      </div>
      {isError && <FailedState title="The laps could not be loaded." onRetry={() => void refetch()} />}
      {!data && !isError && <LoadingState>Loading laps...</LoadingState>}
      {data?.sessions.length === 0 && <EmptyState title="No laps here yet" />}
      {data && data.sessions.length > 0 && <Laps driver={data} trackId={trackId} />}
    </div>
  );
}

function Laps({ driver, trackId }: { driver: DriverLaps; trackId: string }) {
  const progress = useMemo(() => drawProgress(driver), [driver]);
  const { sessions } = driver;
  return (
    <>
      <Figures driver={driver} trackId={trackId} />
      {progress && (
        <ProgressChart
          progress={progress}
          firstDate={sessions.at(-1)?.sessionDate ?? ''}
          lastDate={sessions[0]?.sessionDate ?? ''}
        />
      )}
      <BestSectors driver={driver} trackId={trackId} />
      {sessions.map((session) => (
        <SessionLaps key={session.sessionId} {...{ session, trackId }} sectorNames={driver.sectorNames} />
      ))}
    </>
  );
}

function Figures({ driver, trackId }: { driver: DriverLaps; trackId: string }) {
  const { best, theoreticalBestMs, consistency } = driver;
  return (
    <dl className={styles['figures']}>
      <div>
        <dt>Best Lap</dt>
        <dd>{best ? <LapTimeLink {...best} trackId={trackId} /> : 'N/A'}</dd>
      </div>
      <div>
        <dt>Theoretical Best</dt>
        <dd>{theoreticalBestMs === null ? 'N/A' : formatLapTime(theoreticalBestMs)}</dd>
        {best && theoreticalBestMs !== null && theoreticalBestMs < best.lapTimeMs && (
          <dd className={styles['note']}>{formatSeconds(best.lapTimeMs - theoreticalBestMs)} s to find</dd>
        )}
      </div>
      <div>
        <dt>Consistency</dt>
        <dd>{consistency ? `${formatSeconds(consistency.spreadMs)} s` : 'N/A'}</dd>
        <dd className={styles['note']}>
          {consistency
            ? `Half of ${consistency.lapCount} laps lie this close around ${formatLapTime(consistency.medianMs)}`
            : 'From five laps on'}
        </dd>
      </div>
    </dl>
  );
}

/** Shows the best sectors, which add up to the theoretical best, each with its lap. */
function BestSectors({ driver, trackId }: { driver: DriverLaps; trackId: string }) {
  const { bestSectors, sessions, best } = driver;
  if (bestSectors.length < 2) return null;
  const laps = new Map(
    sessions.flatMap(({ laps, sessionDate }) =>
      laps.map((lap) => [lap.lapId, { lapTimeMs: lap.lapTimeMs, sessionDate }]),
    ),
  );
  return (
    <Card as="section" padded={false} className={styles['card']}>
      <h3 className={styles['heading']}>Best Sectors</h3>
      <table className={classNames(table['table'], styles['laps'])}>
        <caption className="visually-hidden">The best sectors and the laps that they are from</caption>
        <thead>
          <tr>
            <th scope="col">Sector</th>
            <th scope="col">Best</th>
            <th scope="col">In the best lap</th>
            <th scope="col">From the lap</th>
          </tr>
        </thead>
        <tbody>
          {bestSectors.map(({ name, timeMs, lapId }, sector) => {
            const lap = laps.get(lapId);
            const inBestMs = best?.sectorTimesMs[sector] ?? null;
            return (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{formatSeconds(timeMs)}</td>
                <td>{inBestMs === null ? '—' : formatSeconds(inBestMs)}</td>
                <td>
                  {lap && (
                    <>
                      <LapTimeLink trackId={trackId} lapId={lapId} lapTimeMs={lap.lapTimeMs} />
                      <span className={table['part']}>{formatLapDate(lap.sessionDate)}</span>
                    </>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}

type SessionLapsProps = {
  session: DriverLaps['sessions'][number];
  trackId: string;
  sectorNames: readonly string[];
};

function SessionLaps({ session, trackId, sectorNames }: SessionLapsProps) {
  const { sessionDate, carName, tireCompound, laps, bestLapId, isPrivate } = session;
  const facts = [carName, tireCompound && tireLabel(tireCompound), isPrivate && 'lines private'];
  return (
    <Card as="section" padded={false} className={styles['card']}>
      <h3 className={styles['heading']}>
        {formatLapDate(sessionDate)} <small>{facts.filter(Boolean).join(' · ')}</small>
      </h3>
      <table className={classNames(table['table'], styles['laps'])}>
        <caption className="visually-hidden">Laps of {formatLapDate(sessionDate)}</caption>
        <thead>
          <tr>
            <th scope="col">Lap</th>
            <th scope="col">Lap time</th>
            {sectorNames.map((name) => (
              <th key={name} scope="col" className={table['wide']}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {laps.map((lap) => (
            <tr key={lap.lapId}>
              <th scope="row">{lap.number}</th>
              <td>
                <span className={classNames(lap.lapId === bestLapId && styles['best'])}>
                  <LapTimeLink {...lap} trackId={trackId} />
                  {lap.lapId === bestLapId && <span className="visually-hidden"> best of the session</span>}
                </span>
                {!isRanking(lap) && (
                  <span className={table['part']}>
                    {['Does not count.', ...lap.reasons.map((reason) => LAP_REASON_MESSAGES[reason])].join(
                      ' ',
                    )}
                  </span>
                )}
              </td>
              {sectorNames.map((name, sector) => (
                <td key={name} className={table['wide']}>
                  {formatSector(lap.sectorTimesMs[sector] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

function formatSector(timeMs: number | null): string {
  return timeMs === null ? '—' : formatSeconds(timeMs);
}
