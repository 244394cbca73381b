import { Link } from 'wouter';
import type { LapEvidenceOfFlag } from '#contract/moderation/evidence.ts';
import type { FlaggedLap } from '#contract/moderation/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { formatDifference, formatLapDate } from '#web/ui/format.ts';
import { compareFasterFirst, lapHref } from '#web/ui/lap-url.ts';
import { describeMeant, formatFigure } from './describe-flag.ts';
import styles from './moderation.module.css';

type Row = Pick<FlaggedLap, 'lapId' | 'lapTimeMs'> & {
  words: string;
  figure: string | null;
  who: string | null;
};

/** Shows the laps that the reason is about, and links that compare each with the flagged one. */
export function ComparedTable({ lap, evidence }: { lap: FlaggedLap; evidence: LapEvidenceOfFlag }) {
  const rows = listRows(lap, evidence);
  if (rows.length === 0) return null;
  return (
    <table className={styles['compared']}>
      <caption className="visually-hidden">Laps to compare with</caption>
      <tbody>
        {rows.map(({ lapId, lapTimeMs, words, figure, who }) => (
          <tr key={lapId}>
            <th scope="row">{words}</th>
            <td>
              <b>{figure ?? formatLapTime(lapTimeMs)}</b>
            </td>
            <td data-part="gap">{figure === null && formatDifference(lapTimeMs - lap.lapTimeMs)}</td>
            <td data-part="who">{who}</td>
            <td>
              <Link
                href={lapHref(lap.trackId, compareFasterFirst(lap, { lapId, lapTimeMs }))}
                aria-label={`Compare with: ${words}`}
              >
                Compare
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function listRows(lap: FlaggedLap, { laps, curve }: LapEvidenceOfFlag): Row[] {
  const meant = laps.map((one) => ({
    ...one,
    words: describeMeant(one, curve),
    figure: one.figure !== null && curve ? formatFigure(one.figure, curve) : null,
    who: one.role === 'driver' ? formatLapDate(one.sessionDate) : one.userName,
  }));
  const others = [
    { other: lap.record, words: 'Fastest lap of another driver here' },
    { other: lap.driverOtherBest, words: 'Best other lap of this driver here' },
  ].flatMap(({ other, words }) => (other ? [{ ...other, words, figure: null, who: null }] : []));
  const shown = new Set(meant.map(({ lapId }) => lapId));
  return [...meant, ...others.filter(({ lapId }) => !shown.has(lapId))];
}
