import { useState } from 'react';
import type { TimedLap } from '#contract/laps/schemas.ts';
import type { TrackTiming } from './upload-answers.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { LapTime } from '#web/ui/lap-time.tsx';
import { LoadingState, RetryLine } from '#web/ui/state-message.tsx';
import common from '#web/ui/common.module.css';
import styles from './lap-summary.module.css';
import { mayBeElsewhere } from './gps-analysis.ts';
import { LapTable } from './lap-table.tsx';
import { describeLaps } from './upload-results.ts';
import type { TimingState } from './upload-state.ts';

type LapSummaryProps = { timing: TimingState; trackName: string; fileName: string; onRetry: () => void };

/** Shows the laps of the analysed file on the chosen track: loading, failed, none, or a list. */
export function LapSummary({ timing, trackName, fileName, onRetry }: LapSummaryProps) {
  if (timing.state === 'pending') {
    return (
      <Card>
        <LoadingState>{`Timing the laps on ${trackName}…`}</LoadingState>
      </Card>
    );
  }
  if (timing.state === 'failed') {
    return (
      <Card>
        <RetryLine onRetry={onRetry}>{timing.message}</RetryLine>
      </Card>
    );
  }
  const { lapCount, bestLapTimeMs } = timing.timing;
  if (lapCount <= 0 || bestLapTimeMs === null) {
    return <NoLaps timing={timing.timing} trackName={trackName} />;
  }
  return <KnownLaps timing={timing.timing} bestLapTimeMs={bestLapTimeMs} fileName={fileName} />;
}

type KnownLapsProps = { timing: TrackTiming; bestLapTimeMs: number; fileName: string };

function KnownLaps({ timing, bestLapTimeMs, fileName }: KnownLapsProps) {
  return (
    <Card as="section" className={common['stack']}>
      <header className={styles['header']}>
        <h2 className={common['heading']}>Lap Summary</h2>
        <p className={styles['file']}>{fileName}</p>
      </header>
      <dl className={styles['figures']}>
        <div>
          <dt>Total Laps</dt>
          <dd>{timing.lapCount}</dd>
        </div>
        <div>
          <dt>Best Lap Time</dt>
          <dd>
            <LapTime lapTimeMs={bestLapTimeMs} />
          </dd>
        </div>
      </dl>
      {timing.message !== null && <p className={styles['message']}>{timing.message}</p>}
      {timing.laps.length > 0 && <Laps laps={timing.laps} bestLapTimeMs={bestLapTimeMs} />}
    </Card>
  );
}

/** Explains why there is no summary; laps that do not count are still listed with their reasons. */
function NoLaps({ timing, trackName }: { timing: TrackTiming; trackName: string }) {
  const { lapCount, message, laps } = timing;
  const why = lapCount > 0 ? `${describeLaps(lapCount, null)}.` : `No complete laps found on ${trackName}.`;
  return (
    <Card className={common['stack']}>
      <p className={styles['noLaps']}>{message ?? why}</p>
      {mayBeElsewhere(timing) && (
        <p className={styles['message']}>If the laps were driven somewhere else, change the track.</p>
      )}
      {laps.length > 0 && <Laps laps={laps} bestLapTimeMs={null} />}
    </Card>
  );
}

/** A longer list would push the form out of the window. */
const LAPS_SHOWN_AT_FIRST = 10;

function Laps({ laps, bestLapTimeMs }: { laps: readonly TimedLap[]; bestLapTimeMs: number | null }) {
  const [showsAll, setShowsAll] = useState(false);
  const isLong = laps.length > LAPS_SHOWN_AT_FIRST;
  return (
    <div className={styles['laps']}>
      <LapTable laps={showsAll ? laps : laps.slice(0, LAPS_SHOWN_AT_FIRST)} bestLapTimeMs={bestLapTimeMs} />
      {isLong && (
        <Button variant="quiet" wide aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show fewer laps' : `Show all ${laps.length} laps`}
        </Button>
      )}
    </div>
  );
}
