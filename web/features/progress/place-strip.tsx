import { useId, useState } from 'react';
import { Link } from 'wouter';
import type { TrackId } from '#contract/ids.ts';
import type { BoardDriver, BoardPlace, DriverLaps } from '#contract/progress/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { Card } from '#web/ui/card.tsx';
import { formatCount, formatSeconds } from '#web/ui/format.ts';
import { ChartCursor } from './chart-cursor.tsx';
import { pointAt } from './chart-style.ts';
import charts from './charts.module.css';
import { compareFasterFirst, lapHref } from '#web/ui/lap-url.ts';
import styles from './place-strip.module.css';
import { makeTimeScale, toShare, type TimeScale } from '#web/ui/time-scale.ts';

type PlaceStripProps = { driver: DriverLaps; trackId: TrackId };

/** Shows every lap of the board on one line of time with the place of the driver: of all cars, of the class or of the car. */
export function PlaceStrip({ driver, trackId }: PlaceStripProps) {
  const headingId = useId();
  const [scope, setScope] = useState<BoardPlace['scope']>('board');
  const { places, best, isOwn } = driver;
  const place = places.find((place) => place.scope === scope) ?? places[0];
  if (!place || !best) return null;
  return (
    <Card as="section" padded={false} aria-labelledby={headingId} className={charts['card']}>
      <div className={charts['head']}>
        <h2 id={headingId}>{isOwn ? 'Your place' : 'Place on the board'}</h2>
        {places.length > 1 && (
          <fieldset className={styles['scopes']}>
            <legend className="visually-hidden">Which laps</legend>
            {places.map(({ scope, name, drivers }) => (
              <button
                key={scope}
                type="button"
                aria-pressed={scope === place.scope}
                title={name ?? undefined}
                onClick={() => setScope(scope)}
              >
                <span>{SCOPE_LABELS[scope] ?? name}</span> {formatCount(drivers)}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      <Strip key={place.scope} {...{ driver, place, trackId }} bestMs={best.lapTimeMs} />
      <p className={styles['neighbours']}>
        <Neighbours {...{ driver, place, trackId }} />
      </p>
    </Card>
  );
}

const SCOPE_LABELS = { board: 'Board', class: 'Class', car: null };

// Slower laps than this, and than the driver's own, are at the end of the line.
const SHOWN_SHARE_MAX = 1.15;

function Strip({ driver, place, trackId, bestMs }: PlaceStripProps & { place: BoardPlace; bestMs: number }) {
  const [active, setActive] = useState<number | null>(null);
  const { entries, rank, drivers } = place;
  const scale = scaleOf(entries, bestMs);
  const shares = entries.map(({ lapTimeMs }) => toShare(scale, lapTimeMs));
  const ownShare = toShare(scale, bestMs);
  const current = active === null ? undefined : entries[active];
  const [first] = entries;
  return (
    <>
      <div className={styles['strip']}>
        <StripLines
          {...{ scale, shares, active, ownShare }}
          isFirst={rank === 1}
          slower={countSlower(entries, scale)}
        />
        {rank > 1 && (
          <span className={styles['first']} style={pointAt(shares[0] ?? 0, 0)}>
            P1
          </span>
        )}
        <span className={styles['own']} style={pointAt(ownShare, 0)}>
          {driver.isOwn ? 'You' : driver.userName}, P{rank} of {formatCount(drivers)}
        </span>
        {first && (
          <ChartCursor
            label="Drivers of the board by time"
            count={entries.length}
            active={active}
            valueText={describeEntry(current ?? first)}
            findIndex={(share) => findNearest(shares, share)}
            onActive={setActive}
          />
        )}
      </div>
      <p className={styles['readout']}>
        {current && (
          <>
            P{current.rank} <CompareLink {...{ driver, trackId }} other={current} />,{' '}
            {formatLapTime(current.lapTimeMs)}
            {describeMore(current)}
          </>
        )}
      </p>
    </>
  );
}

function scaleOf(entries: readonly BoardDriver[], bestMs: number): TimeScale {
  const fastestMs = Math.min(bestMs, entries[0]?.lapTimeMs ?? bestMs);
  const slowestMs = Math.max(bestMs, entries.at(-1)?.lapTimeMs ?? bestMs);
  const endMs = Math.max(bestMs, Math.min(slowestMs, fastestMs * SHOWN_SHARE_MAX));
  return makeTimeScale([fastestMs, endMs]) ?? { fastestMs, slowestMs: endMs, ticks: [] };
}

/** Counts the drivers who are too slow for the scale; their dots are at its end. */
function countSlower(entries: BoardPlace['entries'], { slowestMs }: TimeScale): number {
  const slower = entries.filter(({ lapTimeMs }) => lapTimeMs > slowestMs);
  return slower.reduce((sum, { count }) => sum + count, 0);
}

function describeEntry(entry: BoardPlace['entries'][number]): string {
  return `P${entry.rank} ${entry.userName}, ${formatLapTime(entry.lapTimeMs)}${describeMore(entry)}`;
}

function describeMore({ count }: BoardPlace['entries'][number]): string {
  return count > 1 ? ` and ${formatCount(count - 1)} more of about this time` : '';
}

function findNearest(shares: readonly number[], share: number): number {
  const distances = shares.map((other) => Math.abs(other - share));
  return distances.indexOf(Math.min(...distances));
}

type StripLinesProps = {
  scale: TimeScale;
  shares: readonly number[];
  ownShare: number;
  active: number | null;
  isFirst: boolean;
  slower: number;
};

const EDGE_SHARE = 0.06;

/** Puts a label in the middle under its time; at both ends of the line it stays within it. */
function placeTick(share: number): { left: string; transform?: string } {
  const left = `${share * 100}%`;
  if (share < EDGE_SHARE) return { left, transform: 'none' };
  return share > 1 - EDGE_SHARE ? { left, transform: 'translateX(-100%)' } : { left };
}

// A label farther right would lie under that of the slower drivers.
const TICK_SHARE_MAX = 0.8;

function StripLines({ scale, shares, ownShare, active, isFirst, slower }: StripLinesProps) {
  const others = isFirst ? shares : shares.slice(1);
  const activeShare = active === null ? undefined : shares[active];
  return (
    <>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" className={styles['line']} aria-hidden="true">
        <path d="M0 .5H1" className={styles['axis']} />
        <path d={others.map((x) => `M${x} .5h0`).join('')} className={styles['dots']} />
        {!isFirst && <path d={`M${shares[0] ?? 0} .5h0`} className={styles['record']} />}
        {activeShare !== undefined && <path d={`M${activeShare} .5h0`} className={styles['active']} />}
        <path d={`M${ownShare} .5h0`} className={styles['ownGround']} />
        <path d={`M${ownShare} .5h0`} className={styles['ownDot']} />
      </svg>
      <div className={styles['ticks']} aria-hidden="true">
        {scale.ticks
          .filter(({ share }) => slower === 0 || share <= TICK_SHARE_MAX)
          .map(({ timeMs, label, share }) => (
            <span key={timeMs} style={placeTick(share)}>
              {label}
            </span>
          ))}
        {slower > 0 && <span className={styles['slower']}>{formatCount(slower)} slower</span>}
      </div>
    </>
  );
}

function Neighbours({ driver, place, trackId }: PlaceStripProps & { place: BoardPlace }) {
  const bestMs = driver.best?.lapTimeMs ?? 0;
  const { ahead, behind } = place;
  if (!ahead && !behind) return <>No other driver here yet.</>;
  return (
    <>
      {ahead && (
        <>
          <b>{formatSeconds(bestMs - ahead.lapTimeMs)} s</b> behind{' '}
          <CompareLink {...{ driver, trackId }} other={ahead} />
        </>
      )}
      {ahead && behind && ', '}
      {behind && (
        <>
          <b>{formatSeconds(behind.lapTimeMs - bestMs)} s</b> ahead of{' '}
          <CompareLink {...{ driver, trackId }} other={behind} />
        </>
      )}
    </>
  );
}

function CompareLink({ driver: { best }, trackId, other }: PlaceStripProps & { other: BoardDriver }) {
  if (!best) return other.userName;
  return (
    <Link
      href={lapHref(trackId, compareFasterFirst(best, other))}
      className={charts['link']}
      title={`Compare with ${other.userName}`}
    >
      {other.userName}
    </Link>
  );
}
