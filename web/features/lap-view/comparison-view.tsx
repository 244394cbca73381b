import { X } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { ComparedStretch } from '#contract/lap-view/comparison.ts';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { ApiError } from '#web/api/api-error.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatDifference } from '#web/ui/format.ts';
import { formatUncertainty } from '#web/ui/lap-time.tsx';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { EmptyState, FailedState } from '#web/ui/state-message.tsx';
import styles from './comparison-view.module.css';
import {
  describeCause,
  describeOffset,
  formatLost,
  NO_CERTAIN_LOSS,
  stretchTitle,
} from './comparison-messages.ts';
import { DistanceTable, SectorTable } from './comparison-tables.tsx';
import { StretchTable } from './corner-tables.tsx';
import { drawLap, Evidence, LineKey } from './evidence.tsx';
import type { LapUrl } from './lap-url.ts';
import { LapDriver, LapEvidence, LapFacts } from './lap-card.tsx';
import { useLapCursor, type LapCursor } from './lap-cursor.ts';
import { nearestStation } from './lap-lines.ts';
import { type ShownComparison, useComparison } from './lap-queries.ts';
import { NameCorners } from './name-corners.tsx';
import { LAP_STROKES, type ShownLap, type Stations } from './shown-laps.ts';
import { MiniMap } from './track-map.tsx';

type ComparisonViewProps = {
  lapUrl: LapUrl;
  /** The laps, with the reference first. */
  laps: readonly LapView[];
  open: (lapUrl: LapUrl) => void;
};

/** Compares laps with a reference: first the stretches with a loss, then the lines, then the tables. */
export function ComparisonView({ lapUrl, laps, open }: ComparisonViewProps) {
  const trackId = laps[0]?.trackId ?? '';
  const [activeId, setActiveId] = useState(lapUrl.otherIds[0] ?? '');
  const { data, error, refetch } = useComparison(trackId, lapUrl);
  const activeIndex = Math.max(0, lapUrl.otherIds.indexOf(activeId));
  return (
    <>
      <LapCards {...{ lapUrl, laps, open, activeIndex }} onActivate={setActiveId}>
        <GapAtLine laps={laps} activeIndex={activeIndex} comparison={data} />
      </LapCards>
      {data && <Comparison {...{ laps, activeIndex }} comparison={data} />}
      {error !== null && <NotCompared error={error} onRetry={() => void refetch()} />}
      {!data && error === null && <Skeleton height={560} />}
      <SectorTable laps={laps} />
    </>
  );
}

type LapCardsProps = ComparisonViewProps & {
  activeIndex: number;
  onActivate: (lapId: string) => void;
  children: ReactNode;
};

function LapCards({ laps, activeIndex, children, ...choices }: LapCardsProps) {
  const isMany = laps.length > 2;
  return (
    <div className={classNames(styles['laps'], isMany && styles['many'])}>
      {laps.map((lap, index) => {
        const isActive = isMany && index === activeIndex + 1;
        return (
          <Card
            key={lap.lapId}
            padded={false}
            className={classNames(styles['lap'], isActive && styles['active'])}
          >
            <div className={styles['line']}>
              <span className={styles['who']}>
                <LineKey stroke={LAP_STROKES[index] ?? LAP_STROKES[0]} />
                <span>
                  {index === 0 && 'Reference · '}
                  <LapDriver lap={lap} />
                  {lap.isOwn && ' (you)'}
                </span>
              </span>
              <LapTimeLink {...lap} className={styles['time']} />
            </div>
            <LapFacts lap={lap} />
            <div className={styles['line']}>
              <LapEvidence lap={lap} />
              {index > 0 && <LapChoices lap={lap} isActive={isMany ? isActive : null} {...choices} />}
            </div>
          </Card>
        );
      })}
      {children}
    </div>
  );
}

type LapChoicesProps = Pick<LapCardsProps, 'lapUrl' | 'open' | 'onActivate'> & {
  lap: LapView;
  /** Null if there is no other lap to show. */
  isActive: boolean | null;
};

