import Eye from 'lucide-react/icons/eye';
import GitCompareArrows from 'lucide-react/icons/git-compare-arrows';
import X from 'lucide-react/icons/x';
import { useMemo, useState } from 'react';
import type { LapId, TrackId } from '#contract/ids.ts';
import { type LapNaming, nameLaps } from '#contract/lap-view/labels.ts';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { ApiError } from '#web/api/api-error.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { shownFormats } from '#web/ui/format.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { EmptyState, FailedState } from '#web/ui/state-message.tsx';
import { ComparedLaps } from './compared-laps.tsx';
import { describeOffset } from './comparison-messages.ts';
import styles from './comparison-view.module.css';
import { ComparedHead } from './lap-head.tsx';
import { useComparison, type ShownComparison } from './use-laps.ts';
import type { LapUrl } from '#web/ui/lap-url.ts';
import { SectorCells } from './sector-cells.tsx';
import { LAP_STROKES, type LapStroke, type ShownLap } from './shown-laps.ts';

type ComparisonViewProps = {
  trackId: TrackId;
  lapUrl: LapUrl;
  /** The laps, with the reference first. */
  laps: readonly LapView[];
  documentTitle: string;
  open: (lapUrl: LapUrl) => void;
};

/** Compares laps with a reference: the answer in one head, then where the time goes. */
export function ComparisonView({ trackId, lapUrl, laps, documentTitle, open }: ComparisonViewProps) {
  const [activeId, setActiveId] = useState(lapUrl.otherIds[0]);
  const { data, error, refetch } = useComparison(trackId, lapUrl);
  const activeIndex = Math.max(
    0,
    lapUrl.otherIds.findIndex((id) => id === activeId),
  );
  const formats = shownFormats();
  const naming = useMemo(() => nameLaps(laps, formats, ({ isOwn }) => isOwn), [laps, formats]);
  const { names } = naming;
  const shown = useMemo(() => data && listShownLaps(data, naming, LAP_STROKES), [data, naming]);
  return (
    <>
      <ComparedHead
        {...{ laps, names, documentTitle }}
        strokes={LAP_STROKES}
        lapIndex={activeIndex + 1}
        {...readPrecision(data?.laps[activeIndex])}
        renderChoices={(lap, index) =>
          laps.length > 2 &&
          index > 0 && (
            <LapChoices
              {...{ lapUrl, open }}
              lapId={lap.lapId}
              name={names[index] ?? lap.userName}
              isActive={index === activeIndex + 1}
              onActivate={setActiveId}
            />
          )
        }
      />
      {data && shown && (
        <ComparedLaps
          {...{ trackId }}
          comparison={data}
          laps={shown}
          sectors={laps}
          lapIndex={activeIndex + 1}
        />
      )}
      {error !== null && (
        <>
          <NotCompared error={error} onRetry={() => void refetch()} />
          <SectorCells laps={laps} names={names} strokes={LAP_STROKES} endMeters={[]} />
        </>
      )}
      {!data && error === null && <Skeleton height={900} />}
    </>
  );
}

/** Reads how certain the gap of a lap is at the line, once its comparison is there. */
function readPrecision(lap: ShownComparison['laps'][number] | undefined) {
  return {
    bandMs: lap?.bandMs.at(-1) ?? null,
    offset: lap ? describeOffset(lap.offsetMeters) : null,
  };
}

/** Joins the columns of a comparison with the names and the strokes of its laps, the reference first. */
export function listShownLaps(
  { reference, laps: others }: ShownComparison,
  { names, ownIndex }: Pick<LapNaming, 'names' | 'ownIndex'>,
  strokes: readonly LapStroke[],
): ShownLap[] {
  const columns = [{ ...reference, gap: null }, ...others.map((other) => ({ ...other, gap: other }))];
  return columns.flatMap(({ lapId, speedsKmh, holes, gap }, index) => {
    const [name = '', stroke] = [names[index], strokes[index]];
    return stroke ? [{ lapId, name, isYou: index === ownIndex, stroke, speedsKmh, holes, gap }] : [];
  });
}

type LapChoicesProps = Pick<ComparisonViewProps, 'lapUrl' | 'open'> & {
  lapId: LapId;
  name: string;
  isActive: boolean;
  onActivate: (lapId: LapId) => void;
};

/** Shows the actions for one of many laps. */
function LapChoices({ lapId, name, isActive, lapUrl, open, onActivate }: LapChoicesProps) {
  const { lapId: referenceId, otherIds } = lapUrl;
  const swapped = otherIds.map((id) => (id === lapId ? referenceId : id));
  return (
    <span className={styles['choices']}>
      <IconButton
        size="small"
        label={`Show the gap of ${name}`}
        icon={<Eye size={16} />}
        aria-pressed={isActive}
        onClick={() => onActivate(lapId)}
      />
      <IconButton
        size="small"
        label={`Make the lap of ${name} the reference`}
        icon={<GitCompareArrows size={16} />}
        onClick={() => open({ lapId, otherIds: swapped })}
      />
      <IconButton
        size="small"
        label={`Remove the lap of ${name}`}
        icon={<X size={16} />}
        onClick={() => open({ lapId: referenceId, otherIds: otherIds.filter((id) => id !== lapId) })}
      />
    </span>
  );
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
