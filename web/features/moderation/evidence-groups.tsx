import type { LapEvidenceOfFlag } from '#contract/moderation/evidence.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { pluralize } from '#web/ui/format.ts';
import { makeTimeScale, toShare, type TimeScale } from '#web/ui/time-scale.ts';
import styles from './evidence.module.css';

type Group = LapEvidenceOfFlag['groups'][number];

const LABELS: Record<Group['scope'], string> = {
  driver: 'This driver',
  car: 'Others in this car model',
  class: 'Others of this class',
  all: 'All others',
};

// Slower laps than this are at the end of their line.
const SHOWN_SHARE_MAX = 1.15;

/** Shows where the time of the lap is among those of its driver, its car, its class and the board, with the limit of the check. */
export function EvidenceGroups({ groups, lapTimeMs }: { groups: readonly Group[]; lapTimeMs: number }) {
  if (groups.length === 0)
    return <p className={styles['nothing']}>There is no other lap here to compare it with.</p>;
  const scale = makeScale(groups, lapTimeMs);
  return (
    <div>
      <h3 className={styles['title']}>Lap times</h3>
      <div className={styles['groups']}>
        {groups.map((group) => (
          <GroupLine key={group.scope} {...{ group, scale, lapTimeMs }} />
        ))}
      </div>
      <p className={styles['distances']} aria-hidden="true">
        {scale.ticks.map(({ timeMs, label, share }) => (
          <span key={timeMs} style={{ left: `${100 * share}%` }}>
            {label}
          </span>
        ))}
      </p>
      <p className={styles['key']}>
        <span data-line="lap">This lap, {formatLapTime(lapTimeMs)}</span>
        {groups.some(({ limitMs }) => limitMs !== null) && (
          <span data-line="limit">Below this, the check doubts a lap</span>
        )}
      </p>
    </div>
  );
}

function makeScale(groups: readonly Group[], lapTimeMs: number): TimeScale {
  const all = groups.flatMap(({ timesMs, limitMs }) => [...timesMs, ...(limitMs === null ? [] : [limitMs])]);
  const fastestMs = Math.min(lapTimeMs, ...all);
  const slowestMs = Math.max(lapTimeMs, Math.min(fastestMs * SHOWN_SHARE_MAX, Math.max(...all)));
  return makeTimeScale([fastestMs, slowestMs]) ?? { fastestMs, slowestMs, ticks: [] };
}

type GroupLineProps = { group: Group; scale: TimeScale; lapTimeMs: number };

function GroupLine({ group: { scope, timesMs, limitMs }, scale, lapTimeMs }: GroupLineProps) {
  const [fastestMs = lapTimeMs] = timesMs;
  const path = timesMs.map((timeMs) => `M${toShare(scale, timeMs)} .5h0`).join('');
  return (
    <div className={styles['group']}>
      <p>
        {LABELS[scope]}
        <small>
          {pluralize(timesMs.length, 'lap')}, fastest {formatLapTime(fastestMs)}
          {limitMs !== null && `, limit ${formatLapTime(limitMs)}`}
        </small>
      </p>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        <path d="M0 .5H1" className={styles['grid']} />
        <path d={path} className={styles['dots']} />
        <path d={`M${toShare(scale, lapTimeMs)} 0V1`} className={styles['ownTime']} />
        {limitMs !== null && <path d={`M${toShare(scale, limitMs)} 0V1`} className={styles['limit']} />}
      </svg>
    </div>
  );
}
