import { and, count, countDistinct, eq, isNotNull, getTableColumns, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { type ProposedTrack, trackProposalEndpoints } from '#contract/track-proposals.ts';
import { METERS_PER_DEGREE, type Position } from '#engine/geo.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { events } from '#server/model/events/schema.ts';
import { lapFlags } from '#server/model/flags/schema.ts';
import { lapFiles, laps, sessions } from '#server/model/laps/schema.ts';
import { tracks } from './schema.ts';
import { RETIME_NOW } from './track-correction-store.ts';
import { removeNoticesMadeOf } from '#server/model/notices/notice-store.ts';
import { mergedTracks, trackProposals } from './schema.ts';

const NEAR_METERS = 5_000;
const NEAR_TRACKS_MAX = 5;

const { element: proposalSchema } = trackProposalEndpoints.listProposals.response.shape.proposals;
const proposalRows = z.array(
  proposalSchema.omit({ nearTracks: true }).extend({ lat: z.number(), lon: z.number() }),
);
const nearRows = proposalSchema.shape.nearTracks;

/** A page of the tracks that wait for approval, oldest first, and how many there are. */
export async function listTrackProposals(
  db: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ proposals: ProposedTrack[]; total: number }> {
  const { rows } = await db.execute(sql`
    SELECT tracks.id, name, location, configuration, country, tracks.status, length_meters AS "lengthMeters",
      radius_meters AS "radiusMeters", thin_outline AS outline,
      to_char(proposed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS "proposedAt",
      coalesce(users.display_name, users.full_name) AS "proposedByName",
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
    LIMIT ${limit} OFFSET ${offset}`);
  const total = await db.$count(tracks, eq(tracks.status, 'community_submitted'));
  const proposals: ProposedTrack[] = [];
  for (const { lat, lon, ...proposal } of proposalRows.parse(rows)) {
    proposals.push({ ...proposal, nearTracks: await listNear(db, proposal.id, { lat, lon }) });
  }
  return { proposals, total };
}

/** The other tracks nearest to a position. */
async function listNear(
  db: Database,
  trackId: string,
  { lat, lon }: Position,
): Promise<ProposedTrack['nearTracks']> {
  // East and west lie closer together towards the poles.
  const metersBetween = sql`
    ${METERS_PER_DEGREE}::float8 * sqrt(power(center_lat - ${lat}::float8, 2)
      + power((center_lon - ${lon}::float8) * cos(radians(${lat}::float8)), 2))`;
  const reachDegrees = NEAR_METERS / METERS_PER_DEGREE;
  const { rows } = await db.execute(sql`
    SELECT id, name, configuration, length_meters AS "lengthMeters", status, round(${metersBetween}) AS "distanceMeters"
    FROM tracks
    WHERE id <> ${trackId} AND center_lat BETWEEN ${lat - reachDegrees} AND ${lat + reachDegrees}
      AND ${metersBetween} <= ${NEAR_METERS}
    ORDER BY 6, id LIMIT ${NEAR_TRACKS_MAX}`);
  return nearRows.parse(rows);
}

export async function markTrackOfficial(tx: Database, trackId: string): Promise<void> {
  // A later definition: the list of tracks and all copies of it are made again.
  const now = sql`statement_timestamp()`;
  await tx
    .update(tracks)
    .set({ status: 'official', definedAt: now, correctedAt: now })
    .where(eq(tracks.id, trackId));
}

/** Who proposed a track; null where it was not proposed, or the account is gone. */
export async function findProposer(db: Database, trackId: string): Promise<string | null> {
  const [row] = await db
    .select({ userId: trackProposals.userId })
    .from(trackProposals)
    .where(eq(trackProposals.trackId, trackId));
  return row?.userId ?? null;
}

/** Everybody with a session on a track. */
export async function listDriversOn(db: Database, trackId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: sessions.userId })
    .from(sessions)
    .where(eq(sessions.trackId, trackId));
  return rows.map(({ userId }) => userId);
}

type TrackMove = { fromTrackId: string; intoTrackId: string };

/** Moves sessions with their laps, flags and events to another track, to be timed again there. Call it within `moveLaps`. */
export async function moveSessions(
  tx: Database,
  move: TrackMove,
): Promise<{ movedSessions: number; movedLaps: number }> {
  const { fromTrackId, intoTrackId } = move;
  // Copied and deleted rather than updated: tables that are distributed by track allow no other way.
  const movedSessions = await copyRows(tx, 'sessions', sessions, move);
  const movedLaps = await copyRows(tx, 'laps', laps, move);
  await copyRows(tx, 'events', events, move);
  await removeNoticesMadeOf(tx, eq(events.trackId, fromTrackId));
  await tx.delete(events).where(eq(events.trackId, fromTrackId));
  await tx.update(lapFlags).set({ trackId: intoTrackId }).where(eq(lapFlags.trackId, fromTrackId));
  await tx.delete(sessions).where(eq(sessions.trackId, fromTrackId));
  await tx.update(tracks).set(RETIME_NOW).where(eq(tracks.id, intoTrackId));
  return { movedSessions, movedLaps };
}

async function copyRows(
  tx: Database,
  name: 'sessions' | 'laps' | 'events',
  table: PgTable,
  { fromTrackId, intoTrackId }: TrackMove,
): Promise<number> {
  const others = Object.values(getTableColumns(table)).filter((column) => column.name !== 'track_id');
  const columns = sql.join(
    others.map((column) => sql.identifier(column.name)),
    sql`, `,
  );
  const { rowCount } = await tx.execute(sql`
    INSERT INTO ${sql.identifier(name)} (track_id, ${columns})
    SELECT ${intoTrackId}, ${columns} FROM ${sql.identifier(name)} WHERE track_id = ${fromTrackId}`);
  return rowCount ?? 0;
}

/** Makes links to a track that is about to be deleted, and to those merged into it before, lead to another one. */
export async function redirectTrack(tx: Database, { fromTrackId, intoTrackId }: TrackMove): Promise<void> {
  await tx.update(mergedTracks).set({ intoTrackId }).where(eq(mergedTracks.intoTrackId, fromTrackId));
  await tx
    .insert(mergedTracks)
    .values({ id: fromTrackId, intoTrackId })
    .onConflictDoUpdate({ target: mergedTracks.id, set: { intoTrackId } });
}

/** Deletes all sessions on a track with their laps and lap files; gives where the files are. Call it within `changeLaps`. */
export async function removeSessionsOn(
  tx: Database,
  trackId: string,
): Promise<{ storageKeys: string[]; counts: { sessions: number; drivers: number } }> {
  const [counts] = await tx
    .select({ sessions: count(), drivers: countDistinct(sessions.userId) })
    .from(sessions)
    .where(eq(sessions.trackId, trackId));
  await removeNoticesMadeOf(tx, and(eq(events.trackId, trackId), isNotNull(events.sessionId)));
  const files = await tx
    .delete(sessions)
    .where(eq(sessions.trackId, trackId))
    .returning({ sha256: sessions.lapFileSha256 });
  const hashes = files.map(({ sha256 }) => sha256);
  const removed = await tx
    .delete(lapFiles)
    .where(sql`${lapFiles.sha256} = ANY(${sql.param(hashes)}::text[])`)
    .returning({ storageKey: lapFiles.storageKey });
  return {
    storageKeys: removed.map(({ storageKey }) => storageKey),
    counts: counts ?? { sessions: 0, drivers: 0 },
  };
}
