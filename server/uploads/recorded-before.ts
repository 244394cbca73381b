import type { NewLap, RecordedLaps } from './upload-store.ts';

/** Rejects the laps that are copies of laps recorded before; all others stay as they are. */
export function rejectCopies(laps: readonly NewLap[], recorded: RecordedLaps): NewLap[] {
  return laps.map((lap) =>
    lap.status !== 'incomplete' && originalOwner(lap, recorded) !== undefined
      ? { ...lap, status: 'rejected', reasons: [...lap.reasons, 'recorded_before'] }
      : lap,
  );
}

/** Whose laps these are, where every complete one of them is a copy; undefined where anything is new. */
export function ownerOfAll(laps: readonly NewLap[], recorded: RecordedLaps): string | undefined {
  const owners = laps
    .filter(({ status }) => status !== 'incomplete')
    .map((lap) => originalOwner(lap, recorded));
  return owners.includes(undefined) ? undefined : owners[0];
}

function originalOwner({ positionsHash }: NewLap, recorded: RecordedLaps): string | undefined {
  return positionsHash === null ? undefined : recorded.get(positionsHash);
}
