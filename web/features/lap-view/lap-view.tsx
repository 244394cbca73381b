import { MapPinOff, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { LapView as LapAnswer } from '#contract/lap-view/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { EmptyState, FailedState } from '#web/ui/state-message.tsx';
import { ComparisonView } from './comparison-view.tsx';
import { COMPARED_LAPS_MAX, writeLapUrl, type LapUrl } from './lap-url.ts';
import { useLaps } from './lap-queries.ts';
import styles from './lap-view.module.css';
import { ShareButton } from './share-button.tsx';
import { SingleLap } from './single-lap.tsx';

// Most readers open laps by links, so the picker loads on demand.
const LapPicker = lazy(async () => ({ default: (await import('./lap-picker.tsx')).LapPicker }));

type ShownTrack = Pick<Track, 'id' | 'name' | 'configuration'>;

type LapViewProps = {
  track: ShownTrack;
  lapUrl: LapUrl;
  /** Opens what edits the session of an own lap. */
  onEdit: (sessionId: string) => void;
};

/** Shows one lap, or a comparison of up to four, above the board that they are from. */
export function LapView({ track, lapUrl, onEdit }: LapViewProps) {
  const { laps, isMissing, isError, retry } = useLaps(track.id, lapUrl);
  const key = [lapUrl.lapId, ...lapUrl.otherIds].join();
  return (
    <section className={styles['view']} aria-label="Lap">
      {laps ? (
        <OpenLaps key={key} {...{ track, lapUrl, laps, onEdit }} />
      ) : (
        <>
          <LapHead track={track} title="Lap" place={null}>
            <CloseLink />
          </LapHead>
          {isMissing && <LapNotFound />}
          {isError && !isMissing && <FailedState title="The lap could not be loaded." onRetry={retry} />}
          {!isError && <LapSkeleton />}
        </>
      )}
    </section>
  );
}

type OpenLapsProps = LapViewProps & { laps: LapAnswer[] };

function OpenLaps({ track, lapUrl, laps, onEdit }: OpenLapsProps) {
  const [isPicking, setIsPicking] = useState(false);
  const [first, ...others] = laps;
  const [search] = useSearchParams();
  const [path, navigate] = useLocation();
  useEffect(() => {
    // Laps that are opened on the page take the focus; what the page itself begins with does not.
    if (document.querySelector('#root[data-ready]'))
      document.querySelector('h1')?.focus({ preventScroll: true });
  }, []);
  if (!first) return null;
  const isComparison = others.length > 0;
  const slowest = others[0] ?? first;
  const title = isComparison ? 'Where the time goes' : formatLapTime(first.lapTimeMs);
  const shared = `${formatLapTime(slowest.lapTimeMs)} by ${slowest.userName} at ${track.name}`;
  const open = (lapUrl: LapUrl) => navigate(`${path}?${writeLapUrl(search, lapUrl).toString()}`);
  return (
    <>
      <LapHead track={track} title={title} place={slowest.place} documentTitle={shared}>
        {first.canBeCompared && laps.length < COMPARED_LAPS_MAX && (
          <Button onClick={() => setIsPicking(true)}>{isComparison ? 'Add a lap' : 'Compare with…'}</Button>
        )}
        {first.isOwn && !isComparison && (
          <Button onClick={() => onEdit(first.sessionId)}>Edit Session</Button>
        )}
        <ShareButton title={shared} />
        <CloseLink />
      </LapHead>
      {isComparison ? (
        <ComparisonView {...{ lapUrl, laps, open }} />
      ) : (
        <SingleLap trackId={track.id} lap={first} />
      )}
      {isPicking && (
        <Suspense fallback={null}>
          <LapPicker
            trackId={track.id}
            chosenIds={[lapUrl.lapId, ...lapUrl.otherIds]}
            onClose={() => setIsPicking(false)}
            onChoose={(lapId) => {
              setIsPicking(false);
              open({ lapId: lapUrl.lapId, otherIds: [...lapUrl.otherIds, lapId] });
            }}
          />
        </Suspense>
      )}
    </>
  );
}

type LapHeadProps = {
  track: ShownTrack;
  title: string;
  place: LapAnswer['place'];
  documentTitle?: string;
  children: ReactNode;
};

function LapHead({ track, title, place, documentTitle, children }: LapHeadProps) {
  const facts = [track.configuration, place && `place ${place.rank} of ${place.drivers}`];
  return (
    <header className={styles['head']}>
      <div className={styles['titles']}>
        <p className={styles['eyebrow']}>{[track.name, ...facts].filter(Boolean).join(' · ')}</p>
        <PageTitle documentTitle={documentTitle ?? title}>{title}</PageTitle>
      </div>
      <div className={styles['actions']}>{children}</div>
    </header>
  );
}

/** Leads back to the board alone, with its filters. */
function CloseLink() {
  const [search] = useSearchParams();
  const [path] = useLocation();
  const query = writeLapUrl(search, null).toString();
  return (
    <ButtonLink
      href={query ? `${path}?${query}` : path}
      variant="quiet"
      className={styles['close']}
      aria-label="Close the lap"
    >
      <X size={20} aria-hidden="true" />
    </ButtonLink>
  );
}

function LapNotFound() {
  return (
    <EmptyState title="Lap not found" icon={<MapPinOff size={22} />}>
      It was removed, or it does not rank.
    </EmptyState>
  );
}

/** The skeleton is as tall as a lap is on most screens, so that the board below does not move. */
function LapSkeleton() {
  return (
    <div className={styles['skeleton']} aria-hidden="true">
      <Skeleton height={120} />
      <Skeleton height={480} />
    </div>
  );
}
