import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { TrackId, UserId } from '#contract/ids.ts';
import { type ProposedTrack, trackProposalEndpoints } from '#contract/tracks/proposals.ts';
import { METERS_PER_DEGREE, type Position } from '#engine/geo.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows, isoSeconds } from '#server/kernel/database/query-rows.ts';
import { PERSON_NAME } from '#server/model/people/driver-name.ts';
import type { TrackMove } from '#server/kernel/database/copy-track-rows.ts';
import { sessions } from '#server/model/laps/schema.ts';
import { mergedTracks, trackProposals, tracks } from './schema.ts';

const NEAR_METERS = 5_000;
const NEAR_TRACKS_MAX = 5;

const { element: proposalSchema } = trackProposalEndpoints.listProposals.response.shape.proposals;
const proposalRow = proposalSchema.omit({ nearTracks: true }).extend({ lat: z.number(), lon: z.number() });
const nearRow = proposalSchema.shape.nearTracks.element;

/** Lists a page of the tracks that wait for approval, oldest first, with the total count. */
export async function listTrackProposals(
  db: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ proposals: ProposedTrack[]; total: number }> {
  const query = sql`
    SELECT tracks.id, name, location, configuration, country, tracks.status, length_meters AS "lengthMeters",
      radius_meters AS "radiusMeters", thin_outline AS outline, origin,
      ${sql.raw(isoSeconds('proposed_at'))} AS "proposedAt",
      ${sql.raw(PERSON_NAME)} AS "proposedByName",
      driven.session_count AS "sessionCount", driven.driver_count AS "driverCount",
      (SELECT coalesce(sum(lap_count), 0)::int FROM session_bests WHERE session_bests.track_id = tracks.id) AS "lapCount",
      center_lat AS lat, center_lon AS lon
    FROM tracks
    LEFT JOIN track_proposals ON track_proposals.track_id = tracks.id
    LEFT JOIN users ON users.id = track_proposals.user_id
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS session_count, count(DISTINCT user_id)::int AS driver_count
      FROM sessions WHERE sessions.track_id = tracks.id
    ) AS driven
    WHERE tracks.status = 'community_submitted'
    ORDER BY proposed_at NULLS FIRST, tracks.id
    LIMIT ${limit} OFFSET ${offset}`;
  const rows = await executeRows(db, proposalRow, query);
  const total = await db.$count(tracks, eq(tracks.status, 'community_submitted'));
  const proposals: ProposedTrack[] = [];
  for (const { lat, lon, ...proposal } of rows) {
    proposals.push({ ...proposal, nearTracks: await listNear(db, proposal.id, { lat, lon }) });
  }
  return { proposals, total };
}

/** Lists the other tracks nearest to a position. */
async function listNear(
  db: Database,
  trackId: TrackId,
  { lat, lon }: Position,
): Promise<ProposedTrack['nearTracks']> {
  // East and west lie closer together towards the poles.
  const metersBetween = sql`
    ${METERS_PER_DEGREE}::float8 * sqrt(power(center_lat - ${lat}::float8, 2)
      + power((center_lon - ${lon}::float8) * cos(radians(${lat}::float8)), 2))`;
  const reachDegrees = NEAR_METERS / METERS_PER_DEGREE;
  const query = sql`
    SELECT id, name, configuration, length_meters AS "lengthMeters", status, round(${metersBetween}) AS "distanceMeters"
    FROM tracks
    WHERE id <> ${trackId} AND center_lat BETWEEN ${lat - reachDegrees} AND ${lat + reachDegrees}
      AND ${metersBetween} <= ${NEAR_METERS}
    ORDER BY 6, id LIMIT ${NEAR_TRACKS_MAX}`;
  return await executeRows(db, nearRow, query);
}

export async function markTrackOfficial(tx: Database, trackId: TrackId): Promise<void> {
  // A later definition: the list of tracks and all copies of it are made again.
  const now = sql`statement_timestamp()`;
  await tx
    .update(tracks)
    .set({ status: 'official', definedAt: now, correctedAt: now })
    .where(eq(tracks.id, trackId));
}

/** Finds the user who proposed a track; null where it was not proposed, or the account is deleted. */
export async function findProposer(db: Database, trackId: TrackId): Promise<UserId | null> {
  const [row] = await db
    .select({ userId: trackProposals.userId })
    .from(trackProposals)
    .where(eq(trackProposals.trackId, trackId));
  return row?.userId ?? null;
}

export async function listDriversOn(db: Database, trackId: TrackId): Promise<UserId[]> {
  const rows = await db
    .selectDistinct({ userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.trackId, trackId));
  return rows.map(({ userId }) => userId);
}

/** Makes links to a track that is about to be deleted, and to those merged into it before, lead to another one. */
export async function redirectTrack(tx: Database, { fromTrackId, intoTrackId }: TrackMove): Promise<void> {
  await tx.update(mergedTracks).set({ intoTrackId }).where(eq(mergedTracks.intoTrackId, fromTrackId));
  await tx
    .insert(mergedTracks)
    .values({ id: fromTrackId, intoTrackId })
    .onConflictDoUpdate({ target: mergedTracks.id, set: { intoTrackId } });
}
