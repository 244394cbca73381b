import { useQuery, type QueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState, type ComponentType } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import type { SessionId, TrackId } from '#contract/ids.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { ApiError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import type { PageVisit } from '#web/api/page-visit.ts';
import { prefetchBoard } from '#web/features/boards/board-query.ts';
import { TrackTrust } from '#web/features/boards/track-trust.tsx';
import { Boards, prefetchSimulatorBoard } from '#web/features/boards/simulator-board.tsx';
import { TrackBoardSkeleton } from '#web/features/boards/track-board.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { readLapUrl, type LapUrl } from '#web/ui/lap-url.ts';
import { LapViewPart, loadLapView } from '#web/features/lap-view/lap-view-part.tsx';
import { prefetchLaps } from '#web/features/lap-view/lap-queries.ts';
import { LiveNow, prefetchLiveNow } from '#web/features/live/live-now.tsx';
import { prefetchTrackEvents, TrackEvents } from '#web/features/race-events/track-events.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { CircuitOutline } from '#web/ui/circuit-outline.tsx';
import { formatTrackLength } from '#web/ui/format.ts';
import { Page as PageColumn, PageTitle } from '#web/ui/page.tsx';
import { TrackOrigin } from '#web/ui/track-origin.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TrackPicture } from '#web/ui/picture.tsx';
import { EmptyState, FailedState } from '#web/ui/state-message.tsx';
import { isTrackId } from '#web/ui/url-ids.ts';
import { trackHref } from '#web/ui/page-hrefs.ts';
import styles from './track.module.css';

const PICTURE_BOX = { width: 340, height: 190, padding: 10 };

const trackQuery = (trackId: TrackId) => apiQuery('GET /api/tracks/:trackId', { params: { trackId } });

/** Fetches the track together with the laps that the URL names, or with its board. Below laps, the board loads after the page. */
export async function prefetch(queryClient: QueryClient, visit: PageVisit): Promise<void> {
  const { trackId } = visit.params;
  if (!isTrackId(trackId)) return;
  const lapUrl = readLapUrl(visit.search);
  const shownFirst = lapUrl
    ? [prefetchLaps(queryClient, trackId, lapUrl)]
    : [
        prefetchBoard(queryClient, trackId, visit),
        prefetchSimulatorBoard(queryClient, trackId),
        prefetchLiveNow(queryClient, trackId),
        prefetchTrackEvents(queryClient, trackId),
      ];
  await Promise.all([queryClient.prefetchQuery(trackQuery(trackId)), ...shownFirst]);
}

/** Loads what only a page with an open lap needs. */
export async function loadParts(search: URLSearchParams): Promise<void> {
  if (readLapUrl(search)) await loadLapView();
}

/** Shows a track and its board, below the laps that the URL names. */
export function Page() {
  const { trackId } = useParams();
  return (
    <PageColumn>
      {isTrackId(trackId) ? <TrackWithBoard key={trackId} trackId={trackId} /> : <TrackNotFound />}
    </PageColumn>
  );
}

function TrackWithBoard({ trackId }: { trackId: TrackId }) {
  const { data: track, error, refetch } = useQuery(trackQuery(trackId));
  const [search] = useSearchParams();
  const lapUrl = useMemo(() => readLapUrl(search), [search]);
  useMergedTrackRedirect(track, trackId);
  if (track) {
    return (
      <>
        {lapUrl === null && <LiveNow trackId={track.id} />}
        <div className={styles['layout']}>
          {lapUrl ? <OpenedLaps track={track} lapUrl={lapUrl} /> : <TrackHead track={track} />}
          <Boards trackId={track.id} trackName={track.name} />
          <TakeAlongPart trackId={track.id} />
          <TrackTrust trackId={track.id} />
          <TrackOrigin origin={track.origin} />
        </div>
      </>
    );
  }
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return <TrackNotFound />;
  if (!error) return <TrackPageSkeleton />;
  return (
    <>
      <PageTitle className="visually-hidden">Track</PageTitle>
      <FailedState title="The track could not be loaded." onRetry={() => void refetch()} />
    </>
  );
}

/** Redirects from a merged track to the URL of the track that replaced it. */
function useMergedTrackRedirect(track: Track | undefined, trackId: TrackId): void {
  const [, navigate] = useLocation();
  const mergedInto = track && track.id !== trackId ? track.id : null;
  useEffect(() => {
    if (mergedInto === null) return;
    navigate(`${trackHref(mergedInto)}${window.location.search}`, { replace: true });
  }, [mergedInto, navigate]);
}

// Only drivers with a lap of their own on the page can edit, so the dialog loads on demand.
const EditSession = lazy(async () => ({
  default: (await import('#web/features/sessions/edit-session.tsx')).EditSession,
}));

/** Offers the track for drives. It is below the board and loads after the page; without a network there is nothing to take. */
function TakeAlongPart({ trackId }: { trackId: TrackId }) {
  const [TakeAlong, setTakeAlong] = useState<ComponentType<{ trackId: TrackId }> | null>(null);
  useEffect(() => {
    let isShown = true;
    const load = async () => {
      const part = await import('#web/features/drive/take-along.tsx').catch(() => null);
      if (isShown && part !== null) setTakeAlong(() => part.TakeAlong);
    };
    void load();
    return () => {
      isShown = false;
    };
  }, []);
  return <div className={styles['takeAlong']}>{TakeAlong !== null && <TakeAlong trackId={trackId} />}</div>;
}

function OpenedLaps({ track, lapUrl }: { track: Track; lapUrl: LapUrl }) {
  const [editedId, setEditedId] = useState<SessionId | null>(null);
  return (
    <>
      <LapViewPart track={track} lapUrl={lapUrl} onEdit={setEditedId} />
      {editedId !== null && (
        <Suspense fallback={null}>
          <EditSession sessionId={editedId} onClose={() => setEditedId(null)} />
        </Suspense>
      )}
    </>
  );
}

function TrackHead({ track }: { track: Track }) {
  const facts = [
    track.location || 'Location not set',
    track.country,
    track.lengthMeters && formatTrackLength(track.lengthMeters),
  ];
  return (
    <>
      <header className={styles['head']}>
        <p className={styles['place']}>
          <Facts facts={facts} />
        </p>
        <div className={styles['title']}>
          <PageTitle>{track.name}</PageTitle>
          {track.configuration && <Badge className={styles['layoutName']}>{track.configuration}</Badge>}
        </div>
        <TrackEvents trackId={track.id} />
      </header>
      <div className={styles['picture']}>
        <CircuitOutline track={track} showsSectors box={PICTURE_BOX} />
      </div>
    </>
  );
}

function TrackPageSkeleton() {
  return (
    <div className={styles['layout']}>
      <div className={styles['head']}>
        <h1 className="visually-hidden">Track</h1>
        <output className={styles['place']}>Loading track...</output>
        <div className={styles['title']}>
          <Skeleton width="min(100%, 24rem)" height="var(--t-3xl)" />
        </div>
      </div>
      <div className={styles['picture']} />
      <TrackBoardSkeleton />
    </div>
  );
}

function TrackNotFound() {
  return (
    <>
      <PageTitle className="visually-hidden">Track not found</PageTitle>
      <EmptyState
        title="Track not found"
        picture={<TrackPicture />}
        actions={<ButtonLink href="/leaderboards">Explore Leaderboards</ButtonLink>}
      />
    </>
  );
}
