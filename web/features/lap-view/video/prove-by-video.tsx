import { useState } from 'react';
import type { SentCameraPositions } from '#contract/lap-view/videos.ts';
import { LIMITS } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { useCall } from '#web/ui/use-call.ts';
import type { Recording } from './open-recording.ts';
import type { SteppedProps } from './use-side.ts';
import styles from './video-panel.module.css';

/** Positions are sent from so long before the lap until so long after it. */
const MARGIN_MS = 5_000;

/** Offers the driver to make the positions in their video evidence for the lap. The picture is not sent. */
export function ProveByVideo({
  trackId,
  lap,
  places,
  times,
  recording,
}: SteppedProps & { recording: Recording }) {
  const [sentence, setSentence] = useState<string | null>(null);
  const { run, isBusy } = useCall('POST /api/lap-videos/:trackId/:lapId/evidence', {
    failure: 'Not Compared',
    onDone: (answer) => setSentence(answer.sentence),
  });
  const lapTimeMs = places.elapsedMs[places.elapsedMs.length - 1] ?? 0;
  const positions = times.isOwn ? cutPositions(recording, times.lapStartMs, lapTimeMs) : null;
  if (!positions) return null;
  return (
    <div className={styles['buttons']}>
      <Button
        size="small"
        pending={isBusy}
        onClick={() => void run({ params: { trackId, lapId: lap.lapId }, body: positions })}
      >
        Use Its GPS as Evidence
      </Button>
      <output className={styles['note']}>
        {sentence ?? 'Sends where the camera was during this lap, and no picture.'}
      </output>
    </div>
  );
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
