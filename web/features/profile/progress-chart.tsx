import { useState } from 'react';
import { formatLapTime } from '#engine/lap-time.ts';
import { Card } from '#web/ui/card.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { formatCount, formatLapDate } from '#web/ui/format.ts';
import type { Progress } from './progress.ts';
import styles from './progress-chart.module.css';

// Each group has its own stroke: colour and dashes both tell them apart.
const STROKES = [
  { color: 'var(--lap-a)', dashes: undefined },
  { color: 'var(--lap-b)', dashes: '8 5' },
  { color: 'var(--lap-c)', dashes: '2 4' },
  { color: 'var(--lap-d)', dashes: '12 4 2 4' },
] as const;

const findStroke = (groupIndex: number) => STROKES[groupIndex % STROKES.length] ?? STROKES[0];

type ProgressChartProps = { progress: Progress; firstDate: string; lastDate: string };

/** Draws a season: every lap is a dot, the bests are a line, by car and tyres. The list below has all laps as text. */
export function ProgressChart({ progress, firstDate, lastDate }: ProgressChartProps) {
  const { groups } = progress;
  const [chosen, setChosen] = useState('');
  const isShown = (groupIndex: number) => chosen === '' || groups[groupIndex]?.key === chosen;
  return (
    <Card as="section" className={styles['card']}>
      <div className={styles['head']}>
        <h2 className={styles['heading']}>Progress</h2>
        {groups.length > 1 && (
          <SelectField
            label="Car and tires"
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            <option value="">All</option>
            {groups.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <Plot progress={progress} isShown={isShown} />
      <p className={styles['days']}>
        <span>{formatLapDate(firstDate)}</span>
        <span>{formatLapDate(lastDate)}</span>
      </p>
      <Legend progress={progress} />
    </Card>
  );
}

type PlotProps = { progress: Progress; isShown: (groupIndex: number) => boolean };

function Plot({ progress: { dots, lines, slowestMs, fastestMs }, isShown }: PlotProps) {
  return (
    <div className={styles['plot']} aria-hidden="true">
      <span className={styles['slowest']}>{formatLapTime(slowestMs)}</span>
      <span className={styles['fastest']}>{formatLapTime(fastestMs)}</span>
      <div className={styles['area']}>
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" className={styles['lines']}>
          {lines
            .filter(({ groupIndex }) => isShown(groupIndex))
            .map(({ groupIndex, points }) => (
              <polyline
                key={groupIndex}
                points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
                stroke={findStroke(groupIndex).color}
                strokeDasharray={findStroke(groupIndex).dashes}
              />
            ))}
        </svg>
        {dots
          .filter(({ groupIndex }) => isShown(groupIndex))
          .map(({ lapId, groupIndex, x, y }) => (
            <span
              key={lapId}
              className={styles['dot']}
              style={{
                left: `${x * 100}%`,
                top: `${y * 100}%`,
                background: findStroke(groupIndex).color,
              }}
            />
          ))}
      </div>
    </div>
  );
}

function Legend({ progress: { groups, hiddenCount } }: { progress: Progress }) {
  return (
    <ul className={styles['legend']}>
      {groups.map(({ key, label }, groupIndex) => (
        <li key={key}>
          <svg width="26" height="4" viewBox="0 0 26 4" aria-hidden="true">
            <path
              d="M0 2H26"
              stroke={findStroke(groupIndex).color}
              strokeWidth="3"
              strokeDasharray={findStroke(groupIndex).dashes}
            />
          </svg>
          {label}
        </li>
      ))}
      {hiddenCount > 0 && <li>{formatCount(hiddenCount)} slower laps are not shown</li>}
    </ul>
  );
}
