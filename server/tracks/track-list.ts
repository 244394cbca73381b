import { crc32 } from 'node:zlib';
import { etagOf, type FinishedBoard } from '#server/boards/response-cache.ts';
import { joinParts, type PackedPart, packPart } from './packed-parts.ts';
import type { TrackFingerprints, WrittenTrack } from './track-list-store.ts';

// How many tracks are compressed together, on average: fewer compress worse, more are compressed again for every change.
const TRACKS_PER_PART = 32;
// Some 50 KB each.
const OWN_PARTS_MAX = 1_000;

/** Gives the list of all tracks at these fingerprints or later: those of `ownTrackIds` first, then those with more entries. */
export type WriteTrackList = (
  fingerprints: TrackFingerprints,
  ownTrackIds: readonly string[],
) => Promise<FinishedBoard>;

/** A track under a number of its own, and another one as soon as anything about it changes. */
type KnownTrack = WrittenTrack & { number: number; endsStretch: boolean };
/** Tracks that stand one after the other, and their part of a list for who has no entry on any of them. */
type Stretch = { tracks: readonly KnownTrack[]; part: Promise<PackedPart> };
type TracksOfGroup = ReadonlyMap<string, KnownTrack>;
type Known = {
  fingerprints: TrackFingerprints;
  groups: ReadonlyMap<string, TracksOfGroup>;
  /** Of all tracks, in the order of the list. */
  stretches: readonly Stretch[];
};
type Change = { gone: ReadonlySet<KnownTrack>; come: readonly KnownTrack[] };

/**
 * Writes lists of all tracks and keeps what they are put together of: after a change, only the groups of tracks that have
 * changed are read, and only what stands beside a changed track in the list is compressed again. `readGroups` reads the tracks of
 * groups.
 */
export function openTrackList(
  readGroups: (groups: readonly string[]) => Promise<WrittenTrack[]>,
): WriteTrackList {
  let known: Known = { fingerprints: new Map(), groups: new Map(), stretches: [] };
  let tracksSeen = 0;
  const punctuation = Promise.all([packPart('['), packPart(','), packPart(']')]);
  const packOwn = keepParts();

  const see = (track: WrittenTrack): KnownTrack => {
    const endsStretch = crc32(track.id) % TRACKS_PER_PART === 0;
    return { ...track, number: ++tracksSeen, endsStretch };
  };
  // What is known at a moment never changes: calls that come at once do not disturb each other.
  const readChanges = async (before: Known, fingerprints: TrackFingerprints): Promise<Known> => {
    const groups = [...new Set([...before.fingerprints.keys(), ...fingerprints.keys()])].filter(
      (group) => before.fingerprints.get(group) !== fingerprints.get(group),
    );
    if (groups.length === 0) return before;
    const read = new Map(groups.map((group) => [group, new Map<string, KnownTrack>()]));
    for (const track of await readGroups(groups)) {
      const old = before.groups.get(track.group)?.get(track.id);
      read.get(track.group)?.set(track.id, old?.json === track.json ? old : see(track));
    }
    const change = compare(before.groups, read);
    return {
      fingerprints,
      groups: new Map([...before.groups, ...read]),
      stretches:
        change.gone.size + change.come.length === 0 ? before.stretches : exchange(before.stretches, change),
    };
  };

  return async (fingerprints, ownTrackIds) => {
    const current = await readChanges(known, fingerprints);
    known = current;
    const parts = chooseParts(current.stretches, new Set(ownTrackIds), packOwn);
    const [[begin, comma, end], ...packed] = await Promise.all([punctuation, ...parts]);
    const separated = packed.flatMap((part, index) => (index === 0 ? [part] : [comma, part]));
    const { joinPlain, plainByteCount, gzipped } = joinParts([begin, ...separated, end]);
    return {
      get json() {
        return joinPlain();
      },
      gzipped,
      etag: etagOf(gzipped),
      byteCount: plainByteCount + gzipped.length,
    };
  };
}

