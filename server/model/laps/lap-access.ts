import { NO_SUCH_LAP } from '#contract/lap-view/schemas.ts';
import { mayModerate, type Viewer } from '#contract/people/labels.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { StoredLap } from './lap-view-store.ts';

type SeenLap = Pick<StoredLap, 'lapId' | 'driverId' | 'userName' | 'isPrivate' | 'isListed' | 'hasOpenFlag'>;

/** Returns a lap that the viewer may see. @throws AppError `not_found`, which does not reveal that there is one */
export function requireLap<Lap extends SeenLap>(lap: Lap | undefined, viewer: Viewer | null): Lap {
  if (lap && (lap.isListed || isOwn(lap, viewer) || mayModerate(viewer))) return lap;
  throw new AppError('not_found', NO_SUCH_LAP);
}

/** Checks whether the viewer drove the lap. */
export function isOwn({ driverId }: Pick<SeenLap, 'driverId'>, viewer: Viewer | null): boolean {
  return viewer !== null && viewer.id === driverId;
}

/**
 * Tells whether the viewer may see the positions of the car: always on own laps, and on laps of a board whose driver shows the lines.
 * Moderators may see them on any lap that somebody else has flagged, while the flag is open, because they may read its raw file.
 */
export function maySeeLine(lap: SeenLap, viewer: Viewer | null): boolean {
  if (isOwn(lap, viewer) || (lap.isListed && !lap.isPrivate)) return true;
  return lap.hasOpenFlag && mayModerate(viewer);
}

/** Checks that the viewer may see where the car was. @throws AppError `lines_private` or `not_allowed` */
export function checkMaySeeLine(lap: SeenLap, viewer: Viewer | null): void {
  if (maySeeLine(lap, viewer)) return;
  if (lap.isPrivate) {
    const sentence = `${lap.userName} keeps the line of this lap private.`;
    throw new AppError('lines_private', sentence, { fields: { lapId: lap.lapId } });
  }
  throw new AppError('not_allowed', 'Only its driver sees the line of a lap that does not rank.');
}
