import CloudUpload from 'lucide-react/icons/cloud-upload';
import { useLayoutEffect, type ReactNode } from 'react';
import type { LiveLap } from '#engine/live/live-state.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { classNames } from '#web/ui/class-names.ts';
import {
  formatClock,
  formatCount,
  formatDifference,
  formatDuration,
  formatLength,
  formatLocalDate,
  pluralize,
} from '#web/ui/format.ts';
import { PageTitle } from '#web/ui/page.tsx';
import type { DriveState, RecordingState } from './drive-state.ts';
import { LapDots } from './lap-dots.tsx';
import { explainProblem } from './signal-messages.ts';
import styles from './after.module.css';
import column from './column.module.css';

/** Says how far the file of the drive is on its way to the board. */
export type UploadProgress = {
  heading: string;
  note: string;
  /** Counts the finished steps, of four. */
  doneSteps: number;
  /** The share of the step that is running, from 0 to 1. */
  share: number;
  /** True where the server could not time the file, or there is none. */
  isRefused?: boolean;
};

/** A lap in the list after a drive: as driven, or as the server has timed it. */
export type ShownLap = { number: number; lapTimeMs: number | null; note: string; isHollow: boolean };

type AfterDriveProps = {
  state: DriveState;
  /** The server's laps, once they are there. */
  timed: readonly ShownLap[] | null;
  progress: UploadProgress;
  /** The one thing that is left to do. */
  next: ReactNode;
  onAgain: () => void;
  /** Null where there is no file. */
  onSave: (() => void) | null;
};

const STEPS = ['Sealed', 'Sent', 'Timed', 'On the board'];

/** Shows what a drive brought: the best lap, where its file is, and every lap. */
export function AfterDrive({ state, timed, progress, next, onAgain, onSave }: AfterDriveProps) {
  const { recording, track, live } = state;
  // The page is scrolled as it was before the drive.
  useLayoutEffect(() => window.scrollTo(0, 0), []);
  if (recording === null) return null;
  const laps = timed ?? live.laps.map(showLiveLap);
  const best = findBest(laps);
  return (
    <div className={column['column']}>
      <Head recording={recording} />
      <Result track={track} best={best} ownMs={findOwn(track)} isTimed={timed !== null} />
      <Progress {...progress} />
      {next}
      <Laps
        laps={laps}
        isTimed={timed !== null}
        best={best}
        track={track}
        none={describeNone(track, progress)}
      />
      <Recorded state={state} recording={recording} />
      <div className={styles['buttons']}>
        <Button size="large" onClick={onAgain}>
          Drive again
        </Button>
        {onSave !== null && (
          <Button size="large" onClick={onSave}>
            Save the file
          </Button>
        )}
      </div>
    </div>
  );
}

type LapsProps = Omit<ResultProps, 'ownMs'> & { laps: readonly ShownLap[]; none: string };

/** Lists the laps; `none` says why there are none. */
function Laps({ laps, isTimed, best, track, none }: LapsProps) {
  const ownMs = findOwn(track);
  const timedCount = laps.filter(({ lapTimeMs }) => lapTimeMs !== null).length;
  return (
    <section>
      <div className={styles['caption']}>
        <h2>{pluralize(timedCount, 'timed lap')}</h2>
        <span>{isTimed ? 'Timed by the server' : 'Preview; the server’s times count'}</span>
      </div>
      {laps.length > 0 ? (
        <>
          <LapDots laps={laps} beforeMs={ownMs} />
          <LapTable laps={laps} best={best} isOwnBest={ownMs !== null && best !== null && best < ownMs} />
        </>
      ) : (
        <p className={styles['none']}>{none}</p>
      )}
    </section>
  );
}

/** Returns the driver's best before this drive; null where there was none, or the track was not taken along. */
function findOwn(track: DriveState['track']): number | null {
  return track?.laps.find(({ kind }) => kind === 'own')?.lapTimeMs ?? null;
}

function describeNone(track: DriveState['track'], { isRefused = false }: UploadProgress): string {
  if (track !== null) return 'The line was not passed twice.';
  return isRefused
    ? 'This drive had no track, and its file could not be timed.'
    : 'The laps are timed after the upload: this drive had no track.';
}

function Head({ recording: { startedAtMs, endedAtMs, problem } }: { recording: RecordingState }) {
  return (
    <>
      <div className={column['head']}>
        <PageTitle>Session</PageTitle>
        <span className={classNames('num', styles['when'])}>
          {formatLocalDate(startedAtMs)}, {formatClock(startedAtMs)} to{' '}
          {formatClock(endedAtMs ?? startedAtMs)}
        </span>
      </div>
      {problem !== null && (
        <p role="alert" className={styles['problem']}>
          {explainProblem(problem)}
        </p>
      )}
    </>
  );
}

