import type { LapRecord } from '#contract/laps.ts';
import type { User } from '#contract/users.ts';
import { fullName } from '#web/api/current-user.ts';

type OwnFields = 'rank' | 'driverId' | 'gapMs' | 'uncertaintyMs';

/** A record of a board as any server may answer it: the fields that are ours alone may be missing. */
export type BoardRecord = Omit<LapRecord, OwnFields> & Partial<Pick<LapRecord, OwnFields>>;

/** A record with its place on the board. */
export type RankedRecord = BoardRecord & { rank: number; isOwn: boolean };

/** What a page shows of a board. */
export type Board = {
  /** In the board's order, from the first on. */
  records: RankedRecord[];
  /** The signed-in driver's record with its rank, wherever it stands. */
  own: RankedRecord | null;
};

/** Whose record is the own one. */
export type Viewer = Pick<User, 'id' | 'firstName' | 'lastName'>;

/**
 * Whether a record is the viewer's own: by the driver's id when the record has one, else by full name.
 */
export function isOwnRecord(record: BoardRecord, viewer: Viewer | null): boolean {
  if (!viewer) return false;
  if (record.driverId !== undefined) return record.driverId === viewer.id;
  const name = fullName(viewer);
  return name !== '' && record.userName === name;
}

/**
 * Gives records their rank, by their position where the server has not given one, and finds the viewer's own.
 * An own record that follows the `limit` records asked for is not part of the list.
 */
export function rankRecords(records: readonly BoardRecord[], viewer: Viewer | null, limit = Infinity): Board {
  const ranked = records.map((record, index) => ({
    ...record,
    rank: record.rank ?? index + 1,
    isOwn: isOwnRecord(record, viewer),
  }));
  return { records: ranked.slice(0, limit), own: ranked.find(({ isOwn }) => isOwn) ?? null };
}

/** The driver's profile; the viewer's own has an address of its own. */
export function profilePath(record: RankedRecord): string {
  return record.isOwn ? '/profile' : `/profile/${encodeURIComponent(record.driverId ?? record.userName)}`;
}
