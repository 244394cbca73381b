import { expect, test } from 'vitest';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { asLapId, asSessionId, asUserId } from '#contract/testing/ids.ts';
import { listCleanLaps, measureSpread } from '#engine/timing/clean-laps.ts';
import { findBestLap } from '#engine/timing/laps.ts';
import { drawSessions, listCarChanges } from './draw-sessions.ts';
import { drawStint } from './draw-stint.ts';
import { findRecord, nameTwoLaps, type DrivenLap, type DrivenSession } from './lap-names.ts';

type BoardPlace = DriverLaps['places'][number];

const lap = (number: number, lapTimeMs: number, part: Partial<DrivenLap> = {}): DrivenLap => ({
  lapId: asLapId(`lap-${number}-${lapTimeMs}`),
  number,
  lapTimeMs,
  uncertaintyMs: 10,
  status: 'valid',
  reasons: [],
  sectorTimesMs: [],
  isClean: false,
  ...part,
});

const outLap = (number: number) => lap(number, 90_000, { status: 'incomplete', reasons: ['out_lap'] });

function session(laps: DrivenLap[], part: Partial<DrivenSession> = {}): DrivenSession {
  const clean = new Set(listCleanLaps(laps));
  return {
    sessionId: asSessionId('session'),
    sessionDate: '2026-06-01T10:00:00+02:00',
    carName: 'Track toy',
    carRaceClass: null,
    carModel: 'Mazda MX-5',
    tireCompound: 'track-200',
    videoUrl: null,
    isPrivate: false,
    bestLapId: findBestLap(laps)?.lapId ?? null,
    laps: laps.map((lap) => ({ ...lap, isClean: clean.has(lap) })),
    spread: measureSpread([...clean]),
    ...part,
  };
}

const points = (path = '') => path.split('M').slice(1).length;

test('sessions are columns of the same width with their clean laps, whatever lies between their days', () => {
  const drawing = drawSessions(
    [
      session([outLap(1), lap(2, 61_000), lap(3, 62_000), lap(4, 70_000)]),
      session([lap(1, 60_000), lap(2, 60_500)], { sessionDate: '2026-12-01T10:00:00+01:00' }),
    ],
    asLapId('lap-1-60000'),
    null,
  );
  expect([drawing?.laps, drawing?.sessionBests, drawing?.best].map(points)).toEqual([2, 1, 1]);
  expect(drawing?.best).toMatch(/^M1\.4 0\.9/);
  expect(drawing?.sessionBests).toMatch(/^M0\.4 /);
  expect(drawing?.medianLine).toMatch(/^M0\.5 .*L1\.5 /);
  expect(drawing?.record).toBeNull();
});

test('a record near the laps is on their scale, and one that is far below is at the edge', () => {
  const sessions = [session([lap(1, 61_000), lap(2, 60_000)])];
  expect(drawSessions(sessions, null, 59_500)?.record).toMatchObject({ isBelow: false });
  expect(drawSessions(sessions, null, 50_000)?.record).toEqual({ y: 1, isBelow: true });
  expect(drawSessions([session([outLap(1)])], null, 50_000)).toBeNull();
});

test('a change of car or tires has a label of what changed', () => {
  const laps = [lap(1, 60_000)];
  const changes = listCarChanges([
    session(laps),
    session(laps),
    session(laps, { tireCompound: 'full-slick' }),
    session(laps, { carModel: 'BMW M2', tireCompound: 'full-slick' }),
    session(laps, { carModel: null, tireCompound: null }),
  ]);
  expect(changes).toEqual([
    { index: 0, count: 2, label: 'Mazda MX-5, Track Street 200 TW' },
    { index: 2, count: 1, label: 'Full Slick' },
    { index: 3, count: 1, label: 'BMW M2' },
    { index: 4, count: 1, label: 'Unknown car, Unknown tires' },
  ]);
});

test('a lap that is not clean breaks the line of its stint and has a mark', () => {
  const driven = [60_400, 60_000, 60_300, 60_100, 60_200].map((timeMs, index) => lap(index + 2, timeMs));
  const slow = lap(7, 70_000);
  const drawing = drawStint(session([outLap(1), ...driven, slow, lap(8, 60_150), lap(10, 60_250)]));
  expect(drawing?.line.match(/[ML]/g)?.join('')).toBe('MLLLLMM');
  expect(points(drawing?.dots)).toBe(7);
  expect(drawing?.marks).toMatchObject([
    { text: 'out', row: 0 },
    { text: '1:10.000', row: 0 },
  ]);
  expect(drawing?.band?.height).toBeGreaterThan(0);
  expect(drawStint(session([lap(1, 60_000), lap(2, 61_000)]))?.band).toBeNull();
  expect(drawStint(session([outLap(1)]))).toBeNull();
});

test('marks that would overlap take another row or have no text', () => {
  const short = (number: number) => lap(number, 30_000, { status: 'rejected', reasons: ['off_track'] });
  const laps = [
    lap(1, 60_000),
    ...[2, 3, 4].map(short),
    ...Array.from({ length: 20 }, (_, index) => lap(5 + index, 61_000)),
  ];
  expect(drawStint(session(laps))?.marks.map(({ row }) => row)).toEqual([0, 1, null]);
});

test('two laps differ by number, and by date where the sessions differ', () => {
  const one = session([lap(8, 60_000)]);
  const other = session([lap(11, 61_000)], {
    sessionId: asSessionId('other'),
    sessionDate: '2026-07-02T10:00:00+02:00',
  });
  const [eight, eleven] = [lap(8, 60_000), lap(11, 61_000)];
  expect(nameTwoLaps({ lap: eight, session: one }, { lap: eleven, session: one })).toBe('Lap 8 and Lap 11');
  expect(nameTwoLaps({ lap: eight, session: one }, { lap: eleven, session: other })).toBe(
    'Lap 8, 06/01/26 and Lap 11, 07/02/26',
  );
});

test('of two laps with the time of the record, the earlier one is the record', () => {
  const other = {
    lapId: asLapId('other'),
    driverId: asUserId('bo'),
    userName: 'Bo',
    lapTimeMs: 90_000,
    rank: 1,
  };
  const board = { scope: 'board', name: null, rank: 1, drivers: 2 } as const;
  const best = { lapId: asLapId('own'), lapTimeMs: 90_000, sectorTimesMs: [] };
  const record = (places: Pick<BoardPlace, 'ahead' | 'behind'>) =>
    findRecord({
      userName: 'Ana',
      best,
      places: [{ ...board, ...places, entries: [{ ...other, count: 1 }] }],
    })?.userName;
  expect(record({ ahead: null, behind: other })).toBe('Ana');
  expect(record({ ahead: other, behind: null })).toBe('Bo');
});
