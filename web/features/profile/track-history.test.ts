import { expect, test } from 'vitest';
import { type Session } from '#contract/sessions/schemas.ts';
import { asLapId, asSessionId, asTrackId } from '#contract/testing/ids.ts';
import { libraryTrack } from '#web/testing/library-track.ts';
import { listTrackVisits } from './track-history.ts';

const harrowRidge = libraryTrack('harrow-ridge');

const best = {
  yourBestLap: 98_417,
  yourBestLapDate: '2026-11-14T10:00:00Z',
  topLap: 97_002,
  isTopLap: false,
  lapCount: 6,
};

function session(trackId: string, given: Partial<Session> = {}): Session {
  return {
    id: asSessionId('session-1'),
    trackId: asTrackId(trackId),
    userCarId: null,
    carName: 'Bee',
    sessionDate: '2026-11-14T10:00:00Z',
    tireCompound: null,
    videoUrl: null,
    lapCount: 1,
    bestLapTimeMs: null,
    bestLapId: null,
    refusedLaps: [],
    ...given,
  };
}

test('a track appears once however many sessions were driven there, newest first', () => {
  const sessions = [
    session('lac-noir', { lapCount: 4 }),
    session('harrow-ridge', { lapCount: 9 }),
    session('lac-noir', { lapCount: 5 }),
  ];
  const visits = listTrackVisits(sessions, {}, [harrowRidge]);
  expect(visits.map((visit) => [visit.trackId, visit.lapCount])).toEqual([
    ['lac-noir', 9],
    ['harrow-ridge', 9],
  ]);
});

test('a track that is not in the list stays, without its name', () => {
  expect(listTrackVisits([session('lost')], {}, [harrowRidge])[0]?.track).toBeNull();
});

test('a track without a ranking lap has no best', () => {
  expect(listTrackVisits([session('harrow-ridge')], {}, [harrowRidge])[0]?.best).toBeNull();
});

test('a best lap without a session still shows its track', () => {
  const visits = listTrackVisits([], { 'harrow-ridge': best }, [harrowRidge]);
  expect(visits).toEqual([
    {
      trackId: 'harrow-ridge',
      track: harrowRidge,
      best,
      bestLapId: null,
      lapCount: 6,
      sessions: [],
    },
  ]);
});

test('the sessions of a track are listed with it', () => {
  const here = session('harrow-ridge', { lapCount: 3 });
  const elsewhere = session('lac-noir', { id: asSessionId('session-2') });
  const [visit, visitElsewhere] = listTrackVisits([here, elsewhere], {}, [harrowRidge]);
  expect(visit).toMatchObject({ sessions: [here], lapCount: 3 });
  expect(visitElsewhere?.sessions).toEqual([elsewhere]);
});

test('the best lap can be opened where a session names it', () => {
  const sessions = [
    session('harrow-ridge', { bestLapTimeMs: 99_000, bestLapId: asLapId('x') }),
    session('harrow-ridge', { bestLapTimeMs: best.yourBestLap, bestLapId: asLapId('y') }),
  ];
  const [visit] = listTrackVisits(sessions, { 'harrow-ridge': best }, [harrowRidge]);
  expect(visit?.bestLapId).toBe('y');
});
