import { buildCenterLine, distanceToBin, nearestBin, NO_BIN, type CenterLine } from '../center-line.ts';
import { at, FixRecorder } from '../fix-columns.ts';
import { distanceMeters, toPosition } from '../geo.ts';
import { fitToOutline, type OutlineFit } from '../matching/outline-fit.ts';
import type { Track } from '../track.ts';

/**
 * Describes what a known track is to the one that was driven: the same layout, a longer or shorter one on the same
 * ground, or one of the same length that parts from it. `isReverse`: driven the other way round.
 */
export type LayoutRelation = { layout: 'same' | 'longer' | 'shorter' | 'other'; isReverse: boolean };

/** Two layouts that part over more than this are not the same: a chicane is longer, the scatter of driving lines shorter. */
const PARTING_METERS = 25;
const PARTING_SHARE = 0.01;
/** Layouts that differ by less are called equally long. */
const LENGTH_SHARE = 0.03;
/** With less of the shorter one on the longer one, two tracks are neighbours that share a straight at most. */
const SHARED_SHARE_MIN = 0.4;
/** Half the width of a track, with the errors of two receivers. */
const SHARED_METERS = 22;

/** Compares a known track with one that laps show. Null where they have too little in common, or one has no outline. */
export function compareLayouts(driven: Track, known: Track): LayoutRelation | null {
  const { centerLat, centerLon } = driven;
  const drivenLine = buildCenterLine(driven);
  const knownLine = buildCenterLine({ ...known, centerLat, centerLon });
  if (drivenLine === null || knownLine === null) return null;
  // A poor recording cuts corners, so each line is fitted to the other.
  const fits = [fitOutline(drivenLine, knownLine), fitOutline(knownLine, drivenLine)];
  const isSameKind = !driven.finishLine === !known.finishLine;
  const partingMeters = PARTING_METERS + PARTING_SHARE * knownLine.lengthMeters;
  const fit = fits.find(({ divergingMeters }) => divergingMeters <= partingMeters);
  if (isSameKind && fit !== undefined) return { layout: 'same', isReverse: !fit.isInOrder };
  const [shorter, longer] =
    drivenLine.lengthMeters < knownLine.lengthMeters ? [drivenLine, knownLine] : [knownLine, drivenLine];
  const shared = shareOn(shorter, longer);
  if (shared.share < SHARED_SHARE_MIN) return null;
  const ratio = knownLine.lengthMeters / drivenLine.lengthMeters;
  const layout = ratio > 1 + LENGTH_SHARE ? 'longer' : ratio < 1 - LENGTH_SHARE ? 'shorter' : 'other';
  return { layout, isReverse: shared.isReverse };
}

/** Returns how one way lies on another. */
function fitOutline({ plane, xs, ys }: CenterLine, line: CenterLine): OutlineFit {
  const recorder = new FixRecorder();
  for (let bin = 0; bin < xs.length; bin += 1) {
    const { lat, lon } = toPosition(plane, { x: at(xs, bin), y: at(ys, bin) });
    recorder.add(bin, lat, lon, Number.NaN);
  }
  const [fit] = fitToOutline(recorder.finish(), line, [{ first: 0, last: xs.length - 1 }]);
  if (fit === undefined) throw new Error('Each stretch has a fit.');
  return fit;
}

/** Returns how much of one centre line lies on another in the same plane, and whether it leads the other way there. */
function shareOn(one: CenterLine, other: CenterLine): { share: number; isReverse: boolean } {
  const count = one.xs.length;
  let [shared, direction, before] = [0, 0, NO_BIN];
  for (let bin = 0; bin < count; bin += 1) {
    const [x, y] = [at(one.xs, bin), at(one.ys, bin)];
    const nearest = nearestBin(other, x, y, before);
    const isShared = nearest !== NO_BIN && distanceToBin(other, nearest, x, y) <= SHARED_METERS;
    if (isShared) {
      shared += 1;
      const step = before === NO_BIN ? 0 : nearest - before;
      // A step over the start/finish line leads from the last bin to the first.
      if (Math.abs(step) < other.xs.length / 2) direction += Math.sign(step);
    }
    before = isShared ? nearest : NO_BIN;
  }
  return { share: shared / count, isReverse: direction < 0 };
}

/** Describes a known track near the driven one, and what it is to it; null where they have nothing in common but the place. */
export type NearbyTrack<Known extends Track> = { track: Known; relation: LayoutRelation | null };

const ORDER = ['same', 'longer', 'shorter', 'other'];

/** Finds the known tracks whose circle touches that of the driven one, those that are the most like it first. */
export function findNearbyTracks<Known extends Track>(
  driven: Track,
  known: readonly Known[],
): NearbyTrack<Known>[] {
  const distanceTo = ({ centerLat, centerLon }: Track) =>
    distanceMeters({ lat: driven.centerLat, lon: driven.centerLon }, { lat: centerLat, lon: centerLon });
  const rank = ({ track, relation }: NearbyTrack<Known>): number =>
    relation === null
      ? 2 * ORDER.length + distanceTo(track)
      : ORDER.indexOf(relation.layout) + (relation.isReverse ? ORDER.length : 0);
  return known
    .filter((track) => distanceTo(track) <= driven.radiusMeters + track.radiusMeters)
    .map((track) => ({ track, relation: compareLayouts(driven, track) }))
    .toSorted((a, b) => rank(a) - rank(b));
}
