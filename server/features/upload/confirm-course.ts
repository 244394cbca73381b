import { nameTrack } from '#contract/tracks/labels.ts';
import { type CourseId, trackIdSchema } from '#contract/ids.ts';
import { LIMITS } from '#contract/limits.ts';
import { mayAdminister, type Viewer } from '#contract/people/labels.ts';
import { type ConfirmedCourse, courseEndpoints } from '#contract/tracks/courses.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { countActionsToday } from '#server/model/audit/audit-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import { found } from '#server/kernel/http/found.ts';
import type { ReceivedFile } from '#server/kernel/http/receive-form.ts';
import type { SharedTracks } from '#server/model/laps/timing/lap-tasks.ts';
import type { LapWorkers } from '#server/model/laps/timing/lap-workers.ts';
import { type Course, findCourse } from '#server/model/track-sets/course-store.ts';
import { addTrack } from '#server/model/tracks/add-track.ts';
import { toNewTrack } from '#server/model/tracks/library-track.ts';
import { insertProposal, lockImports } from '#server/model/tracks/track-library-store.ts';
import { findTrack } from '#server/model/tracks/track-store.ts';
import { checkLineWidths } from './propose-track.ts';

/** A driver confirms the line of a course with files that were driven over it. */
export type Confirmation = {
  viewer: Viewer;
  courseId: CourseId;
  files: readonly ReceivedFile[];
  confirmed: ConfirmedCourse;
  tracks: SharedTracks;
  audit: (
    tx: Database,
    details: { subject: string; changes: Record<string, [null, string]> },
  ) => Promise<void>;
};

type ConfirmDeps = { db: Database; lapWorkers: LapWorkers };

/**
 * Makes a track of a course: its names, outline and origin with the line that the driver confirms.
 * @throws AppError where no file has a lap on the course, the library has the track, or the driver has reached the limit of a day
 */
export async function addConfirmedCourse(deps: ConfirmDeps, sent: Confirmation): Promise<Track> {
  const { db } = deps;
  const { viewer, confirmed } = sent;
  const course = found(await findCourse(db, sent.courseId), courseEndpoints.confirmCourse);
  checkLineWidths({ ...confirmed, sectors: confirmed.sectors ?? [], finishLine: null });
  await checkDay(db, viewer);
  const shown = await showCourse(deps, course, sent);
  const status = mayAdminister(viewer) ? 'official' : 'community_submitted';
  const { startFinishLine, sectors, outline } = shown;
  const { lengthMeters, centerLat, centerLon, radiusMeters, origin } = course;
  const shape = { startFinishLine, sectors, outline, lengthMeters, centerLat, centerLon, radiusMeters };
  const definition = toNewTrack({ ...readNames(course, confirmed), ...shape, status });
  return await db.transaction(async (tx) => {
    await lockImports(tx);
    await checkDay(tx, viewer);
    const id = await addTrack(tx, { ...definition, origin });
    if (status === 'community_submitted') await insertProposal(tx, id, viewer.id);
    await sent.audit(tx, { subject: id, changes: { name: [null, definition.name] } });
    return found(await findTrack(tx, id), courseEndpoints.confirmCourse);
  });
}

function readNames(course: Course, { name, configuration, location, country }: ConfirmedCourse) {
  return {
    name: name ?? course.name,
    configuration: configuration === undefined ? course.configuration : configuration,
    location: location ?? course.location,
    country: country ?? course.country,
  };
}

async function checkDay(db: Database, viewer: Viewer): Promise<void> {
  if (mayAdminister(viewer)) return;
  if ((await countActionsToday(db, viewer.id, 'confirm-course')) < LIMITS.trackProposalsPerDayMax) return;
  const sentence = `You can confirm ${LIMITS.trackProposalsPerDayMax} courses a day. Please try again tomorrow.`;
  throw new AppError('too_many_requests', sentence);
}

/** Returns the course as a track, shown by the first file that has a lap which counts on it. */
async function showCourse(deps: ConfirmDeps, course: Course, sent: Confirmation): Promise<ShownCourse> {
  const refusals: AppError[] = [];
  for (const file of sent.files) {
    const shown = await readFile(deps, course, { ...sent, file });
    if (!(shown instanceof AppError)) return await checkKnown(deps.db, shown);
    refusals.push(shown);
  }
  throw refusals[0] ?? new Error('A form without a file was let through.');
}

type ShownCourse = Pick<Track, 'startFinishLine' | 'sectors' | 'outline'> & {
  sameTrackId: Track['id'] | null;
};

async function readFile(
  { lapWorkers }: ConfirmDeps,
  course: Course,
  { file, viewer, confirmed, tracks }: Confirmation & { file: ReceivedFile },
): Promise<ShownCourse | AppError> {
  const { startFinishLine, sectors = null } = confirmed;
  const lines = { startFinishLine, sectors, finishLine: null };
  const drawn = { ...course, startFinishLine: null, sectors: [] };
  const task = { path: file.path, course: drawn, lines, tracks };
  const sent = { userId: viewer.id, byteCount: file.byteCount };
  const result = await lapWorkers.confirmCourse(task, sent);
  if (!result.isReadable) return new AppError('invalid_input', result.sentence);
  if (result.value === 'no_lap') return refuseLine('No lap of this file goes over the line.');
  if (result.value === 'elsewhere')
    return refuseLine(`The laps over this line were not driven on ${course.name}.`);
  const { track, rankingLapCount, sameTrackId } = result.value;
  if (rankingLapCount === 0 && !mayAdminister(viewer))
    return refuseLine('No lap of this file counts on this course. An administrator can add it all the same.');
  return { ...track, sameTrackId: sameTrackId === null ? null : trackIdSchema.parse(sameTrackId) };
}

function refuseLine(sentence: string): AppError {
  return new AppError('invalid_input', sentence, { fields: { startFinishLine: sentence } });
}

async function checkKnown(db: Database, shown: ShownCourse): Promise<ShownCourse> {
  const known = shown.sameTrackId === null ? undefined : await findTrack(db, shown.sameTrackId);
  if (!known) return shown;
  throw new AppError(
    'conflict',
    `These laps were driven on a track that is here already: ${nameTrack(known)}.`,
  );
}
