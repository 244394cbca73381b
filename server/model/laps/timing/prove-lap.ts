import { createHash } from 'node:crypto';
import { cutLapProof } from '#engine/proof/lap-proof.ts';
import { timeProof } from '#engine/proof/time-proof.ts';
import { timeLaps } from '#engine/time-lap-file.ts';
import type { LapTaskResult, ProvenLap, ProveTask } from './lap-tasks.ts';
import { withLapFile } from './with-lap-file.ts';

/** Times the lap file at `path` again and proves one of its laps; null where that lap was not timed over a line. */
export async function proveLap(task: ProveTask): Promise<LapTaskResult<ProvenLap | null>> {
  const { path, track, startOffsetMs, lapTimeMs } = task;
  return await withLapFile(path, (file, bytes) => {
    const firstFixMs = file.trace.fixes.timesMs[0] ?? 0;
    const distance = (lap: { startTimeMs: number; lapTimeMs: number }) =>
      Math.abs(lap.startTimeMs - firstFixMs - startOffsetMs) + Math.abs(lap.lapTimeMs - lapTimeMs);
    const [lap] = timeLaps(file, track).laps.toSorted((a, b) => distance(a) - distance(b));
    const proof = lap && cutLapProof(file, lap, track);
    const checked = proof && timeProof(proof);
    if (!proof || !checked) return null;
    const { uncertaintyMs, sectorTimesMs } = checked;
    return {
      fileSha256: createHash('sha256').update(bytes).digest('hex'),
      proof,
      result: { lapTimeMs: checked.lapTimeMs, uncertaintyMs, sectorTimesMs },
    };
  });
}
