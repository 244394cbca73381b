import { useQuery } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import Download from 'lucide-react/icons/download';
import X from 'lucide-react/icons/x';
import { useMemo, type ReactNode } from 'react';
import type { ProofBundle } from '#contract/lap-view/proof.ts';
import type { LapView } from '#contract/lap-view/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { timeProof, type CheckedCrossing, type CheckedLap } from '#engine/proof/time-proof.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { describeError } from '#web/api/api-error.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { formatCount, formatFineLength, formatSpeed } from '#web/ui/format.ts';
import { formatUncertainty } from '#web/ui/lap-time.tsx';
import { saveFile } from '#web/ui/save-file.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { FailedState } from '#web/ui/state-message.tsx';
import styles from './check-time-dialog.module.css';
import { CrossingPicture } from './crossing-picture.tsx';

/** Times a lap again in this browser, from its fixes, and shows each step. */
export function CheckTimeDialog({ lap, onClose }: { lap: LapView; onClose: () => void }) {
  const { trackId, lapId } = lap;
  const { data, error, refetch } = useQuery(
    apiQuery('GET /api/tracks/:trackId/laps/:lapId/proof', { params: { trackId, lapId } }),
  );
  return (
    <Dialog
      closesOutside
      onClose={onClose}
      title="Check this time"
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {data && <Steps bundle={data} lap={lap} />}
      {!data && !error && <Skeleton height={420} />}
      {!data && error && <FailedState title={describeError(error)} onRetry={() => void refetch()} />}
    </Dialog>
  );
}

function SimulatedNote() {
  return (
    <p>
      <b>Simulated.</b> A simulator wrote this lap file: no real car drove this lap.
    </p>
  );
}

function SampleNote() {
  return (
    <p>
      <b>Sample.</b> Pitboard simulated this lap for people who try an upload: no real car drove it.
    </p>
  );
}

function Steps({ bundle, lap }: { bundle: ProofBundle; lap: LapView }) {
  const checked = useMemo(() => timeProof(bundle.measurement), [bundle]);
  if (checked === null) return <p>The positions of this proof do not cross the line.</p>;
  const { measurement, engineVersion, lapFile } = bundle;
  return (
    <div className={styles['steps']}>
      <Verdict checked={checked} lap={lap} />
      {lap.reasons.includes('simulated') && <SimulatedNote />}
      {lap.reasons.includes('sample') && <SampleNote />}
      <ol>
        <Crossings checked={checked} measurement={measurement} />
        <Step title="Lap time">
          {checked.exactLapTimeMs.toFixed(2)} ms from crossing to crossing, rounded to{' '}
          {formatLapTime(checked.lapTimeMs)}.
        </Step>
        <Step title="Uncertainty">{describeUncertainty(checked)}</Step>
      </ol>
      <dl>
        <dt>Engine</dt>
        <dd>Version {engineVersion}</dd>
        <dt>SHA-256 of the lap file</dt>
        <dd className={styles['hash']}>{lapFile.sha256}</dd>
      </dl>
      <Button size="small" onClick={() => saveBundle(bundle)}>
        <Download size={16} aria-hidden="true" />
        Download the proof
      </Button>
      <p className={styles['note']}>
        All of this was worked out in your browser. The proof is signed by this server; npm run verify of
        Pitboard checks it without any server.
      </p>
    </div>
  );
}

type CrossingsProps = { checked: CheckedLap; measurement: ProofBundle['measurement'] };

function Crossings({ checked: { fixCount, fixesOutside, start, end }, measurement }: CrossingsProps) {
  const { startLine, finishLine, speeds } = measurement;
  return (
    <>
      <Step title="Positions">
        {formatCount(fixCount)} from the lap file, {fixesOutside} of them outside of the lap, next to the
        line.
      </Step>
      <Step title={finishLine ? 'Start line' : 'Start/finish line'}>{describeLine(startLine)}</Step>
      {finishLine && <Step title="Finish line">{describeLine(finishLine)}</Step>}
      <Step title="Start">
        {describeCrossing(start)}
        <CrossingPicture title="Start" line={startLine} crossing={start} measurement={measurement} />
      </Step>
      <Step title="End">
        {describeCrossing(end)}
        <CrossingPicture
          title="End"
          line={finishLine ?? startLine}
          crossing={end}
          measurement={measurement}
        />
      </Step>
      <Step title="Between two positions">
        The car moves along a cubic through the positions{speeds ? ' and speeds' : ''} around the line. That
        may be off by {formatFineLength(start.interpolationMeters)} at the start and{' '}
        {formatFineLength(end.interpolationMeters)} at the end.
      </Step>
    </>
  );
}

function Verdict({ checked, lap }: { checked: CheckedLap; lap: LapView }) {
  const isSame = checked.lapTimeMs === lap.lapTimeMs;
  return (
    <output className={styles['verdict']}>
      {isSame ? (
        <Check size={20} className={styles['same']} aria-hidden="true" />
      ) : (
        <X size={20} className={styles['other']} aria-hidden="true" />
      )}
      <strong>{formatLapTime(checked.lapTimeMs)}</strong>
      {isSame
        ? `The same milliseconds as on ${lap.place === null ? 'this page' : 'the board'}.`
        : `${lap.place === null ? 'This page' : 'The board'} says ${formatLapTime(lap.lapTimeMs)}.`}
    </output>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <strong>{title}</strong>
      <span>{children}</span>
    </li>
  );
}

function describeLine({ a, b }: TimingLine): string {
  const [first, second] = [a, b].map(({ lat, lon }) => `${lat.toFixed(6)}, ${lon.toFixed(6)}`);
  return `From ${first} to ${second}.`;
}

function describeCrossing(crossing: CheckedCrossing): string {
  const { fixIndex, afterFixMs, intervalMs, speedMetersPerSecond } = crossing;
  const [after, interval] = [afterFixMs, intervalMs].map((ms) => ms.toFixed(1));
  return `${after} of ${interval} ms after position ${formatCount(fixIndex + 1)}, at ${formatSpeed(3.6 * speedMetersPerSecond)}.`;
}

function inMs(part: number): string {
  return part.toFixed(1);
}

function describeUncertainty({ uncertaintyMs, uncertaintyParts: parts }: CheckedLap): string {
  const whole = `${formatUncertainty(uncertaintyMs)} s, 95 times out of 100`;
  if (!parts) return `${whole}.`;
  return `${whole}: noise ${inMs(parts.noiseMs)}, drift ${inMs(parts.driftMs)}, interpolation ${inMs(parts.interpolationMs)}, clock ${inMs(parts.clockMs)} ms, added as squares.`;
}

function saveBundle(bundle: ProofBundle): void {
  saveFile(new File([JSON.stringify(bundle)], `lap-${bundle.lapId}.json`, { type: 'application/json' }));
}
