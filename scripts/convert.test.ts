import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { libraryTrack } from '../tests/library.ts';
import { convert } from './convert.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitboard-convert-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => vi.restoreAllMocks());

const SAMPLE = 'data/lap-files/zandvoort-5hz.gpx';
const TRACK = libraryTrack('circuit-zandvoort-grand-prix');

/** Runs the command in this process, without half a second for its start. */
function run(...words: string[]) {
  let [written, complained] = ['', ''];
  vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    written += String(piece);
    return true;
  });
  vi.spyOn(console, 'error').mockImplementation((text: string) => (complained += text));
  const status = convert(words);
  vi.restoreAllMocks();
  return { status, written, complained };
}

function rankingTimes(bytes: Uint8Array): number[] {
  return timeLaps(openLapFile(bytes), TRACK)
    .laps.filter(isRanking)
    .map(({ lapTimeMs }) => Math.round(lapTimeMs));
}

test.each(['vbo', 'gpx', 'racechrono', 'geojson'])(
  'writes %s to standard output, and nothing else',
  (format) => {
    const { status, written, complained } = run(SAMPLE, '--to', format);
    expect([status, complained]).toEqual([0, '']);
    if (format === 'geojson') {
      expect(JSON.parse(written)).toMatchObject({ type: 'FeatureCollection' });
      return;
    }
    const driven = rankingTimes(readFileSync(SAMPLE));
    expect(driven.length).toBeGreaterThan(1);
    expect(rankingTimes(new TextEncoder().encode(written))).toEqual(driven);
  },
);

test('the command of a person writes the file to a pipe', () => {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/convert.mjs', SAMPLE, '--to', 'gpx'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  expect(status).toBe(0);
  expect(stdout.startsWith('<?xml')).toBe(true);
  expect(stdout.endsWith('</gpx>\n')).toBe(true);
});

test('complains on standard error alone, with exit code 1', () => {
  const text = join(folder, 'text.csv');
  writeFileSync(text, 'a,b\n1,2\n');
  const refusals: [string[], RegExp][] = [
    [[], /^Give one lap file/],
    [[SAMPLE, SAMPLE, '--to', 'vbo'], /^Give one lap file/],
    [[SAMPLE], /^--to takes one of these formats: vbo, gpx, racechrono, geojson\.$/],
    [[SAMPLE, '--to', 'toString'], /^--to takes/],
    [[join(folder, 'missing.csv'), '--to', 'vbo'], /^There is no file /],
    [[text, '--to', 'vbo'], /^This file /],
    [[SAMPLE, '--to', 'vbo', '--track', 'nowhere'], /^There is no track 'nowhere'/],
    [[SAMPLE, '--to', 'vbo', '--speed', '3'], /--speed/],
  ];
  for (const [words, sentence] of refusals) {
    const { status, written, complained } = run(...words);
    expect(complained).toMatch(sentence);
    expect([status, written]).toEqual([1, '']);
  }
});
