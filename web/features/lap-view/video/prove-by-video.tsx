import { useEffect, useRef, useState } from 'react';
import type { SentCameraPositions } from '#contract/lap-view/videos.ts';
import { LIMITS } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { useCall } from '#web/ui/use-call.ts';
import type { Recording } from './open-recording.ts';
import type { SteppedProps } from './use-side.ts';
import styles from './video-panel.module.css';

/** Positions are sent from so long before the lap until so long after it. */
const MARGIN_MS = 5_000;

/**
 * Compares where the camera was with the lap file, once for each video that the driver of the lap opens. Only these positions are sent,
 * and the server decides whether they are evidence.
 */
export function ProveByVideo(props: SteppedProps & { recording: Recording }) {
  const { places, times, recording } = props;
  const [positions] = useState(() => {
    const lapTimeMs = places.elapsedMs[places.elapsedMs.length - 1] ?? 0;
    return times.mayProve ? cutPositions(recording, times.lapStartMs, lapTimeMs) : null;
  });
  return positions && <Comparison {...props} positions={positions} />;
}

function Comparison({ trackId, lap, positions }: SteppedProps & { positions: SentCameraPositions }) {
  const { run, isBusy, result, sentence } = useCall('POST /api/lap-videos/:trackId/:lapId/evidence');
  const compare = () => void run({ params: { trackId, lapId: lap.lapId }, body: positions });
  const isBegun = useRef(false);
  useEffect(() => {
    if (isBegun.current) return;
    isBegun.current = true;
    compare();
  });
  return (
    <div className={styles['buttons']}>
      <output className={styles['note']}>{describe(result, sentence)}</output>
      {sentence !== null && (
        <Button size="small" pending={isBusy} onClick={compare}>
          Compare Again
        </Button>
      )}
    </div>
  );
}

/** Says what came of the comparison. */
function describe(result: { agrees: boolean; sentence: string } | null, problem: string | null): string {
  if (problem !== null) return `The GPS of this video was not compared: ${problem}`;
  if (result === null) return 'Comparing its GPS with the lap file. The picture stays here.';
  if (result.agrees) return `${result.sentence} The lap has this as evidence; the picture stays here.`;
  return `Its GPS is no evidence for this lap: ${result.sentence}`;
}

/** Cuts the positions around a lap out of a recording; null where its camera had no UTC, measured no speed or was not there. */
function cutPositions(
  { camera }: Recording,
  lapStartMs: number,
  lapTimeMs: number,
): SentCameraPositions | null {
  if (!camera || camera.utcTimesMs.length === 0) return null;
  const rows: number[] = [];
  let lastMs = lapStartMs - MARGIN_MS;
  camera.utcTimesMs.forEach((timeMs, row) => {
    if (
      Number.isNaN(camera.speedsMetersPerSecond[row]) ||
      timeMs <= lastMs ||
      timeMs > lapStartMs + lapTimeMs + MARGIN_MS
    )
      return;
    rows.push(row);
    lastMs = timeMs;
  });
  if (rows.length < 2 || rows.length > LIMITS.cameraPositionsMax) return null;
  const pick = (column: readonly number[]) => rows.map((row) => column[row] ?? 0);
  return {
    camera: camera.camera.replaceAll(/[^\w .-]/g, '').slice(0, 40) || 'Camera',
    timesMs: pick(camera.utcTimesMs),
    lats: pick(camera.lats),
    lons: pick(camera.lons),
    speedsMetersPerSecond: pick(camera.speedsMetersPerSecond),
  };
}
