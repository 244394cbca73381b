import type { FastifyBaseLogger } from 'fastify';
import type { TrackId } from '#contract/ids.ts';
import { outlineFromLine } from '#engine/comparison/outline-from-line.ts';
import { decodeReferenceLine } from '#engine/comparison/reference-line.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { BuiltLine } from '#server/model/laps/timing/build-line.ts';
import { toNewTrack } from '#server/model/tracks/library-track.ts';
import { thinOutline } from '#server/model/tracks/thin-outline.ts';
import { lockImports } from '#server/model/tracks/track-library-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { replaceDefinition } from '#server/model/tracks/track-correction-store.ts';
import { addRetiming } from '#server/model/laps/retime-due-tracks.ts';

/** One driver may cut a corner in every lap; three drivers who agree show the track. */
const DRIVERS_MIN = 3;
const OUTLINE_POINTS_MAX = 400;

/**
 * Replaces a wrong outline of a track with the line that its drivers drove, from one lap of each, and marks its laps for
 * retiming: laps that lay outside the old outline are then checked against the new one.
 */
export function replaceWrongOutline(db: Database, log: FastifyBaseLogger) {
  return async (trackId: TrackId, { line, lapCount }: BuiltLine): Promise<void> => {
    const driven = lapCount < DRIVERS_MIN ? null : decodeReferenceLine(line);
    if (driven === null) return;
    const counts = await db.transaction(async (tx) => {
      await lockImports(tx);
      const track = await findTrack(tx, trackId);
      const points = track && outlineFromLine(track, driven);
      if (!track || !points) return null;
      const { id: _id, timeZone: _timeZone, ...definition } = track;
      const outline = thinOutline(points, OUTLINE_POINTS_MAX);
      await replaceDefinition(tx, trackId, toNewTrack({ ...definition, outline }), true);
      await addRetiming(tx, trackId);
      const replaced = { laps: lapCount, points: outline.length };
      await insertAuditEntry(tx, {
        userId: null,
        action: 'replace-outline',
        subject: trackId,
        counts: replaced,
      });
      return replaced;
    });
    if (counts) log.info({ trackId, ...counts }, 'Replaced an outline that drivers did not drive');
  };
}
