import type { TracedLap } from '#engine/comparison/lap-trace.ts';
import {
  listDisagreements,
  measureCameraAgreement,
  type CameraAgreement,
} from '#engine/plausibility/camera-agreement.ts';
import type { FixColumns } from '#engine/fix-columns.ts';
import { changeLaps } from '#server/model/boards/change-laps.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { Doubt } from './automatic-rules.ts';
import { findOverlappingLap, type OverlappingLap } from './camera-store.ts';
import type { LapToCheck } from './check-store.ts';
import { upsertEvidence } from './question-store.ts';

const CAMERA = 'camera-csv';

export const isOfCamera = ({ device }: Pick<LapToCheck, 'device'>): boolean => device.startsWith(CAMERA);

type Checked = { lap: LapToCheck; traced: TracedLap };
type ReadTrace = (lap: OverlappingLap) => Promise<TracedLap | null>;

/**
 * Compares a lap with the recording of a camera at that time. Agreement becomes evidence for the lap; disagreement becomes a
 * doubt about it.
 */
export async function checkCamera(
  db: Database,
  { lap, traced }: Checked,
  readTrace: ReadTrace,
): Promise<Doubt[]> {
  if (isOfCamera(lap)) return [];
  const camera = await findOverlappingLap(db, lap, true);
  const seen = camera && (await readTrace(camera));
  if (!camera || !seen) return [];
  // The clocks of the files have different origins; the database has the begin of both laps.
  const shiftMs = traced.lap.startTimeMs + camera.laterMs - seen.lap.startTimeMs;
  const { fixes } = seen.trace;
  const onOwnClock = { ...fixes, timesMs: fixes.timesMs.map((timeMs) => timeMs + shiftMs) };
  const agreement = measureCameraAgreement(traced, onOwnClock);
  if (!agreement) return [];
  const figures = listFigures(agreement);
  const reasons = listDisagreements(agreement);
  if (reasons.length > 0)
    return [{ reason: 'camera', sentence: `The camera ${reasons.join('; ')}.`, figures }];
  await grantCameraEvidence(db, lap, { source: 'GoPro', figures });
  return [];
}

function listFigures(agreement: CameraAgreement): Record<string, number> {
  return Object.fromEntries(Object.entries(agreement).filter(([, value]) => Number.isFinite(value)));
}

type OpenedVideo = { camera: string; fixes: FixColumns };

/**
 * Compares a lap with the positions in a video that its driver has opened, on the clock of the lap. Agreement becomes evidence that says
 * so; the positions came from the browser, and are not kept. Returns what does not agree.
 */
export async function checkOpenedVideo(
  db: Database,
  lap: Pick<LapToCheck, 'trackId' | 'lapId' | 'userId'>,
  { traced, video: { camera, fixes } }: { traced: TracedLap; video: OpenedVideo },
): Promise<string[]> {
  const agreement = measureCameraAgreement(traced, fixes);
  if (!agreement) return ['was not there at that time'];
  const reasons = listDisagreements(agreement);
  if (reasons.length === 0) {
    const source = `${camera}; its driver opened the video, and the server compared its positions`;
    await grantCameraEvidence(db, lap, { source, figures: listFigures(agreement) });
  }
  return reasons;
}

/** Stores the evidence and updates the board, which has a filter by evidence. */
async function grantCameraEvidence(
  db: Database,
  { trackId, lapId, userId: driverId }: Pick<LapToCheck, 'trackId' | 'lapId' | 'userId'>,
  { source, figures }: { source: string; figures: object },
): Promise<void> {
  await db.transaction((tx) =>
    changeLaps(tx, { trackId, userIds: [], recorded: 'none' }, () =>
      upsertEvidence(tx, { trackId, lapId, driverId, kind: 'video-gps', source, figures }),
    ),
  );
}
