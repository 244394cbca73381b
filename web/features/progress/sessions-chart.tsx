import { useId, useMemo, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import type { SessionId } from '#contract/ids.ts';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { formatLapDate, formatSeconds, formatShortDate, pluralize } from '#web/ui/format.ts';
import { columnCount, pointAt } from './chart-style.ts';
import styles from './charts.module.css';
import { drawSessions, listCarChanges, type SessionsDrawing } from './draw-sessions.ts';
import { listCarFacts, type DrivenSession, type TrackRecord } from './lap-names.ts';
import { ScaleAxis } from './scale-axis.tsx';

type SessionsChartProps = {
  driver: DriverLaps;
  record: TrackRecord | null;
  chosenId: SessionId;
  onChoose: (sessionId: SessionId) => void;
};

// More columns at once could not be distinguished.
const COLUMNS_MAX = 24;

/** Shows the clean laps of each session with their median; the chosen session is the one of the stint chart. */
export function SessionsChart({ driver, record, chosenId, onChoose }: SessionsChartProps) {
  const headingId = useId();
  const inOrder = useMemo(() => driver.sessions.toReversed(), [driver]);
  const chosen = inOrder.findIndex(({ sessionId }) => sessionId === chosenId);
  // Pages are counted from the latest session, so that the last page is full.
  const page = Math.floor((inOrder.length - 1 - chosen) / COLUMNS_MAX);
  const end = inOrder.length - page * COLUMNS_MAX;
  const start = Math.max(0, end - COLUMNS_MAX);
  const shown = useMemo(() => inOrder.slice(start, end), [inOrder, start, end]);
  const choose = (index: number) => {
    const session = inOrder[Math.min(inOrder.length - 1, Math.max(0, index))];
    if (session) onChoose(session.sessionId);
  };
  return (
    <Card as="section" padded={false} aria-labelledby={headingId} className={styles['card']}>
      <div className={styles['head']}>
        <h2 id={headingId}>Sessions</h2>
        {inOrder.length > COLUMNS_MAX && (
          <span className={styles['pages']}>
            <Button size="small" disabled={start === 0} onClick={() => choose(start - 1)}>
              Earlier
            </Button>
            <Button size="small" disabled={page === 0} onClick={() => choose(end + COLUMNS_MAX - 1)}>
              Later
            </Button>
          </span>
        )}
        <Legend isOwn={driver.isOwn} />
      </div>
      <Columns {...{ driver, record, shown, chosenId }} onChoose={(index) => choose(start + index)} />
    </Card>
  );
}

function Legend({ isOwn }: { isOwn: boolean }) {
  return (
    <ul className={styles['legend']}>
      <li>lap</li>
      <li className={styles['keySessionBest']}>best of the session</li>
      <li className={styles['keyBest']}>{isOwn ? 'your best' : 'best'}</li>
      <li className={styles['keyMedian']}>median</li>
    </ul>
  );
}

type ColumnsProps = Pick<SessionsChartProps, 'driver' | 'record' | 'chosenId'> & {
  shown: readonly DrivenSession[];
  onChoose: (index: number) => void;
};

function Columns({ driver, record, shown, chosenId, onChoose }: ColumnsProps) {
  const bestLapId = driver.best?.lapId ?? null;
  const recordMs = record?.lapTimeMs ?? null;
  const drawing = useMemo(() => drawSessions(shown, bestLapId, recordMs), [shown, bestLapId, recordMs]);
  const columns = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);

  useLayoutEffect(() => {
    const button = columns.current?.querySelector<HTMLElement>(`[data-session="${chosenId}"]`);
    const scroller = columns.current?.parentElement;
    if (!button || !scroller) return;
    if (hasFocus.current) button.focus({ preventScroll: true });
    hasFocus.current = false;
    // The page itself must not move.
    const left = button.offsetLeft;
    const right = left + button.offsetWidth - scroller.clientWidth;
    scroller.scrollLeft = Math.max(right, Math.min(left, scroller.scrollLeft));
  }, [chosenId]);

  function move(event: KeyboardEvent, index: number): void {
    const last = shown.length - 1;
    const target = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (target === undefined || event.altKey || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    hasFocus.current = true;
    onChoose(target);
  }

  return (
    <div className={classNames(styles['chart'], styles['sessions'])}>
      <ScaleAxis scale={drawing?.scale ?? null} />
      <div className={styles['scroller']}>
        <div ref={columns} className={styles['columns']} style={columnCount(shown.length)}>
          {drawing && <Drawing {...{ drawing, shown }} />}
          {shown.map((session, index) => (
            <SessionColumn
              key={session.sessionId}
              session={session}
              isChosen={session.sessionId === chosenId}
              onChoose={() => onChoose(index)}
              onKeyDown={(event) => move(event, index)}
            />
          ))}
        </div>
      </div>
      {drawing?.record && record && <RecordLabel record={record} drawn={drawing.record} driver={driver} />}
    </div>
  );
}

function Drawing({ drawing, shown }: { drawing: SessionsDrawing; shown: readonly DrivenSession[] }) {
  const count = shown.length;
  const changes = listCarChanges(shown);
  return (
    <>
      <svg
        viewBox={`0 0 ${count} 1`}
        preserveAspectRatio="none"
        className={styles['plot']}
        aria-hidden="true"
      >
        {drawing.scale.ticks.map(({ timeMs, share }) => (
          <path key={timeMs} d={`M0 ${1 - share}H${count}`} className={styles['grid']} />
        ))}
        {changes.slice(1).map(({ index }) => (
          <path key={index} d={`M${index} 0V1`} className={styles['change']} />
        ))}
        {drawing.record && (
          <path
            d={`M0 ${drawing.record.y}H${count}`}
            className={classNames(styles['record'], drawing.record.isBelow && styles['below'])}
          />
        )}
        <path d={drawing.medianLine} className={styles['medianLine']} />
        <path d={drawing.laps} className={styles['laps']} />
        <path d={drawing.medians} className={styles['medians']} />
        <path d={drawing.sessionBests} className={styles['sessionBests']} />
        <path d={drawing.best} className={styles['best']} />
      </svg>
      <div className={styles['changes']} aria-hidden="true">
        {changes.map(({ index, count, label }) => (
          <span key={index} style={{ gridColumn: `${index + 1} / span ${count}` }} title={label}>
            {label}
          </span>
        ))}
      </div>
    </>
  );
}

type SessionColumnProps = {
  session: DrivenSession;
  isChosen: boolean;
  onChoose: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function SessionColumn({ session, isChosen, onChoose, onKeyDown }: SessionColumnProps) {
  const { sessionDate, spread, laps } = session;
  const date = formatLapDate(sessionDate);
  const short = formatShortDate(sessionDate);
  const best = laps.find(({ lapId }) => lapId === session.bestLapId);
  const cleanCount = spread?.lapCount ?? 0;
  return (
    <button
      type="button"
      className={styles['column']}
      aria-pressed={isChosen}
      data-session={session.sessionId}
      tabIndex={isChosen ? 0 : -1}
      aria-label={describeSession(session)}
      onClick={onChoose}
      onKeyDown={onKeyDown}
    >
      <b>
        {short}
        <span className={styles['desk']}>{date.slice(short.length)}</span>
      </b>
      <span>
        <span className={styles['desk']}>
          {best && `best ${formatLapTime(best.lapTimeMs)}, `}
          {pluralize(cleanCount, 'lap')}
        </span>
        <span className={styles['phone']}>{cleanCount}</span>
      </span>
    </button>
  );
}

function describeSession(session: DrivenSession): string {
  const { sessionDate, spread, laps, bestLapId } = session;
  const best = laps.find(({ lapId }) => lapId === bestLapId);
  return [
    formatLapDate(sessionDate),
    best && `best ${formatLapTime(best.lapTimeMs)}`,
    spread ? pluralize(spread.lapCount, 'lap') : 'no clean lap',
    spread && `median ${formatLapTime(spread.medianMs)}`,
    ...listCarFacts(session),
  ]
    .filter(Boolean)
    .join(', ');
}

type RecordLabelProps = {
  record: TrackRecord;
  drawn: NonNullable<SessionsDrawing['record']>;
  driver: DriverLaps;
};

function RecordLabel({ record, drawn, driver: { best } }: RecordLabelProps) {
  const { userName, lapTimeMs } = record;
  return (
    <span className={styles['recordLabel']} style={pointAt(0, drawn.y)}>
      Record {formatLapTime(lapTimeMs)}
      <span className={styles['desk']}>, {userName}</span>
      {drawn.isBelow && best && <span>, {formatSeconds(best.lapTimeMs - lapTimeMs)} s faster</span>}
    </span>
  );
}
