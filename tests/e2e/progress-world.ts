import { asLapId, asSessionId, asUserId } from '#contract/testing/ids.ts';
import type { TireCompound } from '#contract/laps/labels.ts';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { listCleanLaps, measureSpread } from '#engine/timing/clean-laps.ts';
import { findBestLap } from '#engine/timing/laps.ts';

type Session = DriverLaps['sessions'][number];
type Lap = Session['laps'][number];

// Lap times in hundredths of a second, from the first clean lap on; out and in laps are added.
const DAYS: readonly [day: string, tires: TireCompound, times: readonly number[]][] = [
  ['2026-03-07', 'street-300', [10_960, 11_070, 10_895, 10_950, 10_962, 10_821, 10_955, 10_890]],
  ['2026-04-12', 'street-300', [10_905, 10_870, 10_760, 10_850, 10_725, 10_790, 10_693, 10_770, 10_865]],
  ['2026-05-23', 'street-300', [10_700, 10_735, 10_736, 10_655, 10_630, 10_705, 10_612, 10_710, 10_725]],
  ['2026-06-28', 'track-200', [10_595, 10_465, 10_497, 10_490, 10_520, 10_535, 10_432, 10_585, 10_458]],
  ['2026-08-15', 'track-200', [10_582, 10_565, 10_680, 10_590, 10_490, 10_710, 10_570, 10_690, 10_560]],
  ['2026-10-03', 'track-200', [10_430, 10_495, 10_420, 10_405, 10_340, 10_500, 10_525, 10_410, 10_460]],
  [
    '2026-11-16',
    'track-200',
    [10_502, 10_424, 10_387, 11_240, 10_366, 10_323, 10_288, 10_335, 10_347, 10_311, 10_380, 10_411],
  ],
];

// The first and the last sector of these laps are better than their lap time.
const SECTOR_GAINS_MS: Record<string, readonly number[]> = { '5-6': [288, 0], '6-11': [0, 277] };

function timedLap(session: number, number: number, lapTimeMs: number): Lap {
  const [firstGain = 0, lastGain = 0] = SECTOR_GAINS_MS[`${session}-${number}`] ?? [];
  const first = Math.round(lapTimeMs * 0.334) - firstGain;
  const last = Math.round(lapTimeMs * 0.388) - lastGain;
  return {
    lapId: asLapId(`lap-${session}-${number}`),
    number,
    lapTimeMs,
    uncertaintyMs: 12,
    status: 'valid',
    reasons: [],
    sectorTimesMs: [first, lapTimeMs - first - last, last],
    isClean: false,
  };
}

function stintEnd(session: number, number: number, reason: 'out_lap' | 'in_lap'): Lap {
  const sectorTimesMs = [null, 30_000, null];
  return {
    ...timedLap(session, number, 131_000),
    status: 'incomplete',
    reasons: [reason],
    sectorTimesMs,
  };
}

function drivenSession(index: number): Session {
  const [day = '', tireCompound = null, times = []] = DAYS[index] ?? [];
  const laps = [
    stintEnd(index, 1, 'out_lap'),
    ...times.map((hundredths, lap) => timedLap(index, lap + 2, 10 * hundredths + ((lap * 7) % 10))),
    stintEnd(index, times.length + 2, 'in_lap'),
  ];
  const clean = new Set(listCleanLaps(laps));
  return {
    sessionId: asSessionId(`session-${index}`),
    sessionDate: `${day}T10:00:00-07:00`,
    carName: 'BMW M2',
    carModel: 'BMW M2',
    carRaceClass: null,
    tireCompound,
    videoUrl: null,
    isPrivate: false,
    bestLapId: findBestLap(laps)?.lapId ?? null,
    laps: laps.map((lap) => ({ ...lap, isClean: clean.has(lap) })),
    spread: measureSpread([...clean]),
  };
}

const RIVALS: readonly [name: string, lapTimeMs: number][] = [
  ['Leila Slipstream', 99_917],
  ['Tomas Apex', 101_020],
  ['Ines Kerb', 101_540],
  ['Jo Oversteer', 101_880],
  ['Bo Chicane', 102_310],
  ['Keoni Catchfence', 102_609],
  ['Mara Understeer', 103_250],
  ['Ana Hairpin', 103_960],
  ['Ugo Lockup', 104_200],
  ['Pia Paddock', 105_530],
  ['Sam Gravel', 106_320],
  ['Ida Marshal', 107_900],
  ['Max Backmarker', 109_640],
];

function place(scope: 'board' | 'class' | 'car', name: string | null, rivals: typeof RIVALS, bestMs: number) {
  const faster = rivals.filter(([, lapTimeMs]) => lapTimeMs < bestMs).length;
  const entries = rivals.map(([userName, lapTimeMs], index) => ({
    lapId: asLapId(`rival-${index}`),
    driverId: asUserId(`rival-${index}`),
    userName,
    lapTimeMs,
    rank: index + (index < faster ? 1 : 2),
    count: 1,
  }));
  return {
    scope,
    name,
    rank: faster + 1,
    drivers: rivals.length + 1,
    ahead: entries[faster - 1] ?? null,
    behind: entries[faster] ?? null,
    entries,
  };
}

/** A driver with seven sessions on a track with three sectors, who is seventh of fourteen. */
export function progressWorld(): DriverLaps {
  const sessions = DAYS.map((_, index) => drivenSession(index)).toReversed();
  const laps = sessions.flatMap((session) => session.laps);
  const best = findBestLap(laps);
  if (!best) throw new Error('No lap ranks.');
  const bestSectors = ['S1', 'S2', 'S3'].map((name, sector) => {
    const [first] = laps
      .filter(({ status }) => status === 'valid')
      .map(({ lapId, sectorTimesMs }) => ({ name, lapId, timeMs: sectorTimesMs[sector] ?? 0 }))
      .toSorted((a, b) => a.timeMs - b.timeMs);
    if (!first) throw new Error('No lap has sectors.');
    return first;
  });
  return {
    isOwn: true,
    trackName: 'Harbour Loop',
    trackConfiguration: 'Full Course',
    userName: 'Nadia Ferro',
    sectorNames: ['S1', 'S2', 'S3'],
    sessions,
    best: { lapId: best.lapId, lapTimeMs: best.lapTimeMs, sectorTimesMs: best.sectorTimesMs },
    bestSectors,
    theoreticalBestMs: bestSectors.reduce((sum, { timeMs }) => sum + timeMs, 0),
    places: [
      place('board', null, RIVALS, best.lapTimeMs),
      place('class', 'Touring', RIVALS.slice(5, 10), best.lapTimeMs),
      place('car', 'BMW M2', RIVALS.slice(8, 10), best.lapTimeMs),
    ],
  };
}
