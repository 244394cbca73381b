import { nameTrack } from '#contract/tracks/labels.ts';
import type { TrackId } from '#contract/ids.ts';
import { describeDistantLine } from '#server/model/tracks/distant-line.ts';
import { trackAdministrationEndpoints, type TrackCorrection } from '#contract/tracks/administration.ts';
import type { Viewer } from '#contract/people/labels.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { toLineFrame, type TimingLine } from '#engine/timing-line.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError, type FieldProblems } from '#server/kernel/errors.ts';
import { lengthOfOutline, outlineFor } from '#server/model/tracks/track-outline.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { type AuditEntry, insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { recordEvents } from '#server/model/events/deliver-events.ts';
import {
  countSessions,
  isTimedOtherwise,
  replaceDefinition,
} from '#server/model/tracks/track-correction-store.ts';
import { openTrackLibrary, toNewTrack } from '#server/model/tracks/library-track.ts';
import { listTrackIdentities, lockImports } from '#server/model/tracks/track-library-store.ts';
import { checkMayDecide, recordApproval } from './review-proposed-tracks.ts';
import { addRetiming } from '#server/model/laps/retime-due-tracks.ts';
import { findProposer } from '#server/model/tracks/track-proposal-store.ts';
import { found } from '#server/kernel/http/found.ts';

/** Changes fields of a track; returns the number of sessions marked for retiming because of it. @throws AppError */
export async function correctTrack(
  db: Database,
  viewer: Viewer,
  trackId: TrackId,
  correction: TrackCorrection,
): Promise<{ track: Track; sessionsToRetime: number }> {
  if (Object.keys(correction).length === 0) {
    throw new AppError('invalid_input', 'Nothing that can be changed was given.');
  }
  return await db.transaction(async (tx) => {
    await lockImports(tx);
    const before = found(await findTrack(tx, trackId), trackAdministrationEndpoints.correctTrack);
    checkMayDecide(viewer, before);
    const track = withFittingOutline(before, { ...before, ...withoutUndefined(correction) });
    checkLines(track);
    const others = (await listTrackIdentities(tx)).filter(({ id }) => id !== trackId);
    if (openTrackLibrary(others).find(track) !== undefined) {
      throw new AppError('conflict', 'Another track within two kilometres has this name and configuration.');
    }
    const changed = Object.keys({ ...correction, outline: true, lengthMeters: true }).filter((name) =>
      isOther(name, before, track),
    );
    if (changed.length === 0) return { track: before, sessionsToRetime: 0 };
    const isRetimed = isTimedOtherwise(before, track);
    const { id: _id, timeZone: _timeZone, ...definition } = track;
    await replaceDefinition(tx, trackId, toNewTrack(definition), isRetimed);
    if (isRetimed) await addRetiming(tx, trackId);
    await recordDecision(tx, viewer, { before, track });
    const counts = Object.fromEntries(changed.map((name) => [name, 1]));
    const changes = describeChanges(changed, before, track);
    await insertAuditEntry(tx, {
      userId: viewer.id,
      action: 'correct-track',
      subject: trackId,
      counts,
      changes,
    });
    const corrected = found(await findTrack(tx, trackId), trackAdministrationEndpoints.correctTrack);
    const sessionsToRetime = isRetimed ? await countSessions(tx, trackId) : 0;
    return { track: corrected, sessionsToRetime };
  });
}

/** Fits the outline to moved lines: it begins at the start, in driving direction, and ends at the finish. */
function withFittingOutline(before: Track, track: Track): Track {
  const isMoved = isOther('startFinishLine', before, track) || isOther('finishLine', before, track);
  if (!isMoved || track.outline === null || isOther('outline', before, track)) return track;
  const points = track.outline.map(([lat, lon]) => ({ lat, lon }));
  const outline = outlineFor({ warnings: [] }, points, track);
  if (outline === null) return track;
  // A moved line changes the length of a stage only, not that of a circuit.
  const isLengthKnown = !track.finishLine || isOther('lengthMeters', before, track);
  return { ...track, outline, ...(!isLengthKnown && { lengthMeters: Math.round(lengthOfOutline(outline)) }) };
}

/** Records for the driver who proposed the track that it is official now, or that another user has corrected it. */
async function recordDecision(
  tx: Database,
  viewer: Viewer,
  { before, track }: { before: Track; track: Track },
): Promise<void> {
  if (before.status === 'official') return;
  if (track.status === 'official') return await recordApproval(tx, track);
  const proposer = await findProposer(tx, track.id);
  if (proposer === null || proposer === viewer.id) return;
  const payload = { trackName: nameTrack(track) };
  await recordEvents(tx, track.id, [
    { kind: 'track_corrected', userId: proposer, otherUserId: null, sessionId: null, payload },
  ]);
}

function checkLines({ startFinishLine, finishLine = null, sectors, centerLat, centerLon }: Track): void {
  const problems: FieldProblems = {};
  const check = (field: string, line: TimingLine | null) => {
    if (line === null) return;
    const distant = describeDistantLine(line, { lat: centerLat, lon: centerLon });
    if (toLineFrame(line) === null) problems[field] = 'Its two ends must lie apart.';
    else if (distant !== null) problems[field] = distant;
  };
  check('startFinishLine', startFinishLine);
  check('finishLine', finishLine);
  for (const [index, sector] of sectors.entries()) check(`sectors.${index}`, sector);
  const [[field, sentence] = []] = Object.entries(problems);
  if (field === undefined) return;
  throw new AppError('invalid_input', `There is a problem with ${field}: ${sentence}`, { fields: problems });
}

type Changes = NonNullable<AuditEntry['changes']>;

/** Lists names and numbers before and after; lines and outlines are too long for the log. */
function describeChanges(changed: readonly string[], before: Track, after: Track): Changes {
  return Object.fromEntries(
    changed
      .filter((name) => typeof (readField(after, name) ?? readField(before, name)) !== 'object')
      .map((name) => [name, [toText(readField(before, name)), toText(readField(after, name))]]),
  );
}

function toText(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function isOther(name: string, before: Track, after: Track): boolean {
  return JSON.stringify(readField(before, name)) !== JSON.stringify(readField(after, name));
}

function readField(track: Track, name: string): unknown {
  return Object.entries(track).find(([field]) => field === name)?.[1] ?? null;
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

function withoutUndefined<T extends object>(value: T): Given<T> {
  const given = Object.entries(value).filter(([, field]) => field !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- These are the entries of `value` but for those that are undefined.
  return Object.fromEntries(given) as Given<T>;
}
