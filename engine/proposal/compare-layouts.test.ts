import { describe, expect, test } from 'vitest';
import { libraryTrack } from '../../tests/library.ts';
import { simulateDrive, toLapFile, type DriveOptions } from '../simulation/drive.ts';
import { kartLayouts, reverseTrack } from '../testing/kart-venue.ts';
import { trackOfPieces } from '../testing/track-of-pieces.ts';
import { openFixes } from '../time-lap-file.ts';
import type { Track } from '../track.ts';
import { compareLayouts, findNearbyTracks } from './compare-layouts.ts';
import { proposeTracks } from './propose-tracks.ts';

const KART = {
  vehicle: { cornering: 12, braking: 8, traction: 4, wattsPerKilogram: 50 },
  topSpeedMetersPerSecond: 24,
};
/** Two drivers with receivers of their own: a logger at 10 Hz, and a phone in a drawer. */
const FIRST = { seed: 23, receiver: { rateHz: 10, noiseMeters: 0.4, driftMeters: 1 } };
const SECOND = { seed: 24, receiver: { rateHz: 5, noiseMeters: 1, driftMeters: 3 } };

function shownBy(track: Track, options: Partial<DriveOptions>): Track {
  const { fixes } = simulateDrive(track, { seed: 1, laps: 4, ...KART, ...options });
  const [proposal] = proposeTracks(openFixes(toLapFile(fixes)));
  if (proposal === undefined) throw new Error(`A drive on ${track.id} suggests no track.`);
  return { ...proposal.track, id: track.id };
}

describe('six layouts of one kart venue, both ways round, each driven by two drivers', () => {
  const layouts = kartLayouts().flatMap((track) => [track, reverseTrack(track)]);
  const known = layouts.map((track) => shownBy(track, FIRST));

  test.each(layouts)('the second driver on $id is offered the track of the first, and no other', (layout) => {
    const driven = shownBy(layout, SECOND);
    const same = findNearbyTracks(driven, known).filter(({ relation }) => relation?.layout === 'same');
    expect(same.filter(({ relation }) => !relation?.isReverse).map(({ track }) => track.id)).toEqual([
      layout.id,
    ]);
    expect(same).toHaveLength(2);
    expect(same[0]?.track.id).toBe(layout.id);
  });

  test('a longer layout is called so, and one that parts on the way is another one', () => {
    const [short, club, , , international, chicane] = kartLayouts();
    if (!short || !club || !international || !chicane) throw new Error('There are six layouts.');
    expect([compareLayouts(short, club), compareLayouts(club, short)]).toEqual([
      { layout: 'longer', isReverse: false },
      { layout: 'shorter', isReverse: false },
    ]);
    expect(compareLayouts(international, chicane)).toEqual({ layout: 'other', isReverse: false });
    expect(compareLayouts(international, reverseTrack(chicane))).toEqual({
      layout: 'other',
      isReverse: true,
    });
  });
});

test('a hill climb is the same stage for the next driver, and the way down is the other direction', () => {
  const road = trackOfPieces(
    [{ meters: 300 }, { degrees: 80, radiusMeters: 60 }, { meters: 350 }, { degrees: -70, radiusMeters: 50 }],
    'stage',
  );
  const outline = road.outline?.slice(0, Math.floor((road.outline.length * 2) / 3)) ?? [];
  const finishLine = road.startFinishLine;
  const stage = { ...road, outline, finishLine };
  const down = { ...stage, outline: outline.toReversed() };
  expect(compareLayouts(stage, stage)).toEqual({ layout: 'same', isReverse: false });
  expect(compareLayouts(stage, down)).toEqual({ layout: 'same', isReverse: true });
  // A circuit over the same ground is not the stage.
  expect(compareLayouts(stage, { ...stage, finishLine: null })?.layout).not.toBe('same');
});

test('tracks elsewhere are left out, and those without an outline are only near', () => {
  const track = libraryTrack('grattan-raceway-full');
  const bare = { ...track, id: 'bare', outline: null };
  const found = findNearbyTracks(track, [libraryTrack('autodromo-nazionale-monza-grand-prix'), bare, track]);
  expect(found.map(({ track: { id }, relation }) => [id, relation?.layout])).toEqual([
    ['grattan-raceway-full', 'same'],
    ['bare', undefined],
  ]);
});
