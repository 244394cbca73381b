import type { LapId, TrackId } from '#contract/ids.ts';
import type { LapLink, LapView } from '#contract/lap-view/schemas.ts';
import type { Viewer } from '#contract/people/labels.ts';
import { nameFormat } from '#engine/formats/recognise.ts';
import type { Source } from '#server/kernel/database/database.ts';
import { isOwn, maySeeLine, requireLap } from './lap-access.ts';
import {
  findLap,
  findRank,
  type LinkedLap,
  type LinkRole,
  listLinkedLaps,
  type StoredLap,
} from './lap-view-store.ts';
import { findRival } from './rival-store.ts';

type ViewOptions = {
  viewer: Viewer | null;
  findUncertaintyParts: (lap: StoredLap) => Promise<LapView['uncertaintyParts']>;
};

/** Returns a lap as the viewer may see it, with its rank and laps to compare. @throws AppError `not_found` */
export async function viewLap(
  { db, pool }: Source,
  { trackId, lapId }: { trackId: TrackId; lapId: LapId },
  { viewer, findUncertaintyParts }: ViewOptions,
): Promise<LapView> {
  const lap = requireLap(await findLap(pool, trackId, lapId, viewer?.id ?? null), viewer);
  const linked = await listLinkedLaps(pool, lap, viewer?.id ?? null);
  const find = (role: LinkRole): LinkedLap | null => linked.find((link) => link.role === role) ?? null;
  const canBeCompared = maySeeLine(lap, viewer);
  const { format, gpsRateHz, fileSha256, engineVersion } = lap;
  return {
    ...lap,
    uncertaintyParts: await findUncertaintyParts(lap),
    evidence: listEvidence(lap),
    source: { format, formatName: nameFormat(format), gpsRateHz, fileSha256, engineVersion },
    isOwn: isOwn(lap, viewer),
    canBeCompared,
    place: await findPlace(pool, lap, find),
    record: find('record'),
    ownBest: find('ownBest'),
    driverBest: find('driverBest'),
    recordInCar: find('recordInCar'),
    rival: await findRival(db, trackId, lapId),
    compareWith: canBeCompared ? findDefaultComparison(lap, [find('ownBest'), find('record')], viewer) : null,
  };
}

/**
 * Finds the lap and before it the one that it is compared with first, if there is one; no lap where the viewer may not see its
 * line. @throws AppError `not_found`
 */
export async function findShownLaps(
  { pool }: Source,
  { trackId, lapId }: { trackId: TrackId; lapId: LapId },
  viewer: Viewer | null,
): Promise<StoredLap[]> {
  const lap = requireLap(await findLap(pool, trackId, lapId, viewer?.id ?? null), viewer);
  if (!maySeeLine(lap, viewer)) return [];
  const linked = await listLinkedLaps(pool, lap, viewer?.id ?? null);
  const candidates = (['ownBest', 'record'] as const).map(
    (role) => linked.find((link) => link.role === role) ?? null,
  );
  const otherId = findDefaultComparison(lap, candidates, viewer);
  const other = otherId && (await findLap(pool, trackId, otherId, viewer?.id ?? null));
  return other && maySeeLine(other, viewer) ? [other, lap] : [lap];
}

function listEvidence({ reasons, videoUrl, grantedEvidence }: StoredLap): LapView['evidence'] {
  const isTimedHere = !reasons.includes('timed_by_logger');
  return [
    ...(isTimedHere ? (['file'] as const) : []),
    ...(videoUrl === null ? [] : (['video'] as const)),
    ...grantedEvidence.map(({ kind }) => kind),
  ];
}

async function findPlace(
  pool: Source['pool'],
  { trackId, lapId, lapTimeMs }: StoredLap,
  find: (role: LinkRole) => LapLink | null,
): Promise<LapView['place']> {
  if (find('driverBest')?.lapId !== lapId) return null;
  const place = await findRank(pool, trackId, lapTimeMs);
  if (!place) return null;
  const { rank } = place;
  // The lap may have left the board since it was read; its place counts it.
  return { rank, drivers: Math.max(rank, place.drivers), ahead: find('ahead'), behind: find('behind') };
}

/** Finds the first other lap whose line the viewer may see. */
function findDefaultComparison(
  { lapId }: StoredLap,
  candidates: readonly (LinkedLap | null)[],
  viewer: Viewer | null,
): LapId | null {
  const chosen = candidates.find(
    (link) => link !== null && link.lapId !== lapId && (isOwn(link, viewer) || !link.isPrivate),
  );
  return chosen?.lapId ?? null;
}
