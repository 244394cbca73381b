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

const answerSchema = z.object({
  lapTimesMs: z.tuple([z.number(), z.number()]),
  offsetMeters: z.object({ east: z.number(), north: z.number() }),
  meters: z.array(z.number()),
  gapMs: z.array(z.number()),
  bandMs: z.array(z.number().nonnegative()),
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
