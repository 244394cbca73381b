import Play from 'lucide-react/icons/play';
import type { ReactNode } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { formatDifference } from '#web/ui/format.ts';
import { formatUncertainty } from '#web/ui/lap-time.tsx';
import { LapTimeLink } from '#web/ui/lap-time-link.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { findGap } from './comparison-messages.ts';
import { CheckTime } from './check-time.tsx';
import { LapDriver, LapFacts } from './lap-card.tsx';
import styles from './lap-head.module.css';
import { writeLapUrl } from '#web/ui/lap-url.ts';
import { LineKey } from './line-key.tsx';
import type { LapStroke } from './shown-laps.ts';

type CrumbProps = {
  track: { name: string; configuration: string | null };
  /** The driver of all laps, where they are of one. */
  driver: string | null;
  children: ReactNode;
};

/** Names the track, with a link to its board alone, and holds the actions. */
export function LapCrumb({ track, driver, children }: CrumbProps) {
  const boardHref = useBoardHref();
  return (
    <div className={styles['crumb']}>
      <p>
        <Link href={boardHref}>{track.name}</Link>
        {track.configuration && `, ${track.configuration}`}
        {driver !== null && ` · ${driver}`}
      </p>
      {children}
    </div>
  );
}

/** Returns the URL of the board alone, with its filters. */
export function useBoardHref(): string {
  const [search] = useSearchParams();
  const [path] = useLocation();
  const query = writeLapUrl(search, null).toString();
  return query ? `${path}?${query}` : path;
}

type ComparedHeadProps = {
  laps: readonly LapView[];
  names: readonly string[];
  strokes: readonly LapStroke[];
  /** The index of the lap whose gap is shown. */
  lapIndex: number;
  documentTitle: string;
  /** Half width of the 95 % interval of the gap at the line, in milliseconds; null until the comparison is there. */
  bandMs: number | null;
  /** A sentence on how the two recordings were brought together; null where there is nothing to say. */
  offset: string | null;
  /** Shows what can be done with one lap of many. */
  renderChoices: (lap: LapView, index: number) => ReactNode;
};

/** Shows times, places and the gap of compared laps in one head. */
export function ComparedHead(props: ComparedHeadProps) {
  const { laps, names, strokes, lapIndex, documentTitle, bandMs, offset, renderChoices } = props;
  const [reference, other] = [laps[0], laps[lapIndex]];
  if (!reference || !other) return null;
  const title = laps.map(({ lapTimeMs }, index) => `${names[index] ?? ''} ${formatLapTime(lapTimeMs)}`);
  return (
    <header className={styles['duel']} data-laps={laps.length}>
      <PageTitle className="visually-hidden" documentTitle={documentTitle}>
        {`Where the time goes: ${title.join(' and ')}`}
      </PageTitle>
      {laps.map((lap, index) => (
        <div key={lap.lapId} className={styles['lap']}>
          <p className={styles['name']}>
            {strokes[index] && <LineKey stroke={strokes[index]} />}
            <LapDriver lap={lap} name={names[index] ?? lap.userName} />
            <span className="visually-hidden">{index === 0 && ' (reference)'}</span>
          </p>
          <p className={styles['time']}>
            <LapTimeLink {...lap} />
            <Place lap={lap} />
          </p>
          <LapFacts lap={lap} />
          {renderChoices(lap, index)}
        </div>
      ))}
      <div className={styles['gap']}>
        <p className={styles['name']}>Gap at the line</p>
        <p className={styles['time']}>
          <strong>{formatDifference(other.lapTimeMs - reference.lapTimeMs)} s</strong>{' '}
          <small>
            {formatUncertainty(bandMs ?? Math.hypot(reference.uncertaintyMs, other.uncertaintyMs))}
          </small>
        </p>
        <div className={styles['proof']}>
          {[0, lapIndex].map((index) => (
            <CheckedTime key={index} lap={laps[index]} name={names[index]} stroke={strokes[index]} />
          ))}
          {offset !== null && <span>{offset}</span>}
        </div>
      </div>
    </header>
  );
}

type CheckedTimeProps = {
  lap: LapView | undefined;
  name: string | undefined;
  stroke: LapStroke | undefined;
};

/** Shows how certain the time of a compared lap is. */
function CheckedTime({ lap, name, stroke }: CheckedTimeProps) {
  if (!lap) return null;
  return (
    <span>
      {stroke && <LineKey stroke={stroke} />} {formatUncertainty(lap.uncertaintyMs)} s
      <CheckTime lap={lap} name={name} />
    </span>
  );
}

type SingleHeadProps = { lap: LapView; stroke: LapStroke; documentTitle: string };

/** Shows time, place and proof of one lap in one head. */
export function SingleHead({ lap, stroke, documentTitle }: SingleHeadProps) {
  const against = findGap(lap);
  return (
    <header className={styles['duel']}>
      <div className={styles['lap']}>
        <p className={styles['name']}>
          <LineKey stroke={stroke} />
          <span>
            <LapDriver lap={lap} name={lap.userName} />
            {lap.isOwn && ' (you)'}
          </span>
        </p>
        <div className={styles['time']}>
          <PageTitle documentTitle={documentTitle}>{formatLapTime(lap.lapTimeMs)}</PageTitle>
          <Place lap={lap} />
        </div>
        <LapFacts lap={lap} />
        <div className={styles['proof']}>
          <span>
            {lap.evidence.includes('file') ? 'Lap file' : 'Timed by its logger'},{' '}
            {formatUncertainty(lap.uncertaintyMs)} s
          </span>
          <CheckTime lap={lap} />
          <VideoLink lap={lap} />
        </div>
      </div>
      {against && (
        <div className={styles['gap']}>
          <p className={styles['name']}>Gap {against.words}</p>
          <p className={styles['time']}>
            <strong>{formatDifference(against.link.gapMs)} s</strong>
          </p>
          <p className={styles['proof']}>{against.link.userName}</p>
        </div>
      )}
    </header>
  );
}

function Place({ lap: { place } }: { lap: LapView }) {
  if (!place) return null;
  return (
    <span className={styles['place']}>
      P{place.rank} <i>of {place.drivers}</i>
    </span>
  );
}

function VideoLink({ lap: { videoUrl, userName } }: { lap: LapView }) {
  if (videoUrl === null || !/^https?:/i.test(videoUrl)) return null;
  return (
    <a
      href={videoUrl}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Play the video of ${userName} in a new tab`}
    >
      <Play size={12} fill="currentColor" aria-hidden="true" /> Video
    </a>
  );
}
