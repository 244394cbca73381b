import { expect, test } from 'vitest';
import { asLapId, asSessionId } from '#contract/testing/ids.ts';
import type { DriverLaps } from '#contract/lap-view/driver-laps.ts';
import { drawProgress } from './progress.ts';

type Session = DriverLaps['sessions'][number];

const session = (day: string, lapTimesMs: number[], part: Partial<Session> = {}): Session => ({
  sessionId: asSessionId(day),
  sessionDate: `2026-${day}T10:00:00+02:00`,
  carName: 'Track toy',
  carModel: 'Mazda MX-5',
  tireCompound: 'track-200',
  videoUrl: null,
  isPrivate: false,
  bestLapId: null,
  laps: lapTimesMs.map((lapTimeMs, index) => ({
    lapId: asLapId(`${day} ${index}`),
    number: index + 1,
    lapTimeMs,
    uncertaintyMs: 10,
    status: 'valid',
    reasons: [],
    sectorTimesMs: [],
  })),
  ...part,
});

const best = (day: string, lapTimeMs: number) => ({
  lapId: asLapId(day),
  lapTimeMs,
  sessionDate: `2026-${day}T10:00:00+02:00`,
  carModel: 'Mazda MX-5',
  tireCompound: 'track-200' as const,
});

const driver = (part: Partial<DriverLaps>): DriverLaps => ({
  isOwn: true,
  userName: 'Ana',
  sectorNames: [],
  sessions: [],
  best: null,
  bestSectors: [],
  theoreticalBestMs: null,
  consistency: null,
  bestsOverTime: [],
  ...part,
});

test('laps lie from the first to the last day, and from the slowest at the top to the fastest at the bottom', () => {
  const progress = drawProgress(
    driver({
      sessions: [session('06-11', [100_000, 101_000]), session('06-01', [104_000])],
      bestsOverTime: [best('06-01', 104_000), best('06-11', 100_000)],
    }),
  );
  expect(progress?.dots.map(({ x, y }) => [x, y])).toEqual([
    [1, 1],
    [1, 0.75],
    [0, 0],
  ]);
  expect(progress?.lines).toEqual([
    {
      groupIndex: 0,
      points: [
        { x: 0, y: 0 },
        { x: 1, y: 0 },
        { x: 1, y: 1 },
        { x: 1, y: 1 },
      ],
    },
  ]);
});

test('cars and tyres are apart, and laps that are no attempt are counted, not shown', () => {
  const progress = drawProgress(
    driver({
      sessions: [
        session('06-01', [100_000, 160_000]),
        session('06-02', [103_000], { tireCompound: 'street-300' }),
      ],
    }),
  );
  expect(progress?.groups.map(({ label }) => label)).toEqual([
    'Mazda MX-5, Track Street 200 TW',
    'Mazda MX-5, Street 300+ TW',
  ]);
  expect(progress?.dots.map(({ groupIndex }) => groupIndex)).toEqual([0, 1]);
  expect(progress?.hiddenCount).toBe(1);
});

test('one day is in the middle, and without a ranking lap there is no picture', () => {
  expect(drawProgress(driver({ sessions: [session('06-01', [100_000])] }))?.dots[0]).toMatchObject({
    x: 0.5,
  });
  expect(drawProgress(driver({ sessions: [session('06-01', [])] }))).toBeNull();
});
