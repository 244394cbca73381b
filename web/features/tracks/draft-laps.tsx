import { useId } from 'react';
import { formatLapTime } from '#engine/lap-time.ts';
import { formatDifference, pluralize } from '#web/ui/format.ts';
import { formatUncertainty, LapTime } from '#web/ui/lap-time.tsx';
import common from '#web/ui/common.module.css';
import styles from './draft-laps.module.css';
import type { DraftTrack } from './track-worker.ts';

const LAPS_SHOWN_MAX = 12;

/** Shows the laps on a draft, timed by its line before anything is stored; null means that no lap crosses it. While it is timed again, the figures of before stay. */
export function DraftLaps({ draft, isTiming }: { draft: DraftTrack | null; isTiming: boolean }) {
  const headingId = useId();
  const { lapTimesMs, bestLapTimeMs } = draft ?? { lapTimesMs: [], bestLapTimeMs: null };
  const slowestMs = Math.max(...lapTimesMs);
  const shown = lapTimesMs.slice(0, LAPS_SHOWN_MAX);
  const left = lapTimesMs.length - shown.length;
  return (
    <section aria-labelledby={headingId} className={common['lines']}>
      <div className={styles['head']}>
        <h3 id={headingId} className={common['heading']}>
          Your {draft?.track.finishLine ? 'runs' : 'laps'}
        </h3>
        <output className={common['note']} aria-busy={isTiming}>
          {draft === null ? 'No lap goes over the line here.' : describeDraft(draft)}
        </output>
      </div>
      {bestLapTimeMs !== null && (
        <ol className={styles['laps']} aria-label="Lap times">
          {shown.map((lapTimeMs, index) => {
            const gapMs = lapTimeMs - bestLapTimeMs;
            const isBest = gapMs === 0;
            return (
              <li key={`${index} ${lapTimeMs}`} className={styles['lap']} data-best={isBest || undefined}>
                <span className={styles['number']}>{index + 1}</span>
                <LapTime lapTimeMs={lapTimeMs} className={styles['time']} />
                {isBest ? (
                  <span className={styles['bestLap']}>Best lap</span>
                ) : (
                  <span aria-hidden="true" className={styles['bar']}>
                    <span style={{ width: `${(100 * gapMs) / (slowestMs - bestLapTimeMs)}%` }} />
                  </span>
                )}
                <span className={styles['gap']}>{isBest ? '—' : formatDifference(gapMs)}</span>
              </li>
            );
          })}
          {left > 0 && <li className={styles['more']}>and {left} more</li>}
        </ol>
      )}
    </section>
  );
}

/** Describes the laps: '9 laps, best 0:49.765, ±0.020 s'. */
function describeDraft({ track, lapTimesMs, bestLapTimeMs, uncertaintyMs }: DraftTrack): string {
  const parts = [pluralize(lapTimesMs.length, track.finishLine ? 'run' : 'lap')];
  if (bestLapTimeMs !== null) parts.push(`best ${formatLapTime(bestLapTimeMs)}`);
  if (uncertaintyMs !== null) parts.push(`${formatUncertainty(uncertaintyMs)} s`);
  return parts.join(', ');
}
