import { formatLapTime } from '#engine/lap-time.ts';
import { formatLengthKm, pluralize } from '#web/ui/format.ts';
import common from '#web/ui/common.module.css';
import styles from './new-track.module.css';
import type { DraftTrack } from './track-worker.ts';

const LAPS_SHOWN_MAX = 12;

/** Shows the laps and times on a draft; null means that no lap crosses its line. */
export function DraftFigures({ draft }: { draft: DraftTrack | null }) {
  const shown = draft?.lapTimesMs.slice(0, LAPS_SHOWN_MAX) ?? [];
  const left = (draft?.lapTimesMs.length ?? 0) - shown.length;
  return (
    <div className={common['lines']}>
      <output className={styles['summary']}>
        {draft === null ? 'No lap goes over the line here.' : describeDraft(draft)}
      </output>
      {shown.length > 0 && (
        <ol className={styles['times']} aria-label="Lap times">
          {shown.map((lapTimeMs, index) => (
            <li key={`${index} ${lapTimeMs}`} data-best={lapTimeMs === draft?.bestLapTimeMs || undefined}>
              {formatLapTime(lapTimeMs)}
            </li>
          ))}
          {left > 0 && <li>and {left} more</li>}
        </ol>
      )}
    </div>
  );
}

export function describeLength({ track: { lengthMeters, finishLine } }: DraftTrack): string {
  const kind = finishLine ? 'Stage' : 'Circuit';
  return lengthMeters === null ? kind : `${kind}, ${formatLengthKm(lengthMeters)}`;
}

function describeDraft({ track, lapTimesMs, bestLapTimeMs }: DraftTrack): string {
  const length = track.lengthMeters === null ? [] : [formatLengthKm(track.lengthMeters)];
  const best = bestLapTimeMs === null ? [] : [`best ${formatLapTime(bestLapTimeMs)}`];
  return [...length, pluralize(lapTimesMs.length, track.finishLine ? 'run' : 'lap'), ...best].join(' · ');
}