type ResultProps = {
  track: DriveState['track'];
  best: number | null;
  ownMs: number | null;
  /** True once the server has timed the laps, on a track that it has found. */
  isTimed: boolean;
};

function Result({ track, best, ownMs, isTimed }: ResultProps) {
  const names = [track?.track.name, track?.track.configuration].filter(Boolean);
  return (
    <section aria-label="Best lap">
      <p className={styles['where']}>{names.join(', ') || (isTimed ? 'Found by the server' : 'No track')}</p>
      <div className={styles['result']}>
        <span className={styles['best']}>{best === null ? '—' : formatLapTime(best)}</span>
        {best !== null && ownMs !== null && (
          <span className={classNames('num', styles['difference'])}>
            <b data-better={best < ownMs}>{formatDifference(best - ownMs)}</b>
            <span>to your best</span>
          </span>
        )}
      </div>
    </section>
  );
}

function Progress({ heading, note, doneSteps, share }: UploadProgress) {
  return (
    <Card as="section" aria-label="Upload" className={styles['progress']}>
      <div className={styles['top']}>
        <CloudUpload size={22} aria-hidden="true" />
        <output>
          <b>{heading}</b>
          <span>{note}</span>
        </output>
      </div>
      <ol className={styles['steps']}>
        {STEPS.map((name, index) => (
          <li key={name} data-state={index < doneSteps ? 'done' : index === doneSteps ? 'running' : 'open'}>
            <i aria-hidden="true">
              <i
                style={{
                  width: `${index < doneSteps ? 100 : index === doneSteps ? Math.round(100 * share) : 0}%`,
                }}
              />
            </i>
            {name}
            {index < doneSteps && <span className="visually-hidden">, done</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

type LapTableProps = { laps: readonly ShownLap[]; best: number | null; isOwnBest: boolean };

function LapTable({ laps, best, isOwnBest }: LapTableProps) {
  return (
    <table className={styles['laps']}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Lap</th>
          <th scope="col">Time</th>
          <th scope="col">Note</th>
          <th scope="col">To the best</th>
        </tr>
      </thead>
      <tbody>
        {laps.map(({ number, lapTimeMs, note }) => {
          const isBest = lapTimeMs !== null && lapTimeMs === best;
          return (
            <tr key={number} data-best={isBest}>
              <td>{number}</td>
              <td>{lapTimeMs === null ? '—' : formatLapTime(lapTimeMs)}</td>
              <td>{isBest && note === '' ? (isOwnBest ? 'Your best' : 'Best of this drive') : note}</td>
              <td>
                {lapTimeMs === null || best === null || isBest ? '—' : formatDifference(lapTimeMs - best)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Recorded({ state, recording }: { state: DriveState; recording: RecordingState }) {
  const { signal, source } = state;
  const { startedAtMs, endedAtMs, fixes, holesMs, accuracyMeters, worstAccuracyMeters } = recording;
  const rate = signal.rateHz === null ? '' : `, ${Math.round(signal.rateHz)} Hz`;
  const accuracy =
    accuracyMeters === null || worstAccuracyMeters === null
      ? 'The receiver does not say'
      : `±${formatLength(accuracyMeters, 1)}, at worst ±${formatLength(worstAccuracyMeters, 1)}`;
  const facts = [
    { name: 'Receiver', value: `${source?.name ?? 'Receiver'}${rate}` },
    { name: 'Duration', value: formatDuration((endedAtMs ?? startedAtMs) - startedAtMs) },
    { name: 'Fixes', value: formatCount(fixes) },
    { name: 'Holes', value: describeHoles(holesMs) },
    { name: 'Accuracy', value: accuracy },
  ];
  return (
    <section>
      <h2 className={styles['caption']}>What was recorded</h2>
      <Card>
        <dl className={styles['facts']}>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="num">{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </section>
  );
}

function describeHoles(holesMs: readonly number[]): string {
  const longestMs = Math.max(0, ...holesMs);
  if (holesMs.length === 0) return 'None';
  const longest = `${(longestMs / 1000).toFixed(1)} s`;
  return holesMs.length === 1
    ? `1, of ${longest}, marked`
    : `${holesMs.length}, the longest ${longest}, marked`;
}

function findBest(laps: readonly ShownLap[]): number | null {
  const times = laps.filter(({ isHollow }) => !isHollow).flatMap(({ lapTimeMs }) => lapTimeMs ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

function showLiveLap({ number, lapTimeMs, hasHole, counts }: LiveLap): ShownLap {
  const note = hasHole ? 'Hole' : counts ? '' : 'Too short or too long';
  return { number, lapTimeMs, note, isHollow: !counts };
}
