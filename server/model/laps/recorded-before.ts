import type { UserId } from '#contract/ids.ts';
import type { NewLap } from './lap-file-store.ts';

/** Maps the hash of a lap's positions to the driver. */
export type RecordedLaps = ReadonlyMap<string, string>;

type HashedLap = Pick<NewLap, 'status' | 'reasons' | 'positionsHash'>;

/** Rejects the laps that are copies of laps recorded before; all others stay as they are. */
export function rejectCopies<L extends HashedLap>(laps: readonly L[], recorded: RecordedLaps): L[] {
  return laps.map((lap) =>
    lap.status !== 'incomplete' && originalOwner(lap, recorded) !== undefined
      ? { ...lap, status: 'rejected', reasons: [...lap.reasons, 'recorded_before'] }
      : lap,
  );
}

/** Returns the driver of the originals where every complete lap is a copy; undefined where any lap is new. */
export function ownerOfAll(laps: readonly HashedLap[], recorded: RecordedLaps): string | undefined {
  const owners = laps
    .filter(({ status }) => status !== 'incomplete')
    .map((lap) => originalOwner(lap, recorded));
  return owners.includes(undefined) ? undefined : owners[0];
}

export const ALREADY_UPLOADED = 'This file has already been uploaded.';

/** Returns the reason why a file of `owner` is not accepted from `userId`. */
export function describeUploaded(owner: string | undefined, userId: UserId): string {
  return owner === userId ? ALREADY_UPLOADED : 'This file was already uploaded by another driver.';
}

function originalOwner({ positionsHash }: HashedLap, recorded: RecordedLaps): string | undefined {
  return positionsHash === null ? undefined : recorded.get(positionsHash);
}
