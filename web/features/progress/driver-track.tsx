import { useQuery } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { TrackId, UserId } from '#contract/ids.ts';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Page, PageTitle } from '#web/ui/page.tsx';
import { ProgressPicture } from '#web/ui/picture.tsx';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import { trackHref } from '#web/ui/page-hrefs.ts';
import { BestSectors } from './best-sectors.tsx';
import charts from './charts.module.css';
import { Figures } from './figures.tsx';
import { compareFasterFirst, lapHref } from '#web/ui/lap-url.ts';
import { findLap, findRecord, type DrivenLap, type SessionLap } from './lap-names.ts';
import { PlaceStrip } from './place-strip.tsx';
import { driverLapsQuery } from './progress-queries.ts';
import styles from './progress.module.css';
import { SessionsChart } from './sessions-chart.tsx';
import { StintChart } from './stint-chart.tsx';

type DriverTrackProps = {
  trackId: TrackId;
  userId: UserId;
  driverName: string;
  /** The URL of the list of the driver's tracks. */
  backHref: string;
};

/** Shows how a driver has done on a track: sessions, the laps of one of them, the place on the board and the best sectors. */
export function DriverTrack({ trackId, userId, driverName, backHref }: DriverTrackProps) {
  const query = useQuery(driverLapsQuery(trackId, userId));
  const { data } = query;
  return (
    <Page className={styles['page']}>
      <div className={styles['crumb']}>
        <ButtonLink
          href={backHref}
          variant="quiet"
          className={styles['back']}
          aria-label="Back to all tracks"
        >
          <ArrowLeft size={20} aria-hidden="true" />
        </ButtonLink>
        <Link href={backHref} className={charts['link']}>
          {driverName}
        </Link>
      </div>
      <PageTitle
        documentTitle={data ? `${driverName} at ${data.trackName}` : driverName}
        className={styles['title']}
      >
        {data ? (
          <>
            <Link href={trackHref(trackId)}>{data.trackName}</Link>
            {data.trackConfiguration && <small>{data.trackConfiguration}</small>}
          </>
        ) : (
          'Laps and progress'
        )}
      </PageTitle>
      <QueryState noun="laps" query={query} />
      {data?.sessions.length === 0 && <EmptyState title="No laps here yet" picture={<ProgressPicture />} />}
      {data && data.sessions.length > 0 && <Progress driver={data} trackId={trackId} />}
    </Page>
  );
}

function Progress({ driver, trackId }: { driver: DriverLaps; trackId: TrackId }) {
  const { sessions, best } = driver;
  const [, navigate] = useLocation();
  const [sessionId, setSessionId] = useState<string | null>(null);
  const [chosenLap, setChosenLap] = useState<SessionLap | null>(null);
  const session = sessions.find((session) => session.sessionId === sessionId) ?? sessions[0];
  if (!session) return null;
  // A lap that was retimed or deleted meanwhile is not there any more.
  const chosen = chosenLap && findLap(sessions, chosenLap.lap.lapId);

  function chooseLap(lap: DrivenLap | null): void {
    const isOther = lap !== null && chosen !== null && lap.lapId !== chosen.lap.lapId;
    if (isOther && isRanking(lap) && isRanking(chosen.lap))
      navigate(lapHref(trackId, compareFasterFirst(chosen.lap, lap)));
    else setChosenLap(lap && session ? { lap, session } : null);
  }

  return (
    <>
      <Figures {...{ driver, trackId }} />
      <SessionsChart
        driver={driver}
        record={findRecord(driver)}
        chosenId={session.sessionId}
        onChoose={setSessionId}
      />
      <div className={styles['columns']}>
        <StintChart
          key={session.sessionId}
          {...{ trackId, session, chosen }}
          sectorNames={driver.sectorNames}
          bestLapId={best?.lapId ?? null}
          onChoose={chooseLap}
        />
        <div className={styles['side']}>
          <PlaceStrip {...{ driver, trackId }} />
          <BestSectors {...{ driver, trackId }} />
        </div>
      </div>
    </>
  );
}