/** The parts of a list: the own tracks first, then all stretches without them. */
function chooseParts(
  stretches: readonly Stretch[],
  ownIds: ReadonlySet<string>,
  packOwn: ReturnType<typeof keepParts>,
): Promise<PackedPart>[] {
  if (ownIds.size === 0) return stretches.map(({ part }) => part);
  const own: KnownTrack[] = [];
  const others: Promise<PackedPart>[] = [];
  for (const { tracks, part } of stretches) {
    const left = tracks.filter(({ id }) => !ownIds.has(id));
    if (left.length === tracks.length) others.push(part);
    else if (left.length > 0) others.push(packOwn(left, false));
    if (left.length < tracks.length) own.push(...tracks.filter(({ id }) => ownIds.has(id)));
  }
  return [...cutIntoStretches(own).map((tracks) => packOwn(tracks, true)), ...others];
}

/** Keeps the parts of lists in which drivers see their own tracks, by what stands in them, in the order of their last use. */
function keepParts() {
  const parts = new Map<string, Promise<PackedPart>>();
  return (tracks: readonly KnownTrack[], isOwn: boolean): Promise<PackedPart> => {
    const key = `${isOwn}:${tracks.map(({ number }) => number).join()}`;
    const part = parts.get(key) ?? packTracks(tracks, isOwn);
    parts.delete(key);
    parts.set(key, part);
    const [oldest] = parts.keys();
    if (parts.size > OWN_PARTS_MAX && oldest !== undefined) parts.delete(oldest);
    return part;
  };
}

function packTracks(tracks: readonly KnownTrack[], isOwn: boolean): Promise<PackedPart> {
  return packPart(tracks.map(({ json }) => `${json},"hasOwnEntry":${isOwn}}`).join());
}

function compare(before: Known['groups'], read: ReadonlyMap<string, TracksOfGroup>): Change {
  const gone = new Set<KnownTrack>();
  const come: KnownTrack[] = [];
  for (const [group, tracks] of read) {
    const old = before.get(group);
    for (const track of old?.values() ?? []) if (tracks.get(track.id) !== track) gone.add(track);
    for (const track of tracks.values()) if (old?.get(track.id) !== track) come.push(track);
  }
  return { gone, come: come.toSorted(inOrder) };
}

/** The stretches after a change; those in which nothing has changed are the same as before. */
function exchange(stretches: readonly Stretch[], { gone, come }: Change): Stretch[] {
  const left = stretches.flatMap(({ tracks }) => tracks).filter((track) => !gone.has(track));
  const before = new Map(stretches.map((stretch) => [stretch.tracks[0], stretch]));
  return cutIntoStretches(merge(left, come)).map((tracks) => {
    const old = before.get(tracks[0]);
    const isSame =
      old?.tracks.length === tracks.length && old.tracks.every((track, i) => track === tracks[i]);
    return isSame ? old : { tracks, part: packTracks(tracks, false) };
  });
}

/** Both in one order; both are in order already. */
function merge(some: readonly KnownTrack[], others: readonly KnownTrack[]): KnownTrack[] {
  const merged: KnownTrack[] = [];
  let next = 0;
  for (const track of some) {
    for (let other = others[next]; other && inOrder(other, track) < 0; other = others[++next])
      merged.push(other);
    merged.push(track);
  }
  return [...merged, ...others.slice(next)];
}

/**
 * Cuts a list behind certain tracks, wherever they stand: so a track that moves changes the stretches that it leaves and comes
 * to, and none in between.
 */
function cutIntoStretches(tracks: readonly KnownTrack[]): KnownTrack[][] {
  const stretches: KnownTrack[][] = [];
  let stretch: KnownTrack[] = [];
  for (const track of tracks) {
    stretch.push(track);
    if (!track.endsStretch) continue;
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
