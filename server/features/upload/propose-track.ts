import { LIMITS } from '#contract/limits.ts';
import { mayAdminister, type Viewer } from '#contract/people/labels.ts';
import { nameTrack, TRACK_RANGES } from '#contract/tracks/labels.ts';
import type { Track, TrackProposal } from '#contract/tracks/schemas.ts';
import { distanceMeters } from '#engine/geo.ts';
import type { TimingLine } from '#engine/timing-line.ts';
import { countActionsToday, insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { insertProposal, lockImports } from '#server/model/tracks/track-library-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError, type FieldProblems } from '#server/kernel/errors.ts';
import type { ReceivedFile } from '#server/kernel/http/receive-form.ts';
import type { SharedTracks, ShownTrack } from '#server/model/laps/timing/lap-tasks.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { addTrack } from '#server/model/tracks/add-track.ts';
import { toNewTrack } from '#server/model/tracks/library-track.ts';
import { findUser } from '#server/model/people/user-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';

/** A proposal comes from a driver, with the known tracks for comparison. */
export type SentProposal = {
  viewer: Viewer;
  /** This file shows the outline and the length. */
  file: ReceivedFile;
  /** These files have more laps on the track, such as the other runs of a stage. */
  others: readonly ReceivedFile[];
  proposal: TrackProposal;
  tracks: SharedTracks;
};

type ProposeDeps = { db: Database; lapWorkers: LapWorkers };

/** A path that was raced three times is a track; a path that was driven once may be the drive home. */
const RANKING_LAPS_MIN = 3;
/** No match with at least this percentage was ever wrong. */
const SURELY_KNOWN_PCT = 90;
const LINE_WIDTH_METERS = { min: 4, max: 120 } as const;

/**
 * Adds a track that a driver describes to the library, marked as proposed. The driver gives only its lines and names: the laps
 * in the file give length, outline and location.
 * @throws AppError where the file does not show such a track, the library has it, or the driver has reached the limit of a day
 */
export async function proposeTrack(deps: ProposeDeps, sent: SentProposal): Promise<Track> {
  const { db } = deps;
  const { viewer, proposal } = sent;
  checkLineWidths(proposal);
  await checkDay(db, viewer);
  const shown = await showTrack(deps, sent);
  await checkShown(db, { ...shown, rankingLapCount: await countLaps(deps, shown, sent) }, sent);
  const { lengthMeters, outline, centerLat, centerLon, radiusMeters } = shown;
  // An outline would show the line of a driver who keeps lines private; the first valid lap of another driver draws one.
  const isPrivate = (await findUser(db, viewer.id))?.keepLinesPrivate ?? false;
  const shape = { lengthMeters, outline: isPrivate ? null : outline, centerLat, centerLon, radiusMeters };
  const definition = toNewTrack({ ...proposal, ...shape, status: 'community_submitted' });
  return await db.transaction(async (tx) => {
    // The lock makes concurrent proposals count one after the other.
    await lockImports(tx);
    await checkDay(tx, viewer);
    const id = await addTrack(tx, definition);
    await insertProposal(tx, id, viewer.id);
    const changes = { name: [null, proposal.name] satisfies [null, string] };
    await insertAuditEntry(tx, {
      userId: viewer.id,
      action: 'propose-track',
      subject: id,
      counts: {},
      changes,
    });
    const track = await findTrack(tx, id);
    if (!track) throw new Error('A track is gone within the transaction that added it.');
    return track;
  });
}

async function checkDay(db: Database, viewer: Viewer): Promise<void> {
  if (mayAdminister(viewer)) return;
  if ((await countActionsToday(db, viewer.id, 'propose-track')) < LIMITS.trackProposalsPerDayMax) return;
  const sentence = `You can propose ${LIMITS.trackProposalsPerDayMax} tracks a day. Please try again tomorrow.`;
  throw new AppError('too_many_requests', sentence);
}

/** @throws AppError where a line is too short or too long */
export function checkLineWidths({
  startFinishLine,
  finishLine,
  sectors,
}: Pick<TrackProposal, 'startFinishLine' | 'finishLine' | 'sectors'>): void {
  const fields: FieldProblems = {};
  const check = (field: string, line: TimingLine | null) => {
    if (line === null) return;
    const meters = distanceMeters(line.a, line.b);
    const { min, max } = LINE_WIDTH_METERS;
    if (!(meters >= min && meters <= max)) fields[field] = `A line is ${min} to ${max} m wide.`;
  };
  check('startFinishLine', startFinishLine);
  check('finishLine', finishLine);
  for (const [index, sector] of sectors.entries()) check(`sectors.${index}`, sector);
  refuse(fields);
}

function refuse(fields: FieldProblems): void {
  const [[field, sentence] = []] = Object.entries(fields);
  if (field === undefined) return;
  throw new AppError('invalid_input', `There is a problem with ${field}: ${sentence}`, { fields });
}

async function readInWorker({ lapWorkers }: ProposeDeps, { viewer, file, proposal, tracks }: SentProposal) {
  const { startFinishLine, finishLine, sectors } = proposal;
  const task = { path: file.path, lines: { startFinishLine, finishLine, sectors }, tracks };
  return await lapWorkers.showTrack(task, { userId: viewer.id, byteCount: file.byteCount });
}

async function showTrack(deps: ProposeDeps, sent: SentProposal): Promise<ShownTrack> {
  const result = await readInWorker(deps, sent);
  if (!result.isReadable) throw new AppError('invalid_input', result.sentence);
  if (result.value === null) {
    const sentence = 'No lap of this file goes over the line.';
    throw new AppError('invalid_input', sentence, { fields: { startFinishLine: sentence } });
  }
  return result.value;
}

/** Counts ranking laps in all files, up to the number needed; unreadable files and second copies add none. */
async function countLaps(
  deps: ProposeDeps,
  { rankingLapCount }: ShownTrack,
  sent: SentProposal,
): Promise<number> {
  const counted = new Set([sent.file.sha256]);
  let laps = rankingLapCount;
  for (const file of sent.others) {
    if (laps >= RANKING_LAPS_MIN) break;
    if (counted.has(file.sha256)) continue;
    counted.add(file.sha256);
    const result = await readInWorker(deps, { ...sent, file });
    if (result.isReadable) laps += result.value?.rankingLapCount ?? 0;
  }
  return laps;
}

async function checkShown(
  db: Database,
  shown: ShownTrack,
  { viewer, proposal }: SentProposal,
): Promise<void> {
  const { lengthMeters, rankingLapCount, missedSectors, known } = shown;
  const { min, max } = TRACK_RANGES.lengthMeters;
  if (lengthMeters === null || lengthMeters < min || lengthMeters > max)
    throw new AppError('invalid_input', `A track is ${min} to ${max} m long.`);
  refuse(
    Object.fromEntries(
      missedSectors.map((index) => [`sectors.${index}`, `No lap crosses ${proposal.sectors[index]?.name}.`]),
    ),
  );
  if (mayAdminister(viewer)) return;
  if (rankingLapCount < RANKING_LAPS_MIN) {
    const sentence = `A new track needs ${RANKING_LAPS_MIN} laps at racing speed; here ${rankingLapCount === 1 ? 'is' : 'are'} ${rankingLapCount}. An administrator can add it with fewer.`;
    throw new AppError('invalid_input', sentence);
  }
  const isSurelyKnown = known !== null && known.confidencePct >= SURELY_KNOWN_PCT;
  const knownId = isSurelyKnown ? known.trackId : shown.sameLayoutId;
  if (knownId === null) return;
  const track = await findTrack(db, knownId);
  const name = track ? nameTrack(track) : '';
  throw new AppError('conflict', `These laps were driven on a track that is here already: ${name}.`);
}
