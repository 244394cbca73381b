import {
  formatDifference,
  formatLength,
  formatSeconds,
  formatSpeed,
  roundSpeed,
  speedUnit,
  spellLength,
} from '#web/ui/format.ts';
import { LineKey } from './line-key.tsx';
import { accelerationG, entry } from './lap-lines.ts';
import styles from './readout.module.css';
import { isInHole, isWithin, type LapMap, type ShownLap } from './shown-laps.ts';

type LapFigures = Pick<ShownLap, 'lapId' | 'name' | 'stroke'> & {
  /** Null in a hole, where nothing was measured. */
  speedKmh: number | null;
  brakingG: number | null;
};

export type Figures = {
  meters: number;
  stretch: string | null;
  laps: LapFigures[];
  elapsedMs: number;
  /** The gap of the chosen lap with its band; null where only one lap counts. */
  gap: { gapMs: number; bandMs: number } | null;
};

/** Describes a channel of the loggers at the station, with the values of the laps in their order. */
export type ChannelFigures = { title: string; values: string };

const BRAKING_MIN_G = 0.05;

/** Reads the figures at a station. */
export function readFigures(
  { meters, elapsedMs, stretches }: LapMap,
  laps: readonly ShownLap[],
  { active, index }: { active: ShownLap | null; index: number },
): Figures {
  const here = entry(meters, index);
  const gap = active?.gap ?? null;
  return {
    meters: here,
    elapsedMs: entry(elapsedMs, index),
    stretch: stretches.find((stretch) => isWithin(here, stretch))?.title ?? null,
    laps: laps.map((lap) => {
      const { lapId, name, stroke, speedsKmh, gap: behind } = lap;
      const isHole = isInHole(here, lap);
      const timesMs = behind
        ? elapsedMs.map((timeMs, station) => timeMs + entry(behind.gapMs, station))
        : elapsedMs;
      const acceleration = accelerationG(timesMs, speedsKmh, index);
      return {
        lapId,
        name,
        stroke,
        speedKmh: isHole ? null : entry(speedsKmh, index),
        brakingG: isHole || !(acceleration < -BRAKING_MIN_G) ? null : -acceleration,
      };
    }),
    gap: gap && { gapMs: entry(gap.gapMs, index), bandMs: entry(gap.bandMs, index) },
  };
}

/** Joins the figures to one sentence for screen readers: 'At 1,424 metres, Turn 5, Luca 181, You 167, gap plus 0.086'. */
export function speakFigures(
  { meters, stretch, laps, gap }: Figures,
  channels: readonly ChannelFigures[] = [],
): string {
  const parts = laps.map(
    ({ name, speedKmh }) => `${name} ${speedKmh === null ? 'no signal' : roundSpeed(speedKmh)}`,
  );
  const sign = gap && gap.gapMs < 0 ? 'minus' : 'plus';
  const spoken = gap && `gap ${sign} ${formatSeconds(Math.abs(Math.round(gap.gapMs)))}`;
  const others = channels.map(({ title, values }) => `${title} ${values.replaceAll(' · ', ' and ')}`);
  return [`At ${spellLength(meters)}`, stretch, ...parts, spoken, ...others].filter(Boolean).join(', ');
}

/** Shows the figures at the cursor on one line, above the charts of wide screens. */
export function ReadoutLine({
  figures: { meters, stretch, laps, gap },
  channels,
}: {
  figures: Figures;
  channels: readonly ChannelFigures[];
}) {
  return (
    <p className={styles['line']} aria-hidden="true">
      <span>
        <b>{formatLength(meters)}</b> {stretch}
      </span>
      {laps.map(({ lapId, name, stroke, speedKmh }) => (
        <span key={lapId}>
          <LineKey stroke={stroke} /> {name} <b>{speedKmh === null ? '—' : roundSpeed(speedKmh)}</b>{' '}
          {speedUnit()}
        </span>
      ))}
      {gap && (
        <span>
          Gap <b>{formatDifference(gap.gapMs)} s</b> ±{formatSeconds(gap.bandMs)}
        </span>
      )}
      {channels.map(({ title, values }) => (
        <span key={title}>
          {title} <b>{values}</b>
        </span>
      ))}
    </p>
  );
}

/** Shows the figures at the cursor as a list, beside the map. */
export function ReadoutList({ figures: { meters, stretch, laps, gap, elapsedMs } }: { figures: Figures }) {
  return (
    <div className={styles['list']} aria-hidden="true">
      <p>
        <b>{formatLength(meters)}</b> {stretch}
      </p>
      <dl>
        {laps.map(({ lapId, name, stroke, speedKmh }) => (
          <div key={lapId}>
            <dt>
              <LineKey stroke={stroke} /> {name}
            </dt>
            <dd>{speedKmh === null ? `— ${speedUnit()}` : formatSpeed(speedKmh)}</dd>
          </div>
        ))}
        <div>
          <dt>{gap ? 'Gap' : 'Time'}</dt>
          <dd>
            {gap ? `${formatDifference(gap.gapMs)} s` : `${formatSeconds(elapsedMs)} s`}
            {gap && <small> ±{formatSeconds(gap.bandMs)}</small>}
          </dd>
        </div>
        <div className={styles['braking']}>
          <dt>Braking</dt>
          <dd>
            {laps
              .map(({ name, brakingG }) => {
                const braking = brakingG === null ? '—' : `${brakingG.toFixed(2)} g`;
                return laps.length > 1 ? `${name} ${braking}` : braking;
              })
              .join(' · ')}
          </dd>
        </div>
      </dl>
    </div>
  );
}
