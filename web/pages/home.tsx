import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '#contract/people/schemas.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import { prefetchFirstBoards, useBoardTracks } from '#web/features/boards/track-card-queries.ts';
import { HeroCircuit, prefetchHero } from '#web/features/boards/hero-circuit.tsx';
import { TrackCardGrid, TrackCardSkeletons } from '#web/features/boards/track-card.tsx';
import { LiveNow, prefetchLiveNow } from '#web/features/live/live-now.tsx';
import { EventsNow, prefetchEventsNow } from '#web/features/race-events/events-now.tsx';
import { FirstStepsOfClub, prefetchFirstSteps } from '#web/features/operations/first-steps.tsx';
import { FirstLap, prefetchFirstLap } from '#web/features/upload/first-lap.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { BoardPicture, FilePicture, ProgressPicture, TrackPicture } from '#web/ui/picture.tsx';
import { EmptyState, FailedState } from '#web/ui/state-message.tsx';
import styles from './home.module.css';

const TRACK_CARDS_MAX = 6;

const methodsQuery = apiQuery('GET /api/auth/sign-in-methods');

export async function prefetch(queryClient: QueryClient, { user }: PageVisit): Promise<void> {
  await Promise.all([
    prefetchBoards(queryClient),
    queryClient.prefetchQuery(methodsQuery),
    prefetchLiveNow(queryClient),
    prefetchEventsNow(queryClient),
    user.then((viewer) => viewer && prefetchSteps(queryClient, viewer)),
  ]);
}

function prefetchSteps(queryClient: QueryClient, { id, role }: Pick<User, 'id' | 'role'>): Promise<void> {
  return role === 'owner' ? prefetchFirstSteps(queryClient) : prefetchFirstLap(queryClient, id);
}

async function prefetchBoards(queryClient: QueryClient): Promise<void> {
  const track = await prefetchFirstBoards(queryClient);
  if (track && track.entryCount > 0) await prefetchHero(queryClient, track.id);
}

export function Page() {
  const { user } = useCurrentUser();
  return (
    <PageColumn>
      <Hero />
      <LiveNow />
      {user && (user.role === 'owner' ? <FirstStepsOfClub /> : <FirstLap userId={user.id} />)}
      <Features />
      <EventsNow className={styles['section']} headClassName={styles['sectionHead']} />
      <Boards />
      <Card as="section" className={styles['call']}>
        <div>
          <h2>Ready to Build Your Racing Identity?</h2>
          <p>Upload a lap file from your last track day. Your time is on the board in a minute.</p>
        </div>
        <ButtonLink href="/upload" variant="primary" size="large">
          Upload Your Lap
        </ButtonLink>
      </Card>
    </PageColumn>
  );
}

function Hero() {
  const clubName = useQuery(methodsQuery).data?.clubName ?? null;
  return (
    <section className={styles['hero']}>
      <div>
        {clubName !== null && <p className={styles['club']}>{clubName}</p>}
        <PageTitle documentTitle={clubName ?? 'Pitboard'} className={styles['headline']}>
          <span>Your Racing Hub. </span>
          <span>Every Lap. </span>
          <span>Every Rival.</span>
        </PageTitle>
        <p className={styles['lead']}>
          Drop a GPS lap file. Pitboard finds the track, times every lap to the millisecond with its
          uncertainty, and ranks your best one against every driver in a car like yours.
        </p>
        <div className={styles['actions']}>
          <ButtonLink href="/upload" variant="primary" size="large">
            Upload Your Lap
          </ButtonLink>
          <ButtonLink href="/leaderboards" size="large">
            Explore Leaderboards
          </ButtonLink>
        </div>
      </div>
      <HeroCircuit />
    </section>
  );
}

function Features() {
  return (
    <section className={styles['features']} aria-label="What Pitboard does">
      <Feature picture={<FilePicture />} title="Universal Data Import">
        Import CSV or GPX, the files of AiM, RaceChrono, Racelogic, MoTeC and other loggers, or the GPS of a
        GoPro video. Pitboard knows the format by its content, and the track by its GPS.
      </Feature>
      <Feature picture={<BoardPicture />} title="Cross-Platform Leaderboards">
        Every logger and app on one board per track, by car, class, drivetrain and tires. Compare up to four
        laps and see in which corner the time goes.
      </Feature>
      <Feature picture={<ProgressPicture />} title="Racing Identity">
        Your garage, your tracks and your progress from session to session on one profile, every lap time
        computed from its own file, with its uncertainty.
      </Feature>
    </section>
  );
}

function Feature({ picture, title, children }: { picture: ReactNode; title: string; children: string }) {
  return (
    <div className={styles['feature']}>
      {picture}
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

function Boards() {
  return (
    <section className={styles['section']} aria-labelledby="boards">
      <div className={styles['sectionHead']}>
        <h2 id="boards">Leaderboards</h2>
        <ButtonLink href="/leaderboards">View All Leaderboards</ButtonLink>
      </div>
      <BoardCards />
    </section>
  );
}

function BoardCards() {
  const { tracks, isError, refetch } = useBoardTracks();
  if (tracks?.length) return <TrackCardGrid tracks={tracks.slice(0, TRACK_CARDS_MAX)} />;
  if (tracks) return <EmptyState title="No tracks available yet" picture={<TrackPicture />} />;
  if (isError) return <FailedState title="The tracks could not be loaded." onRetry={() => void refetch()} />;
  return <TrackCardSkeletons />;
}
