import { crc32 } from 'node:zlib';
import { type FinishedBoard, nameBoard } from '#server/laps/finished-boards.ts';
import { joinParts, type PackedPart, packPart } from './packed-parts.ts';
import type { TrackFingerprints, WrittenTrack } from './track-list-store.ts';

// How many tracks are compressed together, on average: fewer compress worse, more are compressed again for every change.
const TRACKS_PER_PART = 32;
// Some 50 KB each. The lists of different drivers have most of them in common.
const PARTS_MAX = 1_000;

/** Gives the list of all tracks at these fingerprints or later: those of `ownTrackIds` first, then those with more entries. */
export type WriteTrackList = (
  fingerprints: TrackFingerprints,
  ownTrackIds: readonly string[],
) => Promise<FinishedBoard>;

/** A track under a number of its own, and another one as soon as anything about it changes. */
type KnownTrack = WrittenTrack & { number: number; endsStretch: boolean };
/** In the order of the list. */
type Known = { fingerprints: TrackFingerprints; tracks: readonly KnownTrack[] };
type Place = { track: KnownTrack; isOwn: boolean };

/**
 * Writes lists of all tracks and keeps what they are put together of: after a change, only the groups of tracks that have
 * changed are read, and only what stands beside a changed track in the list is compressed again. `readGroups` reads the tracks of
 * groups.
 */
export function openTrackList(
  readGroups: (groups: readonly string[]) => Promise<WrittenTrack[]>,
): WriteTrackList {
  let known: Known = { fingerprints: new Map(), tracks: [] };
  let tracksSeen = 0;
  const pack = keepParts();

  // What is known at a moment never changes: calls that come at once do not disturb each other.
  const readChanges = async (before: Known, fingerprints: TrackFingerprints): Promise<Known> => {
    const groups = [...new Set([...before.fingerprints.keys(), ...fingerprints.keys()])].filter(
      (group) => before.fingerprints.get(group) !== fingerprints.get(group),
    );
    if (groups.length === 0) return before;
    const read = await readGroups(groups);
    const isToBeReplaced = new Set(groups);
    const left = before.tracks.filter(({ group }) => !isToBeReplaced.has(group));
    const replaced = before.tracks.filter(({ group }) => isToBeReplaced.has(group));
    const replacedById = new Map(replaced.map((track) => [track.id, track]));
    const changed = read.map((track): KnownTrack => {
      const old = replacedById.get(track.id);
      if (old?.json === track.json) return old;
      return { ...track, number: ++tracksSeen, endsStretch: crc32(track.id) % TRACKS_PER_PART === 0 };
    });
    return { fingerprints, tracks: [...left, ...changed].toSorted(inOrder) };
  };

  return async (fingerprints, ownTrackIds) => {
    const current = await readChanges(known, fingerprints);
    known = current;
    const places = putOwnFirst(current.tracks, new Set(ownTrackIds));
    const parts = cutIntoStretches(places).map((stretch, index) => pack(stretch, index === 0 ? '' : ','));
    const { plain, gzipped } = joinParts(await Promise.all([packPart('['), ...parts, packPart(']')]));
    return nameBoard({ json: plain, gzipped });
  };
}

function keepParts() {
  // By what stands in them, in the order of their last use.
  const parts = new Map<string, Promise<PackedPart>>();
  return (stretch: readonly Place[], begin: string): Promise<PackedPart> => {
    const key = begin + stretch.map(({ track, isOwn }) => (isOwn ? -track.number : track.number)).join();
    const part = parts.get(key) ?? packPart(begin + stretch.map(write).join());
    parts.delete(key);
    parts.set(key, part);
    const [oldest] = parts.keys();
    if (parts.size > PARTS_MAX && oldest !== undefined) parts.delete(oldest);
    return part;
  };
}

function write({ track: { json }, isOwn }: Place): string {
  return `${json},"hasOwnEntry":${isOwn}}`;
}

function putOwnFirst(tracks: readonly KnownTrack[], ownTrackIds: ReadonlySet<string>): Place[] {
  const own: Place[] = [];
  const others: Place[] = [];
  for (const track of tracks) {
    const isOwn = ownTrackIds.has(track.id);
    (isOwn ? own : others).push({ track, isOwn });
  }
  return [...own, ...others];
}

/**
 * Cuts the list behind certain tracks, wherever they stand: so a track that moves changes the stretches that it leaves and comes
 * to, and none in between.
 */
function cutIntoStretches(places: readonly Place[]): Place[][] {
  const stretches: Place[][] = [];
  let stretch: Place[] = [];
  for (const place of places) {
    stretch.push(place);
    if (!place.track.endsStretch) continue;
    stretches.push(stretch);
    stretch = [];
  }
  return stretch.length === 0 ? stretches : [...stretches, stretch];
}

/** Those with more entries first, then by name; layouts without a name of their own last. */
function inOrder(a: KnownTrack, b: KnownTrack): number {
  if (a.entryCount !== b.entryCount) return b.entryCount - a.entryCount;
  return (
    compareTexts(a.name, b.name) || compareTexts(a.configuration, b.configuration) || compareTexts(a.id, b.id)
  );
}

function compareTexts(a: string | null, b: string | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  return a < b ? -1 : 1;
}
