import { useId, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { LapId, TrackId } from '#contract/ids.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Facts } from '#web/ui/facts.tsx';
import { formatLapDate, formatSeconds, pluralize } from '#web/ui/format.ts';
import { lapHref } from '#web/ui/lap-url.ts';
import { ChartCursor } from './chart-cursor.tsx';
import styles from './charts.module.css';
import { drawStint, type StintDrawing } from './draw-stint.ts';
import { describeLap, listCarFacts, nameTwoLaps, type DrivenLap, type SessionLap } from './lap-names.ts';
import { ScaleAxis } from './scale-axis.tsx';
import { SessionTable } from './session-table.tsx';
import { columnCount, pointAt } from './chart-style.ts';

type StintChartProps = {
  trackId: TrackId;
  session: SessionLap['session'];
  sectorNames: readonly string[];
  bestLapId: LapId | null;
  /** The lap that was chosen first, of this or of another session. */
  chosen: SessionLap | null;
  onChoose: (lap: DrivenLap | null) => void;
};

/** Shows the laps of one session in their order. Two laps that are chosen one after the other open their comparison. */
export function StintChart({ trackId, session, sectorNames, bestLapId, chosen, onChoose }: StintChartProps) {
  const headingId = useId();
  const drawing = useMemo(() => drawStint(session), [session]);
  const [active, setActive] = useState<number | null>(null);
  const { laps, spread, sessionDate } = session;
  const activeLap = active === null ? undefined : laps[active];
  return (
    <Card as="section" padded={false} aria-labelledby={headingId} className={styles['card']}>
      <div className={styles['head']}>
        <h2 id={headingId}>Stint of {formatLapDate(sessionDate)}</h2>
        <span className={styles['note']}>
          {pluralize(laps.length, 'lap')}, {spread?.lapCount ?? 0} of them clean
        </span>
      </div>
      <p className={styles['note']}>
        <Facts facts={listCarFacts(session)} />
      </p>
      {drawing ? (
        <StintPlot {...{ drawing, session, bestLapId, chosen, onChoose, active }} onActive={setActive} />
      ) : (
        <p className={styles['empty']}>No lap of this session is clean.</p>
      )}
      {drawing && (
        <p className={styles['readout']}>
          {activeLap
            ? describeLap(activeLap, session)
            : laps.length > 1
              ? 'Choose a lap to open it, or two laps to compare them.'
              : 'Choose the lap to open it.'}
        </p>
      )}
      <output className={styles['readout']}>
        {chosen && <ChosenLap {...{ trackId, session, chosen }} />}
      </output>
      {spread && (
        <ul className={styles['legend']}>
          {spread.lapCount > 1 && (
            <li className={styles['keyMedian']}>median {formatLapTime(spread.medianMs)}</li>
          )}
          {spread.spreadMs !== null && (
            <li className={styles['keyBand']}>half of the laps, ±{formatSeconds(spread.spreadMs)} s</li>
          )}
          <li className={styles['keyHollow']}>not clean</li>
        </ul>
      )}
      <SessionTable {...{ session, trackId, sectorNames }} />
    </Card>
  );
}

function ChosenLap({
  trackId,
  session,
  chosen,
}: Pick<StintChartProps, 'trackId' | 'session'> & { chosen: SessionLap }) {
  const isHere = chosen.session.sessionId === session.sessionId;
  const date = isHere ? '' : ` of ${formatLapDate(chosen.session.sessionDate)}`;
  return (
    <>
      <Link href={lapHref(trackId, { lapId: chosen.lap.lapId, otherIds: [] })} className={styles['link']}>
        Open lap {chosen.lap.number}
        {date}
      </Link>
      {isRanking(chosen.lap) && session.laps.some((lap) => isRanking(lap) && lap !== chosen.lap)
        ? ', or choose another lap to compare with it.'
        : '.'}
    </>
  );
}

type StintPlotProps = Pick<StintChartProps, 'session' | 'bestLapId' | 'chosen' | 'onChoose'> & {
  drawing: StintDrawing;
  active: number | null;
  onActive: (index: number | null) => void;
};

function StintPlot(props: StintPlotProps) {
  const { drawing, session, chosen, onChoose, active, onActive } = props;
  const { laps, sessionDate } = session;
  const chosenHere = laps.findIndex(({ lapId }) => lapId === chosen?.lap.lapId);
  const last = laps.length - 1;
  const { marks } = drawing;
  const hasUpperMarks = marks.some(({ row }) => row === 1);
  return (
    <div
      className={classNames(
        styles['chart'],
        styles['stint'],
        marks.length === 0 && styles['withoutMarks'],
        hasUpperMarks && styles['withUpperMarks'],
      )}
    >
      <ScaleAxis scale={drawing.scale} unit="Lap" />
      <div className={styles['scroller']}>
        <div className={styles['columns']} style={columnCount(laps.length)}>
          <StintLines {...props} />
          {laps.map(({ lapId, number }, index) => (
            <span
              key={lapId}
              aria-hidden="true"
              className={classNames(
                styles['lapNumber'],
                index === (active ?? chosenHere) && styles['active'],
              )}
            >
              {number}
            </span>
          ))}
          <StintMarks {...props} chosenHere={chosenHere} />
          <ChartCursor
            label={`Laps of ${formatLapDate(sessionDate)}`}
            count={laps.length}
            active={active}
            valueText={nameLap(props, laps[active ?? 0])}
            findIndex={(share) => Math.min(last, Math.max(0, Math.floor(share * laps.length)))}
            onActive={onActive}
            onChoose={(index) => onChoose(laps[index] ?? null)}
            onEscape={() => onChoose(null)}
          />
        </div>
      </div>
    </div>
  );
}

function nameLap({ session, chosen }: StintPlotProps, lap: DrivenLap | undefined): string {
  if (!lap) return '';
  const name = describeLap(lap, session);
  if (!chosen || chosen.lap.lapId === lap.lapId) return name;
  return `${name}. Compare ${nameTwoLaps(chosen, { lap, session })}`;
}

function StintLines({ drawing, session, bestLapId }: StintPlotProps) {
  const count = session.laps.length;
  const { scale, line, dots, median, band, points } = drawing;
  const best = points.find(({ lap }) => lap.lapId === bestLapId);
  return (
    <svg viewBox={`0 0 ${count} 1`} preserveAspectRatio="none" className={styles['plot']} aria-hidden="true">
      {band && <rect x={0} y={band.top} width={count} height={band.height} className={styles['band']} />}
      {scale.ticks.map(({ timeMs, share }) => (
        <path key={timeMs} d={`M0 ${1 - share}H${count}`} className={styles['grid']} />
      ))}
      {median !== null && <path d={`M0 ${median}H${count}`} className={styles['median']} />}
      <path d={line} className={styles['stintLine']} />
      <path d={dots} className={styles['stintDots']} />
      {best && best.y !== null && <path d={`M${best.x} ${best.y}h0`} className={styles['best']} />}
    </svg>
  );
}

// Farther to the right, there is no room after the dot on a phone.
const BEST_LABEL_AFTER_MAX = 0.75;

function StintMarks({
  drawing,
  session,
  bestLapId,
  active,
  chosenHere,
}: StintPlotProps & { chosenHere: number }) {
  const count = session.laps.length;
  const best = drawing.points.find(({ lap }) => lap.lapId === bestLapId);
  return (
    <span className={styles['marks']} aria-hidden="true">
      {drawing.marks.map(({ lapId, text, x, row }) => (
        <span
          key={lapId}
          className={classNames(styles['mark'], row === 1 && styles['upper'])}
          style={{ left: `${(x / count) * 100}%` }}
        >
          {row === null ? '' : text}
          <i />
        </span>
      ))}
      {best && best.y !== null && (
        <span
          className={classNames(
            styles['bestLabel'],
            best.x / count > BEST_LABEL_AFTER_MAX && styles['beforeDot'],
          )}
          style={pointAt(best.x / count, best.y)}
        >
          {formatLapTime(best.lap.lapTimeMs)}
        </span>
      )}
      {[active, chosenHere].map((index, which) => {
        const point = index === null ? undefined : drawing.points[index];
        const name = which === 0 ? 'ring' : 'chosenRing';
        if (!point || point.y === null) return null;
        return <span key={name} className={styles[name]} style={pointAt(point.x / count, point.y)} />;
      })}
    </span>
  );
}
