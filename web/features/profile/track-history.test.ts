import { expect, test } from 'vitest';
import { asLapId } from '#contract/testing/ids.ts';
import { readSessions } from '#web/api/specified-answers/profiles.ts';
import { libraryTrack } from '#web/testing/library-track.ts';
import { listTrackVisits } from './track-history.ts';

const harrowRidge = libraryTrack('harrow-ridge');

const best = { yourBestLap: 98_417, yourBestLapDate: '2026-11-14T10:00:00Z', topLap: 97_002 };

test('a track appears once however many sessions were driven there, newest first', () => {
  const sessions = [
    { trackId: 'lac-noir', lapCount: 4 },
    { trackId: 'harrow-ridge', lapCount: 9 },
    { trackId: 'lac-noir', lapCount: 5 },
  ];
  const visits = listTrackVisits(readSessions(sessions), {}, [harrowRidge]);
  expect(visits.map((visit) => [visit.trackId, visit.lapCount])).toEqual([
    ['lac-noir', 9],
    ['harrow-ridge', 9],
  ]);
});

test('a track that is not in the list stays, without its name', () => {
  expect(listTrackVisits(readSessions([{ trackId: 'lost' }]), {}, [harrowRidge])[0]?.track).toBeNull();
});

test('a track without a ranking lap has no best', () => {
  expect(
    listTrackVisits(readSessions([{ trackId: 'harrow-ridge', lapCount: 1 }]), {}, [harrowRidge])[0]?.best,
  ).toBeNull();
});

test('a best lap without a session still shows its track', () => {
  const visits = listTrackVisits(readSessions([]), { 'harrow-ridge': { ...best, lapCount: 6 } }, [
    harrowRidge,
  ]);
  expect(visits).toEqual([
    {
      trackId: 'harrow-ridge',
      track: harrowRidge,
      best: { ...best, lapCount: 6 },
      bestLapId: null,
      lapCount: 6,
      sessions: [],
    },
  ]);
});

test('a session without a number of laps counts as one', () => {
  const sessions = [{ trackId: 'harrow-ridge' }, { trackId: 'harrow-ridge' }];
  expect(listTrackVisits(readSessions(sessions), { 'harrow-ridge': best }, [harrowRidge])[0]?.lapCount).toBe(
    2,
  );
});

test('the sessions of a track are listed with it; those with too few details are only counted', () => {
  const session = {
    id: 'session-1',
    sessionDate: '2026-11-14T10:00:00Z',
    carName: 'Bee',
    lapCount: 3,
    bestLapTimeMs: 98_417,
    bestLapId: asLapId('lap-1'),
  };
  const refusedLaps = [
    { lapId: asLapId('lap-2'), number: 2, lapTimeMs: 41_207, reasons: ['off_track' as const] },
  ];
  const elsewhere = { ...session, id: 'session-2', trackId: 'lac-noir', refusedLaps };
  const sessions = [{ ...session, trackId: 'harrow-ridge' }, elsewhere, { trackId: 'harrow-ridge' }];
  const [visit, visitElsewhere] = listTrackVisits(readSessions(sessions), {}, [harrowRidge]);
  expect(visit?.sessions).toEqual([{ ...session, refusedLaps: [] }]);
  expect(visit?.lapCount).toBe(4);
  expect(visitElsewhere?.sessions[0]?.refusedLaps).toEqual(refusedLaps);
});

test('the best lap can be opened where a session names it', () => {
  const sessions = [
    {
      trackId: 'harrow-ridge',
      id: 'a',
      sessionDate: '2026-11-14',
      lapCount: 1,
      bestLapTimeMs: 99_000,
      bestLapId: asLapId('x'),
    },
    {
      trackId: 'harrow-ridge',
      id: 'b',
      sessionDate: '2026-11-13',
      lapCount: 1,
      bestLapTimeMs: best.yourBestLap,
      bestLapId: asLapId('y'),
    },
  ];
  const [visit] = listTrackVisits(readSessions(sessions), { 'harrow-ridge': best }, [harrowRidge]);
  expect(visit?.bestLapId).toBe('y');
});
