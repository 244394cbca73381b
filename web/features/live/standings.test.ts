import { expect, test } from 'vitest';
import { liveCodeSchema } from '#contract/live/code.ts';
import type { LiveDriver, LiveSession } from '#contract/live/schemas.ts';
import { asTrackId } from '#contract/testing/ids.ts';
import { addMoves, addUpdate, beginView } from './live-view.ts';
import { listHighlights, pickPage, rankDrivers } from './standings.ts';

const NOW = 1_000_000;

const session: LiveSession = {
  code: liveCodeSchema.parse('k7mq2fwd9xtb'),
  title: null,
  visibility: 'link',
  startedAt: NOW - 3_600_000,
  track: {
    id: asTrackId('kart'),
    name: 'Kart Track',
    location: 'Somewhere',
    configuration: null,
    startFinishLine: null,
    finishLine: null,
    sectors: [],
    outline: null,
    timeZone: 'Europe/Vienna',
  },
};

const driver = (number: number, given: Partial<LiveDriver> = {}): LiveDriver => ({
  number,
  name: `Driver ${number}`,
  car: null,
  showsLine: true,
  state: 'on_track',
  stateSince: NOW - 300_000,
  seenAt: NOW - 500,
  lap: 4,
  sectors: [null, null],
  sectorStartedAt: NOW - 10_000,
  lastMs: null,
  bestMs: null,
  bestSectors: [null, null],
  isLastBest: false,
  highlight: null,
  ...given,
});

const ana = driver(1, { bestMs: 61_000, lastMs: 62_500, bestSectors: [30_000, 31_000] });
const bo = driver(2, {
  bestMs: 61_500,
  lastMs: 61_500,
  isLastBest: true,
  sectors: [30_400, null],
  bestSectors: [30_400, 30_900],
});
const cy = driver(3);

const ranked = (order: 'best' | 'last') =>
  rankDrivers([cy, bo, ana], order, NOW).map(({ driver: { number }, position, gapMs }) => [
    number,
    position,
    gapMs,
  ]);

test('drivers are ranked by best or last laps, those without one last, with the gap to the first', () => {
  expect(ranked('best')).toEqual([
    [1, 1, null],
    [2, 2, 500],
    [3, 3, null],
  ]);
  expect(ranked('last')).toEqual([
    [2, 1, null],
    [1, 2, 1_000],
    [3, 3, null],
  ]);
});

test('times are marked where they are the best of the session or of the driver', () => {
  const [first, second] = rankDrivers([ana, bo], 'best', NOW);
  expect([first?.bestMark, first?.lastMark]).toEqual(['best', null]);
  expect([second?.bestMark, second?.lastMark]).toEqual([null, 'own']);
  expect(second?.sectors[0]).toEqual({ timeMs: 30_400, mark: 'own', runningShare: null });
  expect(second?.sectors[1]?.runningShare).toBeCloseTo(10_000 / 30_900);
  expect(first?.sectors[0]?.runningShare).toBeCloseTo(1 / 3);
});

test('a driver is in the pits, late or without signal', () => {
  const status = (given: Partial<LiveDriver>) => {
    const [row] = rankDrivers([driver(1, given)], 'best', NOW);
    return [row?.status, row?.isOnTrack, row?.hasSignal];
  };
  expect(status({})).toEqual(['On track', true, true]);
  expect(status({ seenAt: NOW - 6_000 })).toEqual(['On track', true, false]);
  expect(status({ seenAt: NOW - 60_000 })).toEqual(['No signal', false, false]);
  expect(status({ state: 'pits', stateSince: NOW - 250_000 })).toEqual(['Pit 4 min', false, true]);
  expect(status({ state: 'out_lap' })).toEqual(['Out lap', true, true]);
  expect(status({ seenAt: null, stateSince: NOW - 61_000 })).toEqual(['No signal', false, false]);
});

test('the last improvements say what they are', () => {
  const drivers = [
    driver(1, { bestMs: 61_000, highlight: { at: 3, sector: null, timeMs: 61_000, gainMs: 228 } }),
    driver(2, { bestMs: 62_000, highlight: { at: 5, sector: null, timeMs: 62_000, gainMs: null } }),
    driver(3, { bestSectors: [30_000, null], highlight: { at: 4, sector: 0, timeMs: 30_000, gainMs: 12 } }),
  ];
  expect(listHighlights(drivers, 4).map(({ sentence, mark }) => [sentence, mark])).toEqual([
    ['First lap time', 'own'],
    ['S1, best of the session', 'best'],
    ['Best of the session', 'best'],
  ]);
  expect(listHighlights(drivers, 1)).toHaveLength(1);
});

test('beyond twelve rows the first three stay and the others take turns', () => {
  const rows = Array.from({ length: 25 }, (_, index) => index);
  expect(pickPage(rows.slice(0, 12), 3)).toEqual({ rows: rows.slice(0, 12), pages: 1 });
  expect([0, 1, 2, 3].map((page) => pickPage(rows, page).rows)).toEqual([
    [0, 1, 2, ...rows.slice(3, 12)],
    [0, 1, 2, ...rows.slice(12, 21)],
    [0, 1, 2, ...rows.slice(21)],
    [0, 1, 2, ...rows.slice(3, 12)],
  ]);
});

test('a view takes what changes, and shows no position of a driver who is off the track', () => {
  const view = addMoves(
    beginView({ session, drivers: [ana, bo], positions: [[2, 47, 10]], now: NOW }, NOW - 7),
    [[1, 48, 11], [2]],
    NOW,
  );
  expect([...view.positions]).toEqual([[1, { lat: 48, lon: 11 }]]);
  expect(view.drivers[0]?.seenAt).toBe(NOW + 7);
  const asked = {
    session,
    drivers: [ana, bo],
    gone: [],
    now: NOW,
    positions: [[2, 47, 10] as [number, number, number]],
  };
  expect([...addUpdate(view, asked, NOW).positions]).toEqual([[2, { lat: 47, lon: 10 }]]);
  const pits = addUpdate(view, { drivers: [{ ...ana, state: 'pits' }], gone: [2], now: NOW }, NOW);
  expect([pits.drivers.map(({ number }) => number), pits.positions.size]).toEqual([[1], 0]);
});
