import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import type { UserId } from '#contract/ids.ts';
import { type LapEvidenceOfFlag, moderationEndpoints } from '#contract/moderation/evidence.ts';
import type { AnyFlagReason } from '#contract/moderation/labels.ts';
import { NO_SUCH_LAP } from '#contract/lap-view/schemas.ts';
import { mayAdminister, type Viewer } from '#contract/people/labels.ts';
import { decodeLapTrace, type TracedLap } from '#engine/comparison/lap-trace.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import type { LapKey } from '#server/model/flags/decide-lap.ts';
import { listFlags } from '#server/model/flags/flag-store.ts';
import { readMeasure } from '#server/model/flags/read-measure.ts';
import { type FindLapTrace, openLapTraces } from '#server/model/laps/lap-traces.ts';
import { maySeeLine } from '#server/model/laps/lap-access.ts';
import { findLap, type StoredLap } from '#server/model/laps/lap-view-store.ts';
import { findReferenceLine } from '#server/model/laps/reference-line-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { drawEvidence, type DrawnFlag, numberCorners } from './draw-evidence.ts';
import { findNamedLap, findStorageKeys, type KnownLap, listKnownLaps } from './evidence-store.ts';
import {
  findMost,
  findQuantity,
  groupLaps,
  listMeantLaps,
  listPeers,
  type ShownFlag,
  toFigures,
} from './lap-evidence.ts';
import { countWaiting, listDecidedLaps } from './moderation-store.ts';

export function mountModerationRoutes(app: FastifyInstance, services: Services): void {
  const { db, pool } = services.database;
  const findTrace = openLapTraces({ ...services, db, log: app.log });

  serve(app, moderationEndpoints.waiting, ({ viewer }) =>
    countWaiting(pool, viewer.id, mayAdminister(viewer)),
  );

  serve(app, moderationEndpoints.decidedLaps, ({ viewer, query }) => listDecidedLaps(pool, viewer.id, query));

  serve(app, moderationEndpoints.evidence, async ({ viewer, params, query }) => {
    const lap = await findLap(pool, params.trackId, params.lapId, viewer.id);
    if (!lap) throw new AppError('not_found', NO_SUCH_LAP);
    const flag = await getFlag(services, params, query.reason);
    return await showEvidence(services, findTrace, { lap, flag, viewer });
  });
}

async function getFlag(
  { database: { db } }: Services,
  { lapId }: LapKey,
  reason: AnyFlagReason | undefined,
): Promise<ShownFlag> {
  const flags = await listFlags(db, lapId);
  const open = flags.filter(({ decisionId }) => decisionId === null);
  if (open.length === 0)
    throw new AppError('conflict', 'This lap has no open flag; somebody may have decided.');
  const flag = open.find((one) => reason === undefined || one.reason === reason);
  if (!flag) throw new AppError('not_found', 'This lap has no such flag.');
  // An appeal is about what the automatic checks found before.
  const automatic = flags.find(({ userId }) => userId === null);
  return flag.reason === 'appeal' ? (automatic ?? flag) : flag;
}

/** Draws so many laps of others to show what is usual. */
const OTHERS_DRAWN = 5;

async function showEvidence(
  services: Services,
  findTrace: FindLapTrace,
  { lap, flag, viewer }: { lap: StoredLap; flag: ShownFlag; viewer: Viewer },
): Promise<LapEvidenceOfFlag> {
  const { pool } = services.database;
  const known = await listKnownLaps(pool, lap);
  const others = known.filter(({ driverId }) => driverId !== lap.driverId);
  const measure = readMeasure(flag.reason, toFigures(flag.figures));
  const quantity = findQuantity(flag, measure);
  const peers = listPeers(lap, others, quantity);
  const most = findMost(peers, quantity);
  const copied =
    flag.otherLapId === null ? undefined : await findNamedLap(pool, lap.trackId, flag.otherLapId);
  const shown = {
    reason: flag.reason,
    groups: groupLaps(lap, known, flag),
    laps: listMeantLaps(lap, known, { flag, most, copied }),
  };
  // The line of a private lap is not for a moderator who alone has flagged it.
  const stored = maySeeLine(lap, viewer) ? await findTrace(lap, viewer.id) : null;
  const traced = stored && decodeLapTrace(stored.trace);
  if (!traced) return { ...shown, curve: null, path: null, place: null, closeUp: null };
  const measured = { quantity, limit: measure?.limit ?? null, othersMost: most?.figure ?? null };
  const drawn = {
    ...measured,
    traced,
    others: await findOthers(services, findTrace, { lap, peers, readerId: viewer.id }),
  };
  return { ...shown, ...(await drawOnTrack(services, lap, drawn)) };
}

/** Draws the evidence with the outline and the corners of the track. */
async function drawOnTrack(
  { database: { db } }: Services,
  { trackId }: StoredLap,
  drawn: Omit<DrawnFlag, 'findCorner'>,
) {
  const track = found(await findTrack(db, trackId), moderationEndpoints.evidence);
  const line = await findReferenceLine(db, trackId);
  return drawEvidence({ ...drawn, findCorner: numberCorners(line?.line ?? null, track) }, track);
}

/** Finds the traces of the peers next to the lap by lap time whose drivers show their lines. */
async function findOthers(
  { database: { pool } }: Services,
  findTrace: FindLapTrace,
  { lap, peers, readerId }: { lap: StoredLap; peers: readonly KnownLap[]; readerId: UserId },
): Promise<TracedLap[]> {
  const distance = ({ lapTimeMs }: KnownLap) => Math.abs(lapTimeMs - lap.lapTimeMs);
  const nearest = peers
    .filter(({ isPrivate }) => !isPrivate)
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, OTHERS_DRAWN);
  const keys = await findStorageKeys(pool, nearest);
  const traced = await Promise.all(
    nearest.map(async (other) => {
      const storageKey = keys.get(other.fileSha256);
      const stored = storageKey === undefined ? null : await findTrace({ ...other, storageKey }, readerId);
      return stored && decodeLapTrace(stored.trace);
    }),
  );
  return traced.filter((other) => other !== null);
}
