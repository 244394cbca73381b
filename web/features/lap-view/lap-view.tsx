import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { SessionId } from '#contract/ids.ts';
import { describeLapsInTitle, nameLaps } from '#contract/lap-view/labels.ts';
import type { LapView as LapAnswer } from '#contract/lap-view/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import type { ExportedPath } from '#web/ui/download-dialog.tsx';
import { shownFormats } from '#web/ui/format.ts';
import { PageTitle } from '#web/ui/page.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TrackPicture } from '#web/ui/picture.tsx';
import { EmptyState, FailedState } from '#web/ui/state-message.tsx';
import { isHydrated } from '#web/ui/use-browser-value.ts';
import { ComparisonView } from './comparison-view.tsx';
import { LapActions } from './lap-actions.tsx';
import { LapCrumb, SingleHead } from './lap-head.tsx';
import { useLaps } from './use-laps.ts';
import {
  COMPARED_LAPS_MAX,
  compareFasterFirst,
  writeLapUrl,
  type LapUrl,
  type TimedLap,
} from '#web/ui/lap-url.ts';
import styles from './lap-view.module.css';
import { LAP_STROKES } from './shown-laps.ts';
import { SingleLap } from './single-lap.tsx';

// Most readers open laps by links, so these load on demand.
const LapPicker = lazy(async () => ({ default: (await import('./lap-picker.tsx')).LapPicker }));
const SaveComparison = lazy(async () => ({
  default: (await import('./save-comparison.tsx')).SaveComparison,
}));

type ShownTrack = Pick<Track, 'id' | 'name' | 'configuration'>;

type LapViewProps = {
  track: ShownTrack;
  lapUrl: LapUrl;
  /** Opens what edits the session of an own lap. */
  onEdit: (sessionId: SessionId) => void;
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
          <PageTitle className="visually-hidden">Lap</PageTitle>
          <LapCrumb track={track} driver={null}>
            <LapActions title={track.name} />
          </LapCrumb>
          {isMissing && <LapNotFound />}
          {isError && !isMissing && <FailedState title="The lap could not be loaded." onRetry={retry} />}
          {!isError && <LapSkeleton />}
        </>
      )}
    </section>
  );
}

function OpenLaps({ track, lapUrl, laps, onEdit }: LapViewProps & { laps: LapAnswer[] }) {
  const [dialog, setDialog] = useState<'picker' | 'save' | null>(null);
  const { user } = useCurrentUser();
  const [first, second] = laps;
  const [search] = useSearchParams();
  const [path, navigate] = useLocation();
  useEffect(() => {
    // Laps that are opened on the page take the focus; what the page itself begins with does not.
    if (isHydrated()) document.querySelector('h1')?.focus({ preventScroll: true });
  }, []);
  if (!first) return null;
  const isComparison = second !== undefined;
  const documentTitle = `${describeLapsInTitle(laps, shownFormats(), formatLapTime)} · ${track.name}`;
  const open = (lapUrl: LapUrl) => navigate(`${path}?${writeLapUrl(search, lapUrl).toString()}`);
  const pick = () => setDialog('picker');
  const canAdd = first.canBeCompared && laps.length < COMPARED_LAPS_MAX;
  return (
    <>
      <LapCrumb track={track} driver={isComparison ? nameLaps(laps, shownFormats()).driver : null}>
        {isComparison ? (
          <LapActions
            title={documentTitle}
            onSwap={laps.length === 2 ? () => open(swap(lapUrl)) : undefined}
            onAdd={canAdd ? pick : undefined}
            onSave={user ? () => setDialog('save') : undefined}
          />
        ) : (
          <LapActions
            title={documentTitle}
            exports={listExports(first)}
            onEdit={first.isOwn ? () => onEdit(first.sessionId) : undefined}
          />
        )}
      </LapCrumb>
      {isComparison ? (
        <ComparisonView trackId={track.id} {...{ lapUrl, laps, documentTitle, open }} />
      ) : (
        <>
          <SingleHead lap={first} stroke={LAP_STROKES[0]} documentTitle={documentTitle} />
          <SingleLap lap={first} onPick={pick} />
        </>
      )}
      {dialog !== null && (
        <LapDialog {...{ dialog, laps, lapUrl, open }} trackId={track.id} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

/** Lists what the viewer may download: a lap whose line they see, and the session that they drove. */
function listExports({ trackId, lapId, sessionId, isOwn, canBeCompared }: LapAnswer): ExportedPath[] {
  const lapPath = `/api/tracks/${encodeURIComponent(trackId)}/laps/${lapId}/export`;
  return [
    ...(canBeCompared ? [{ title: 'This lap', path: lapPath }] : []),
    ...(isOwn ? [{ title: 'The whole session', path: `/api/sessions/${sessionId}/export` }] : []),
  ];
}

type LapDialogProps = {
  dialog: 'picker' | 'save';
  trackId: ShownTrack['id'];
  laps: readonly LapAnswer[];
  lapUrl: LapUrl;
  open: (lapUrl: LapUrl) => void;
  onClose: () => void;
};

function LapDialog({ dialog, trackId, laps, lapUrl, open, onClose }: LapDialogProps) {
  const lapIds = laps.map(({ lapId }) => lapId);
  return (
    <Suspense fallback={null}>
      {dialog === 'picker' ? (
        <LapPicker
          {...{ trackId, onClose }}
          chosenIds={lapIds}
          onChoose={(lap) => {
            onClose();
            open(addLap(lapUrl, laps, lap));
          }}
        />
      ) : (
        <SaveComparison
          {...{ trackId, lapIds, onClose }}
          suggestedName={nameLaps(laps, shownFormats(), ({ isOwn }) => isOwn).names.join(' and ')}
        />
      )}
    </Suspense>
  );
}

/** Adds a lap: beside a single one the faster of both is the reference, and a comparison keeps its own. */
function addLap({ lapId, otherIds }: LapUrl, [first, second]: readonly LapAnswer[], added: TimedLap): LapUrl {
  return first && !second
    ? compareFasterFirst(first, added)
    : { lapId, otherIds: [...otherIds, added.lapId] };
}

function swap({ lapId, otherIds }: LapUrl): LapUrl {
  const [first = lapId] = otherIds;
  return { lapId: first, otherIds: [lapId] };
}

function LapNotFound() {
  return (
    <EmptyState title="Lap not found" picture={<TrackPicture />}>
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
