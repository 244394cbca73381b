import type { LiveDriver } from '#contract/live/schemas.ts';
import { classNames } from '#web/ui/class-names.ts';
import { formatClockAt } from '#web/ui/format.ts';
import { formatSector, LiveTime } from './live-time.tsx';
import { findBests, listHighlights } from './standings.ts';
import styles from './live.module.css';

const HIGHLIGHTS_MAX = 4;

/** Shows who drove the best sectors of the session. */
export function BestSectors({ drivers }: { drivers: readonly LiveDriver[] }) {
  const { sectors } = findBests(drivers);
  if (sectors.every((time) => time === null)) return null;
  return (
    <section className={styles['bestSectors']}>
      <h2>Best sectors</h2>
      <div>
        {sectors.map((timeMs, sector) => (
          <p key={sector}>
            <small>S{sector + 1}</small>
            <b>{timeMs === null ? '—' : formatSector(timeMs)}</b>
            <em>
              {lastName(drivers.find(({ bestSectors }) => timeMs !== null && bestSectors[sector] === timeMs))}
            </em>
          </p>
        ))}
      </div>
    </section>
  );
}

const lastName = (driver: LiveDriver | undefined): string => driver?.name.trim().split(/\s+/).at(-1) ?? '';

/** Shows the last laps and sectors that were somebody's best. */
export function JustNow({ drivers, timeZone }: { drivers: readonly LiveDriver[]; timeZone: string }) {
  const highlights = listHighlights(drivers, HIGHLIGHTS_MAX);
  if (highlights.length === 0) return null;
  return (
    <section className={styles['feed']}>
      <h2>Just now</h2>
      <ol>
        {highlights.map(({ driver, at, timeMs, mark, sentence }) => (
          <li key={`${driver.number} ${at}`}>
            <span>{formatClockAt(at, timeZone)}</span>
            <b>{driver.name}</b>
            <span className={classNames(styles['feedTime'])}>
              {driver.highlight?.sector == null ? (
                <LiveTime timeMs={timeMs} mark={mark} />
              ) : (
                <span className={classNames(styles['time'], mark && styles[mark])}>
                  {formatSector(timeMs)}
                </span>
              )}
            </span>
            <small>{sentence}</small>
          </li>
        ))}
      </ol>
    </section>
  );
}
