import { expect, test } from 'vitest';
import { matchingCase } from '../../tests/matching-cases.ts';
import { buildTrackIndex, matchTracks } from './match-tracks.ts';

const CASES = 48;

test('of what is suggested with 90 % and more, 99 % are right, and a bicycle ride matches no race track', () => {
  const results = Array.from({ length: CASES }, (_, seed) => {
    const { kind, trace, known, trackId } = matchingCase(20_000 + seed);
    const [best] = matchTracks(trace, buildTrackIndex(known));
    return { kind, best, isRight: best?.track.id === trackId };
  });
  const sure = results.filter(({ best }) => (best?.confidencePct ?? 0) >= 90);
  const rightShare = sure.filter(({ isRight }) => isRight).length / sure.length;
  expect(sure.length).toBeGreaterThan(CASES / 4);
  expect(rightShare).toBeGreaterThanOrEqual(0.99);
  const journeys = results.filter(({ kind }) => kind === 'a bicycle ride' || kind.startsWith('a trip'));
  expect(journeys.length).toBeGreaterThan(0);
  expect(journeys.filter(({ best }) => best !== undefined)).toEqual([]);
});