/** Shows the actions for a lap of the comparison. */
function LapChoices({ lap, isActive, lapUrl, open, onActivate }: LapChoicesProps) {
  const { lapId: referenceId, otherIds } = lapUrl;
  const { lapId, userName } = lap;
  const swapped = otherIds.map((id) => (id === lapId ? referenceId : id));
  return (
    <span className={styles['choices']}>
      {isActive !== null && (
        <Button
          size="small"
          variant="quiet"
          aria-pressed={isActive}
          aria-label={`Show the gap of ${userName}`}
          onClick={() => onActivate(lapId)}
        >
          Show
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        aria-label={`Make the lap of ${userName} the reference`}
        onClick={() => open({ lapId, otherIds: swapped })}
      >
        Swap
      </Button>
      <IconButton
        size="small"
        label={`Remove the lap of ${userName}`}
        icon={<X size={16} />}
        onClick={() => open({ lapId: referenceId, otherIds: otherIds.filter((id) => id !== lapId) })}
      />
    </span>
  );
}

type GapAtLineProps = {
  laps: readonly LapView[];
  activeIndex: number;
  comparison: ShownComparison | undefined;
};

function GapAtLine({ laps, activeIndex, comparison }: GapAtLineProps) {
  const [reference, other] = [laps[0], laps[activeIndex + 1]];
  if (!reference || !other) return null;
  const offset = comparison?.laps[activeIndex]?.offsetMeters;
  return (
    <Card padded={false} className={classNames(styles['lap'], styles['gapCard'])}>
      <p className={styles['label']}>Gap at the line</p>
      <p className={styles['gap']}>
        {formatDifference(other.lapTimeMs - reference.lapTimeMs)} s{' '}
        <small>{formatUncertainty(Math.hypot(reference.uncertaintyMs, other.uncertaintyMs))}</small>
      </p>
      <p className={styles['offset']}>{offset && describeOffset(offset)}</p>
    </Card>
  );
}

type ComparisonProps = { laps: readonly LapView[]; activeIndex: number; comparison: ShownComparison };

function Comparison({ laps, activeIndex, comparison }: ComparisonProps) {
  const { reference, corners, stretches } = comparison;
  const shown = useMemo(() => listShownLaps(laps, comparison), [laps, comparison]);
  const active = shown[activeIndex + 1] ?? null;
  const places = (comparison.placesToGain[activeIndex] ?? []).flatMap((index) => stretches[index] ?? []);
  const lapIndex = activeIndex + 1;
  const cursor = useLapCursor(reference.meters, places[0] ? middleOf(places[0], lapIndex) : 0);
  return (
    <>
      <Losses {...{ places, corners, cursor, lapIndex }} stations={reference} lap={laps[lapIndex]} />
      <Evidence stations={reference} laps={shown} {...{ active, corners, cursor }} />
      <StretchTable {...{ stretches, corners, lapIndex }}>
        <NameCorners trackId={laps[0]?.trackId ?? ''} corners={corners} stations={reference} />
      </StretchTable>
      <DistanceTable meters={reference.meters} laps={shown} />
    </>
  );
}

function listShownLaps(laps: readonly LapView[], { reference, laps: others }: ShownComparison): ShownLap[] {
  const columns = [
    { speedsKmh: reference.speedsKmh, gap: null },
    ...others.map((other) => ({ ...other, gap: other })),
  ];
  return laps.flatMap((lap, index) => {
    const lines = columns[index];
    const stroke = LAP_STROKES[index];
    if (!lines || !stroke) return [];
    const driver = lap.isOwn ? 'You' : lap.userName;
    return [{ lapId: lap.lapId, driver, stroke, speedsKmh: lines.speedsKmh, gap: lines.gap }];
  });
}

type LossesProps = {
  places: readonly ComparedStretch[];
  corners: ShownComparison['corners'];
  stations: Stations;
  lap: LapView | undefined;
  lapIndex: number;
  cursor: LapCursor;
};

const MINI_SIZE = 64;
const MINI_BOX = { width: MINI_SIZE, height: MINI_SIZE, padding: 5 };
/** The charts show this much before and after a stretch. */
const MARGIN_METERS = 60;

/** Lists the stretches with the largest loss; each zooms the charts to it. */
function Losses({ places, corners, stations, lap, lapIndex, cursor }: LossesProps) {
  const { meters, lats, lons } = stations;
  const points = useMemo(() => drawLap({ lats, lons }, MINI_BOX), [lats, lons]);
  if (!lap) return null;
  if (places.length === 0) return <p className={styles['noPlaces']}>{NO_CERTAIN_LOSS}</p>;
  return (
    <ul className={styles['places']}>
      {places.map((place) => {
        const { startMeters, endMeters } = place;
        const { lostMs = 0, cause = null } = place.laps[lapIndex] ?? {};
        return (
          <Card key={startMeters} as="li" padded={false} className={styles['place']}>
            <h2 className={styles['corner']}>
              <button
                type="button"
                className={styles['zoom']}
                onClick={() => {
                  cursor.zoomTo([startMeters - MARGIN_METERS, endMeters + MARGIN_METERS]);
                  cursor.moveTo(middleOf(place, lapIndex));
                }}
              >
                {stretchTitle(place, corners)} <span className={styles['lost']}>{formatLost(lostMs)}</span>
              </button>
            </h2>
            <p>{describeCause(cause, lap.userName, lap.isOwn)}</p>
            <MiniMap
              points={points}
              from={nearestStation(meters, startMeters)}
              to={nearestStation(meters, endMeters)}
              size={MINI_SIZE}
            />
          </Card>
        );
      })}
    </ul>
  );
}

/** Returns the slowest point of a lap in a corner, or the middle of a straight. */
function middleOf({ startMeters, endMeters, laps }: ComparedStretch, lapIndex: number): number {
  return laps[lapIndex]?.slowestMeters ?? (startMeters + endMeters) / 2;
}

/** Replaces the lines of laps that cannot be compared: private ones, or those of different paths. */
function NotCompared({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (error instanceof ApiError && [403, 404, 422].includes(error.status)) {
    return (
      <Card>
        <EmptyState title="These laps cannot be compared">{error.sentence}</EmptyState>
      </Card>
    );
  }
  return <FailedState title="The comparison could not be loaded." onRetry={onRetry} />;
}
