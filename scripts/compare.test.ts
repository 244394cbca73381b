import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { libraryTrack } from '../tests/library.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { compare } from './compare.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitboard-compare-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TRACK = libraryTrack('grattan-raceway-full');
const FIRST = writeDrive('first.csv', 1);
const SECOND = writeDrive('second.csv', 2);

const pairSchema = z.tuple([z.number(), z.number()]);

const stretchSchema = z.object({
  kind: z.enum(['straight', 'corner']),
  number: z.int().positive(),
  startMeters: z.number(),
  endMeters: z.number(),
  lostMs: z.number(),
  bandMs: z.number().positive(),
  brakingMeters: pairSchema.nullable(),
  brakingEarlierMeters: z.number().nullable(),
  startSpeedsMetersPerSecond: pairSchema,
  slowestSpeedsMetersPerSecond: pairSchema.nullable(),
  endSpeedsMetersPerSecond: pairSchema,
});

const answerSchema = z.object({
  lapTimesMs: z.tuple([z.number(), z.number()]),
  offsetMeters: z.object({ east: z.number(), north: z.number() }),
  meters: z.array(z.number()),
  gapMs: z.array(z.number()),
  bandMs: z.array(z.number().nonnegative()),
  stretches: z.array(stretchSchema),
  speedsMetersPerSecond: z.tuple([z.array(z.number()), z.array(z.number())]),
});

function writeDrive(name: string, seed: number): string {
  const path = join(folder, name);
  writeFileSync(path, writeGenericCsv(simulateDrive(TRACK, { seed, laps: 2, receiver: { rateHz: 10 } })));
  return path;
}

/** The command in a process of its own, as a person starts it. */
function start(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/compare.mjs', ...words], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** The same in this process, without half a second for its start. */
function run(...words: string[]) {
  const [log, error] = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  );
  const status = compare(words);
  const [stdout, stderr] = [log, error].map((spy) => spy?.mock.calls.map(([line]) => `${line}\n`).join(''));
  vi.restoreAllMocks();
  return { status, stdout, stderr };
}

test('the best laps of two files are compared on the track that fits, for programs', () => {
  const { status, stdout } = start(FIRST, SECOND, '--json');
  expect(status).toBe(0);
  const answer = answerSchema.parse(JSON.parse(stdout));
  const [first, second] = answer.lapTimesMs;
  expect(answer.gapMs).toHaveLength(answer.meters.length);
  expect(answer.bandMs).toHaveLength(answer.meters.length);
  expect(answer.gapMs[0]).toBe(0);
  expect(answer.gapMs.at(-1)).toBeCloseTo(second - first, 3);
  // Grattan Raceway is 3.2 km long along its outline.
  expect(Math.abs((answer.meters.at(-1) ?? 0) - 3000)).toBeLessThan(300);
});

test('for programs, the stretches of both laps follow each other, and their speeds are those of the curves', () => {
  const { stdout } = start(FIRST, SECOND, '--json');
  const { meters, gapMs, stretches, speedsMetersPerSecond } = answerSchema.parse(JSON.parse(stdout));
  expect(stretches.map(({ startMeters }) => startMeters)).toEqual([
    0,
    ...stretches.slice(0, -1).map(({ endMeters }) => endMeters),
  ]);
  expect(stretches.at(-1)?.endMeters).toBe(meters.at(-1));
  expect(stretches.reduce((sum, { lostMs }) => sum + lostMs, 0)).toBeCloseTo(gapMs.at(-1) ?? Number.NaN, 6);
  for (const speeds of speedsMetersPerSecond) expect(speeds).toHaveLength(meters.length);
  for (const stretch of stretches) {
    const [start, end] = [meters.indexOf(stretch.startMeters), meters.indexOf(stretch.endMeters)];
    const [first, second] = speedsMetersPerSecond;
    expect(stretch.startSpeedsMetersPerSecond).toEqual([first[start], second[start]]);
    expect(stretch.endSpeedsMetersPerSecond).toEqual([first[end], second[end]]);
    const slowest = [first, second].map((speeds) => Math.min(...speeds.slice(start, end + 1)));
    expect(stretch.slowestSpeedsMetersPerSecond).toEqual(stretch.kind === 'corner' ? slowest : null);
    const lost = (gapMs[end] ?? Number.NaN) - (gapMs[start] ?? Number.NaN);
    expect(stretch.lostMs).toBeCloseTo(lost, 6);
    if (stretch.brakingEarlierMeters === null) continue;
    const [one, other] = stretch.brakingMeters ?? [Number.NaN, Number.NaN];
    expect(stretch.brakingEarlierMeters).toBeCloseTo(one - other, 6);
  }
  expect(new Set(stretches.map(({ kind }) => kind))).toEqual(new Set(['straight', 'corner']));
  expect(stretches.some(({ brakingMeters }) => brakingMeters !== null)).toBe(true);
});

test('laps are chosen by their numbers, and a person reads a table', () => {
  const { status, stdout } = run(FIRST, SECOND, '--laps', '2,1', '--track', TRACK.id);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^First +\d:\d\d\.\d{3} {2}lap 2$/m);
  expect(stdout).toMatch(/^Second +\d:\d\d\.\d{3} {2}lap 1, [+−]\d+\.\d{3} s$/m);
});

test('what cannot be compared is refused in one sentence', () => {
  const text = join(folder, 'text.csv');
  writeFileSync(text, 'a,b\n1,2\n');
  const refusals: [string[], RegExp][] = [
    [[FIRST], /^Give two lap files/],
    [[FIRST, join(folder, 'missing.csv')], /^There is no file /],
    [[FIRST, text], /^This file /],
    [[FIRST, SECOND, '--laps', '1'], /^--laps takes two numbers/],
    [[FIRST, SECOND, '--laps', '1,99'], /has no lap 99/],
    [[FIRST, SECOND, '--track', 'nowhere'], /^There is no track 'nowhere'/],
    [[FIRST, SECOND, '--track', TRACK.id, '--line', '1,2,3,4'], /^Give either --track or --line/],
    [[FIRST, SECOND, '--line', '1,2,3'], /^--line takes the two ends/],
    [[FIRST, SECOND, '--line', '10,10,10,10.001'], /has no lap that counts there/],
  ];
  for (const [words, sentence] of refusals) {
    const { status, stderr, stdout } = run(...words);
    expect(stderr?.trim()).toMatch(sentence);
    expect([status, stdout]).toEqual([1, '']);
  }
});

test('the bundled sample files of different tracks were not driven along the same track', () => {
  const { status, stderr } = start(
    'data/lap-files/zandvoort-5hz.gpx',
    'data/lap-files/waterford-hills-25hz.csv',
  );
  expect([status, stderr.trim()]).toEqual([1, expect.stringContaining('has no lap that counts there')]);
});
