import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { classNames } from '#web/ui/class-names.ts';
import { formatCount, formatDifference, formatLapDate, formatSeconds } from '#web/ui/format.ts';
import { describeToFind } from './best-sectors.tsx';
import charts from './charts.module.css';
import { lapHref } from '#web/ui/lap-url.ts';
import { findLap, listCarFacts } from './lap-names.ts';
import styles from './progress.module.css';

type FiguresProps = { driver: DriverLaps; trackId: TrackId };

/** Shows the best lap with its place, the theoretical best and the spread of the last stint in one line. */
export function Figures({ driver, trackId }: FiguresProps) {
  return (
    <dl className={styles['figures']}>
      <BestLap {...{ driver, trackId }} />
      <TheoreticalBest driver={driver} />
      <LastSpread driver={driver} />
    </dl>
  );
}

type FigureProps = {
  name: string;
  value: string;
  aside?: ReactNode;
  note: ReactNode;
  isBest?: boolean;
};

function Figure({ name, value, aside, note, isBest = false }: FigureProps) {
  return (
    <div className={classNames(styles['figure'], isBest && styles['personalBest'])}>
      <dt>{name}</dt>
      <dd className={styles['figureValue']}>
        <b>{value}</b>
        {aside && <span>{aside}</span>}
      </dd>
      <dd className={styles['figureNote']}>{note}</dd>
    </div>
  );
}

function BestLap({ driver: { best, places, sessions }, trackId }: FiguresProps) {
  const found = best && findLap(sessions, best.lapId);
  if (!found) return <Figure name="Best" value="N/A" note="No lap counts yet." />;
  const { lap, session } = found;
  const place = places.find(({ scope }) => scope === 'board');
  const aside = place && (
    <>
      P{place.rank} <i>of {formatCount(place.drivers)}</i>
    </>
  );
  const note = (
    <>
      <Link href={lapHref(trackId, { lapId: lap.lapId, otherIds: [] })} className={charts['link']}>
        Lap {lap.number}, {formatLapDate(session.sessionDate)}
      </Link>
      {listCarFacts(session).map((fact) => ` · ${fact}`)}
    </>
  );
  return <Figure name="Best" value={formatLapTime(lap.lapTimeMs)} {...{ aside, note }} isBest />;
}

function TheoreticalBest({ driver }: { driver: DriverLaps }) {
  const { best, sectorNames, theoreticalBestMs } = driver;
  const name = 'Theoretical best';
  if (theoreticalBestMs === null) {
    const note =
      sectorNames.length > 1 ? 'Needs a clean lap with times of all sectors.' : 'This track has no sectors.';
    return <Figure name={name} value="N/A" note={note} />;
  }
  const toFind = describeToFind(driver);
  const gapMs = best ? theoreticalBestMs - best.lapTimeMs : 0;
  return (
    <Figure
      name={name}
      value={formatLapTime(theoreticalBestMs)}
      aside={gapMs < 0 && `${formatDifference(gapMs)} s`}
      note={
        toFind ??
        (gapMs === 0 ? 'The best lap has all the best sectors.' : 'The best lap lacks times of some sectors.')
      }
    />
  );
}

function LastSpread({ driver: { sessions } }: { driver: DriverLaps }) {
  const spread = sessions[0]?.spread ?? null;
  const name = 'Spread of the last stint';
  if (spread === null || spread.spreadMs === null) {
    return <Figure name={name} value="N/A" note="Needs five clean laps in the latest session." />;
  }
  const { spreadMs, lapCount, medianMs } = spread;
  return (
    <Figure
      name={name}
      value={`±${formatSeconds(spreadMs)} s`}
      note={`Half of ${lapCount} laps lie this close to ${formatLapTime(medianMs)}`}
    />
  );
}
