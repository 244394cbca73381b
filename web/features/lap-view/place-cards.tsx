import type { ComparedStretch } from '#contract/lap-view/comparison.ts';
import { Card } from '#web/ui/card.tsx';
import { formatDifference } from '#web/ui/format.ts';
import page from './compared-laps.module.css';
import { NO_CERTAIN_LOSS } from './comparison-messages.ts';
import { PlaceCurves } from './place-curves.tsx';
import styles from './place-cards.module.css';
import { describePlace, readBrakingPoints, readCause, type PlacedStretch } from './place-messages.ts';
import type { Column } from './lap-lines.ts';
import type { ShownLap, ShownStretch } from './shown-laps.ts';

type PlaceCardsProps = {
  /** The rows of the stretches in which the lap loses most, the largest loss first. */
  rows: readonly number[];
  stretches: readonly ComparedStretch[];
  shown: readonly ShownStretch[];
  lapIndex: number;
  meters: Column;
  laps: readonly [reference: ShownLap, other: ShownLap];
  gapMs: number;
  /** Goes to a stretch and zooms the charts to it. */
  onOpen: (row: number) => void;
};

const NUMBER_WORDS = ['', 'One place', 'Two places', 'Three places'];

/** Shows the stretches in which a lap loses most, with the speeds of both laps there. */
export function PlaceCards(props: PlaceCardsProps) {
  return (
    <section aria-label="Places to gain" className={page['places']}>
      {props.rows.length === 0 ? <p className={styles['none']}>{NO_CERTAIN_LOSS}</p> : <Places {...props} />}
    </section>
  );
}

function Places({ rows, stretches, shown, lapIndex, meters, laps, gapMs, onOpen }: PlaceCardsProps) {
  const losses = rows.map((row) => stretches[row]?.laps[lapIndex]?.lostMs ?? 0);
  const sumMs = losses.reduce((sum, lostMs) => sum + lostMs, 0);
  const curves = { meters, speedsKmh: [laps[0].speedsKmh, laps[1].speedsKmh] as const };
  return (
    <>
      <div className={styles['head']}>
        <h2>{NUMBER_WORDS[rows.length]} to gain</h2>
        <p>{describeSum(sumMs, gapMs)}</p>
      </div>
      <ul className={styles['places']}>
        {rows.map((row, index) => {
          const stretch = stretches[row];
          if (!stretch) return null;
          const cause = readCause(stretch, lapIndex, curves);
          return (
            <Card key={stretch.startMeters} as="li" padded={false} className={styles['place']}>
              <h3>
                <button type="button" className={styles['open']} onClick={() => onOpen(row)}>
                  {shown[row]?.title} <span>{formatDifference(losses[index] ?? 0)} s</span>
                </button>
              </h3>
              <PlaceCurves
                braking={readBrakingPoints(stretch, lapIndex, cause)}
                {...{ stretch, cause, meters, laps }}
              />
              <p>{describePlace(cause, placeStretch(shown, row), laps)}</p>
            </Card>
          );
        })}
      </ul>
    </>
  );
}

function placeStretch(shown: readonly ShownStretch[], row: number): PlacedStretch {
  const before = shown[row - 1]?.title ?? null;
  return { kind: shown[row]?.kind ?? 'straight', before, isLast: row === shown.length - 1 };
}

/** Says how much the places sum up to: '0.809 of 1.341 s'. Where the whole gap is smaller, only their sum. */
function describeSum(sumMs: number, gapMs: number): string {
  const sum = (sumMs / 1000).toFixed(3);
  return gapMs >= sumMs ? `${sum} of ${(gapMs / 1000).toFixed(3)} s` : `${sum} s together`;
}
