import { useMemo, type ReactNode } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { FailedState } from '#web/ui/state-message.tsx';
import { AboutTime } from './about-time.tsx';
import { ComparedLaps } from './compared-laps.tsx';
import { listShownLaps } from './comparison-view.tsx';
import { DecisionOnLap, OwnLapFlags } from './lap-flags.tsx';
import { LapStatus } from './lap-card.tsx';
import { LoneLap } from './lone-lap.tsx';
import { useLines, type ShownComparison } from './use-laps.ts';
import { compareFasterFirst, writeLapUrl, type LapUrl } from '#web/ui/lap-url.ts';
import { SectorCells, type LapSectors } from './sector-cells.tsx';
import { FAINT_STROKE, LAP_STROKES } from './shown-laps.ts';
import styles from './single-lap.module.css';

type SingleLapProps = { lap: LapView; onPick: () => void };

/** Shows one lap against the viewer's best or the record, with the other laps that it can be compared with. */
export function SingleLap({ lap, onPick }: SingleLapProps) {
  const links = lap.canBeCompared ? <CompareLinks lap={lap} onPick={onPick} /> : null;
  return (
    <>
      {(lap.status !== 'valid' || lap.reasons.length > 0) && <LapStatus lap={lap} />}
      <OwnLapFlags lap={lap} />
      <DecisionOnLap lap={lap} />
      <PrivacyNote lap={lap} />
      <Lines lap={lap}>{links}</Lines>
      <AboutTime lap={lap} />
    </>
  );
}

type LinesProps = { lap: LapView; children: ReactNode };

/** Draws the lap with the one that it is measured against as a faint second line, or alone where there is none. */
function Lines({ lap, children }: LinesProps) {
  const { data, isError, refetch } = useLines(lap);
  if (!lap.canBeCompared)
    return <SectorCells laps={[lap]} names={[lap.userName]} strokes={[LAP_STROKES[0]]} endMeters={[]} />;
  if (data?.comparison) return <AgainstBest {...{ lap, children }} comparison={data.comparison} />;
  if (data?.trace) return <LoneLap {...{ lap, children }} trace={data.trace} />;
  if (!data && !isError) return <Skeleton height={900} />;
  return <FailedState title="The line could not be loaded." onRetry={() => void refetch()} />;
}

const STROKES = [FAINT_STROKE, LAP_STROKES[0]];

function AgainstBest({ lap, comparison, children }: LinesProps & { comparison: ShownComparison }) {
  const { lapId: otherId } = comparison.reference;
  const isOwnBest = lap.ownBest?.lapId === otherId;
  const other = isOwnBest ? lap.ownBest : lap.record;
  const shown = useMemo(() => {
    const own = isOwnBest ? 'This lap' : 'You';
    const names = [isOwnBest ? 'Your best' : 'Record', lap.isOwn ? own : lap.userName];
    return listShownLaps(comparison, { names, ownIndex: lap.isOwn && !isOwnBest ? 1 : null }, STROKES);
  }, [comparison, lap, isOwnBest]);
  const { sectorNames } = lap;
  const sectors: LapSectors[] = [
    { lapId: otherId, sectorNames, sectorTimesMs: other?.sectorTimesMs ?? [] },
    lap,
  ];
  return (
    <ComparedLaps trackId={lap.trackId} laps={shown} lapIndex={1} {...{ comparison, sectors }}>
      {children}
    </ComparedLaps>
  );
}

function CompareLinks({ lap, onPick }: SingleLapProps) {
  const hrefTo = useLapHref();
  const { place, ownBest, rival, recordInCar, record, isOwn } = lap;
  const choices = [
    [rival, `the next in the same ${rival?.shares ?? 'car'}`],
    [place?.ahead, 'the driver ahead'],
    [ownBest, 'my best'],
    [recordInCar, isOwn ? 'the record in my car' : 'the record in this car'],
    [record, 'the record'],
  ] as const;
  const seen = new Set([lap.lapId]);
  const offered = choices.flatMap(([link, words]) => {
    if (!link || seen.has(link.lapId)) return [];
    seen.add(link.lapId);
    // The next driver may be the viewer.
    const name = link.lapId === ownBest?.lapId ? 'my best' : words;
    return [{ words: name, href: hrefTo(compareFasterFirst(link, lap)) }];
  });
  return (
    <nav aria-label="Compare this lap" className={styles['compare']}>
      {offered.map(({ words, href }, index) => (
        <ButtonLink key={words} href={href} size="small" variant={index === 0 ? 'primary' : 'secondary'}>
          Compare with {words}
        </ButtonLink>
      ))}
      <Button size="small" onClick={onPick}>
        Compare with…
      </Button>
    </nav>
  );
}

/** Explains which data private lines hide, and from which users. */
function PrivacyNote({ lap: { isPrivate, isOwn, userName } }: { lap: LapView }) {
  if (!isPrivate) return null;
  return (
    <p className={common['note']}>
      {isOwn
        ? 'Your lines are private: others see time and sectors of this lap, but neither map nor speeds.'
        : `${userName} keeps the lines of this lap private: it shows its time and sectors, and cannot be compared.`}
    </p>
  );
}

/** Writes the URL of laps on this page; the filters of its board stay. */
function useLapHref(): (lapUrl: LapUrl) => string {
  const [path] = useLocation();
  const [search] = useSearchParams();
  return (lapUrl) => `${path}?${writeLapUrl(search, lapUrl).toString()}`;
}
