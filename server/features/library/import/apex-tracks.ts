import { nameTrack } from '#contract/tracks/labels.ts';
import type { TrackId } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { CheckedApexTracks } from './import-tasks.ts';
import type { WriteAudit } from '#server/kernel/http/endpoint-hooks.ts';
import { openTrackLibrary, type NewTrack, type TrackLibrary } from '#server/model/tracks/library-track.ts';
import { type StagedTrack, toMigratedTrack } from '#server/model/tracks/staged-track.ts';
import { listStagedTracks, upsertStagedTracks } from '#server/model/tracks/apex-track-store.ts';
import { insertTracks, listTrackIdentities, lockImports } from '#server/model/tracks/track-library-store.ts';

/** Replaces the stored apex tracks with checked ones, which stay until they are migrated. */
export async function importApexTracks(db: Database, checked: CheckedApexTracks, audit: WriteAudit) {
  const { pieces, trackCount, trapCount, warnings } = checked;
  const counts = { tracksUpserted: trackCount, trapsUpserted: trapCount };
  await db.transaction(async (tx) => {
    await lockImports(tx);
    for (const piece of pieces) {
      const tracks: StagedTrack[] = JSON.parse(piece);
      await upsertStagedTracks(tx, tracks);
    }
    await audit(tx, { counts });
  });
  return { summary: { ...counts, warnings }, warnings };
}

// The time zones of a step are computed on this thread; a step of this size does not block the event loop noticeably.
const TRACKS_PER_STEP = 200;
const NOTHING_KEPT = 'There are no imported apex tracks to migrate.';

/** Copies apex tracks with one start/finish trap to the library. One that it has stays: laps may be timed on it. */
export async function migrateApexTracks(db: Database, audit: WriteAudit) {
  return await db.transaction(async (tx) => {
    await lockImports(tx);
    const library = openTrackLibrary(await listTrackIdentities(tx));
    const summary = { migrated: 0, existing: 0, skipped: 0 };
    const warnings: string[] = [];
    let step = await listStagedTracks(tx, '', TRACKS_PER_STEP);
    while (step.length > 0) {
      const decided = step.map((staged) => decide(library, staged));
      await insertTracks(
        tx,
        decided.flatMap(({ row }) => (row ? [row] : [])),
      );
      for (const { outcome, warning } of decided) {
        summary[outcome]++;
        if (warning !== null) warnings.push(warning);
      }
      step = await listStagedTracks(tx, step.at(-1)?.key ?? '', TRACKS_PER_STEP);
    }
    await audit(tx, { counts: summary });
    const hasSome = Object.values(summary).some((count) => count > 0);
    return { success: hasSome, summary, warnings, ...(!hasSome && { error: NOTHING_KEPT }) };
  });
}

type Decision = {
  outcome: 'migrated' | 'existing' | 'skipped';
  row: (NewTrack & { id: TrackId }) | null;
  warning: string | null;
};

function decide(library: TrackLibrary, staged: StagedTrack): Decision {
  const track = toMigratedTrack(staged);
  const skipped = (why: string): Decision => {
    return { outcome: 'skipped', row: null, warning: `${nameTrack(staged)} was skipped: ${why}` };
  };
  if (!track) return skipped('exactly one start/finish trap is needed.');
  if (library.find(track) !== undefined) return { outcome: 'existing', row: null, warning: null };
  if (library.size() >= LIMITS.tracksMax)
    return skipped(`the library holds at most ${LIMITS.tracksMax} tracks.`);
  return { outcome: 'migrated', row: { ...track, id: library.add(track) }, warning: null };
}
