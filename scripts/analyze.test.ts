import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { LIMITS } from '#contract/limits.ts';
import { outlineSchema, sectorLineSchema, timingLineSchema } from '#contract/tracks/schemas.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { libraryTrack } from '../tests/library.ts';
import { writeSparseVideo } from '../tests/sparse-video.ts';
import { analyze } from './analyze.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitboard-analyze-'));
const track = libraryTrack('grattan-raceway-full');
const drive = simulateDrive(track, { seed: 11, laps: 3 });
const drivePath = write('drive.csv', csvOf(drive));

let printed = '';
let complained = '';

beforeEach(() => {
  [printed, complained] = ['', ''];
  vi.spyOn(console, 'log').mockImplementation((text: string) => (printed += `${text}\n`));
  vi.spyOn(console, 'error').mockImplementation((text: string) => (complained += `${text}\n`));
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Files without an end, and a pipe without a writer; Windows has none of them. */
function specialFiles(): string[][] {
  if (process.platform === 'win32') return [];
  const pipe = join(folder, 'pipe.csv');
  execFileSync('mkfifo', [pipe]);
  return [['/dev/zero'], ['/dev/null'], [pipe]];
}

/** A byte more than is read; it takes no room on the disk. */
function tooLarge(): string {
  const path = write('large.csv', 'time,latitude,longitude\n');
  truncateSync(path, LIMITS.lapFileBytesMax + 1);
  return path;
}

function csvOf({ fixes }: SimulatedDrive): string {
  const rows = fixes.map((fix) => `${new Date(fix.timeMs).toISOString()},${fix.lat},${fix.lon}`);
  return ['time,latitude,longitude', ...rows].join('\n');
}

const named = z.strictObject({ trackId: z.string(), name: z.string(), configuration: z.string().nullable() });
const answer = z.strictObject({
  format: z.string(),
  fixCount: z.int(),
  gpsRateHz: z.number().nullable(),
  dropped: z.record(z.string(), z.int()),
  suggestions: z.array(named.extend({ confidencePct: z.int().min(0).max(100) })),
  track: named.nullable(),
  laps: z.array(
    z.strictObject({
      number: z.int(),
      lapTimeMs: z.int(),
      uncertaintyMs: z.int(),
      status: z.string(),
      reasons: z.array(z.string()),
      startedAt: z.iso.datetime({ local: true }).nullable(),
      sectorTimesMs: z.array(z.int().nullable()),
    }),
  ),
  bestLapTimeMs: z.int().nullable(),
});

function answerTo(...commandLine: string[]) {
  expect(analyze([...commandLine, '--json'])).toBe(0);
  return answer.parse(JSON.parse(printed));
}

test('as JSON it gives the format, the suggestions, the track and the laps', () => {
  const { suggestions, track: used, laps, bestLapTimeMs, gpsRateHz } = answerTo(drivePath);
  expect(gpsRateHz).toBe(10);
  expect(suggestions[0]).toMatchObject({ trackId: track.id, name: track.name, configuration: 'Full' });
  expect(used?.trackId).toBe(track.id);
  expect(laps).toHaveLength(3);
  laps.forEach((lap, index) => {
    expect(Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(5);
    expect(
      Math.abs(Date.parse(lap.startedAt ?? '') - (drive.trueLaps[index]?.startTimeMs ?? 0)),
    ).toBeLessThan(5);
    expect(lap.sectorTimesMs).toHaveLength(3);
    expect(lap.sectorTimesMs.reduce<number>((sum, sector) => sum + (sector ?? 0), 0)).toBe(lap.lapTimeMs);
  });
  expect(bestLapTimeMs).toBe(Math.min(...laps.map((lap) => lap.lapTimeMs)));
});

test('a line of your own is used in either direction, also one that begins with a minus', () => {
  const line = track.startFinishLine;
  if (line === null) throw new Error('The track has a line.');
  const ends = `${line.b.lat},${line.b.lon},${line.a.lat},${line.a.lon}`;
  const own = answerTo(drivePath, '--line', ends);
  expect(own.track).toBeNull();
  expect(own.laps).toHaveLength(3);
  printed = '';
  expect(answerTo(drivePath, '--line', '-37.85,144.96,-37.84,144.97').laps).toEqual([]);
});

test('a line of your own that was never crossed is reported with its distance', () => {
  const line = track.startFinishLine;
  if (line === null) throw new Error('The track has a line.');
  const ends = [line.a.lat + 0.02, line.a.lon, line.b.lat + 0.02, line.b.lon].join(',');
  expect(analyze([drivePath, '--line', ends])).toBe(0);
  const [, meters] = /never crossed: the nearest position is (\d+) m away/.exec(printed) ?? [];
  expect(Number(meters)).toBeGreaterThan(100);
  expect(Number(meters)).toBeLessThan(2300);
});

test('a file that is compressed with gzip is timed like the one inside', () => {
  const path = write('drive.csv.gz', gzipSync(readFileSync(drivePath)));
  const { laps } = answerTo(path);
  printed = '';
  expect(laps).toEqual(answerTo(drivePath).laps);
});

test('a video is timed by the positions in it, however large it is', async () => {
  const path = join(folder, 'GX010012.MP4');
  const filmed = simulateDrive(track, { seed: 11, laps: 2, receiver: { rateHz: 18.2 } });
  expect(await writeSparseVideo(path, filmed)).toBeGreaterThan(4 * 2 ** 30);
  const { format, laps } = answerTo(path);
  expect(format).toBe('camera-csv');
  expect(laps).toHaveLength(2);
  for (const [index, lap] of laps.entries())
    expect(Math.abs(lap.lapTimeMs - (filmed.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(20);
});

const proposal = z.strictObject({
  kind: z.enum(['circuit', 'stage']),
  startFinishLine: timingLineSchema,
  finishLine: timingLineSchema.nullable(),
  lengthMeters: z.int(),
  confidence: z.number().min(0).max(1),
  lineSource: z.enum(['file', 'logger_laps', 'drive']),
  sectors: z.array(sectorLineSchema),
  outline: outlineSchema,
});
const proposed = z.strictObject({
  proposals: z.array(proposal),
  laps: answer.shape.laps,
  bestLapTimeMs: answer.shape.bestLapTimeMs,
});

test('with --propose it times the laps on the track that the drive suggests, without knowing any', () => {
  expect(analyze([drivePath, '--propose', '--json'])).toBe(0);
  const { proposals, laps } = proposed.parse(JSON.parse(printed));
  expect(proposals[0]).toMatchObject({ kind: 'circuit', finishLine: null, lineSource: 'drive' });
  expect(laps.filter(({ status }) => status === 'valid').length).toBeGreaterThanOrEqual(2);
  printed = '';
  expect(analyze([drivePath, '--propose'])).toBe(0);
  expect(printed).toMatch(/^ *\d+ % Circuit of \d+ m on a line chosen by the drive: "/);
  expect(printed).toMatch(/Best: 1:\d\d\.\d{3}/);
});

test('with --propose a drive of a few seconds has no proposal', () => {
  const path = write('once.csv', csvOf({ ...drive, fixes: drive.fixes.slice(0, 60) }));
  expect(analyze([path, '--propose', '--json'])).toBe(0);
  expect(proposed.parse(JSON.parse(printed))).toEqual({ proposals: [], laps: [], bestLapTimeMs: null });
  printed = '';
  expect(analyze([path, '--propose'])).toBe(0);
  expect(printed).toContain('Nothing in this drive looks like a race track.');
});

test('a chosen track is used even if another one fits better', () => {
  const { track: used, laps } = answerTo(drivePath, '--track', 'autodromo-nazionale-monza-grand-prix');
  expect(used?.trackId).toBe('autodromo-nazionale-monza-grand-prix');
  expect(laps).toEqual([]);
});

test('for people it prints a table with the best time', () => {
  expect(analyze([drivePath])).toBe(0);
  expect(printed).toContain('Grattan Raceway, Full');
  expect(printed).toMatch(/^ +1 {2}1:\d\d\.\d{3} {2}/m);
  expect(printed).toMatch(/Best: 1:\d\d\.\d{3}/);
  expect(printed).toMatch(
    /Best sectors: (0:\d\d\.\d{3} \(lap \d\)( {2})?){3}\nTheoretical best: 1:\d\d\.\d{3}/,
  );
});

test('a lap file without a lap is no error', () => {
  const path = write('short.csv', csvOf({ ...drive, fixes: drive.fixes.slice(0, 300) }));
  expect(answerTo(path)).toMatchObject({ laps: [], bestLapTimeMs: null });
});

test('what cannot be analysed ends with one sentence and a code that is not zero', () => {
  const line = '--line';
  const wrong: string[][] = [
    [],
    [join(folder, 'missing.csv')],
    [folder],
    [''],
    [' '],
    [join(drivePath, 'inside.csv')],
    ...specialFiles(),
    [tooLarge()],
    [write('letter.txt', 'Dear driver,\nthis is no lap file.\n')],
    [write('empty.csv', '')],
    [drivePath, drivePath],
    [drivePath, '--track', 'nowhere'],
    [drivePath, '--track', track.id, line, '1,2,3,4'],
    [drivePath, line, '1,2,3'],
    [drivePath, line, '1,2,3,x'],
    [drivePath, line, '91,2,3,4'],
    [drivePath, line, '1,2,1,2'],
    [drivePath, '--fast'],
    [drivePath, '--propose', '--track', track.id],
    [drivePath, '--propose', line, '1,2,3,4'],
  ];
  for (const commandLine of wrong) {
    [printed, complained] = ['', ''];
    expect(analyze(commandLine)).not.toBe(0);
    expect(printed).toBe('');
    expect(complained.trim()).toMatch(/^[A-Z/-].*[.?]/);
    if (commandLine.length > 0) expect(complained.trim()).not.toContain('\n');
  }
});
