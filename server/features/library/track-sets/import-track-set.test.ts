import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import type { ImportProgress } from '#contract/library/schemas.ts';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import type { Position } from '#engine/geo.ts';
import { auditLog } from '#server/model/audit/schema.ts';
import { tracks } from '#server/model/tracks/schema.ts';
import { insertSignedIn, insertTrack } from '#server/testing/builders.ts';
import { type Person, useTestApp } from '#server/testing/test-app.ts';
import { startImportWorkers } from '../import/import-workers.ts';
import { importTrackSet } from './import-track-set.ts';

const HERE = { lat: 48.1, lon: 11.6 };

const app = useTestApp();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-set-'));
  await mkdir(join(folder, 'data'));
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(folder, name), content);
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const inUnits = ({ lat, lon }: Position) => ({
  lat: Math.round(lat * 1e7),
  lon: Math.round(lon * 1e7),
  elev: 0,
});

/** A track file of a set, as zaggyai/track_data writes them. */
function trackFile(name: string, shortName: string, points: readonly Position[]): string {
  const [start = HERE] = points;
  const file = { name, short_name: shortName, start_finish: inUnits(start), pts: points.map(inUnits) };
  return JSON.stringify(file);
}

function pointsAround(center: Position, everySecond = false): Position[] {
  const points = (kartTrackAt(center).outline ?? []).map(([lat, lon]) => ({ lat, lon }));
  const kept = everySecond ? points.filter((_, index) => index % 2 === 0) : points;
  return [...kept, ...kept.slice(0, 1)];
}

const hill = Array.from({ length: 40 }, (_, index) => ({ lat: 46 + 0.0005 * index, lon: 11 }));
const shifted = pointsAround({ lat: HERE.lat + 0.00002, lon: HERE.lon }, true);

const FILES: Record<string, string> = {
  'README.md': '# A set',
  'data/long.json': trackFile('Oval', 'Oval A', pointsAround(HERE)),
  'data/coarse.json': trackFile('Oval', 'Oval again', shifted),
  'data/reverse.json': trackFile('Oval', 'Oval R', pointsAround(HERE).toReversed()),
  'data/elsewhere.json': trackFile('Far Oval', 'Far', pointsAround({ lat: 40, lon: -3.7 })),
  'data/hill.json': trackFile('Hill', 'Hill', hill),
  'data/known.json': trackFile('Known Oval', 'Known', pointsAround({ lat: 52, lon: 5 })),
  'data/strip.json': trackFile('Strip', 'Strip', [hill[0] ?? HERE, hill[8] ?? HERE]),
  'data/broken.json': '{ "name": ',
  'data/other.json': '{ "colour": "red" }',
};

async function importFrom(path: string) {
  const progress: ImportProgress[] = [];
  const imported = await importTrackSet(app.db, {
    path,
    userId: null,
    onProgress: (step) => progress.push(step),
  });
  return { imported, progress };
}

test('a folder adds each course once, squares lines to the drive, and fills in country and time zone', async () => {
  const known = kartTrackAt({ lat: 52, lon: 5 });
  await insertTrack(app.db, { ...known, id: 'known-oval', name: 'Known by Another Name' });
  const { imported, progress } = await importFrom(folder);
  expect(imported).toMatchObject({ added: 4, known: 1, duplicates: 1 });
  expect(imported.leftOut.map(({ file }) => file).toSorted()).toEqual([
    'data/broken.json',
    'data/other.json',
    'data/strip.json',
  ]);
  expect(progress.at(0)).toEqual({ step: 'reading', done: 1, total: 9 });
  expect(progress.at(-1)).toEqual({ step: 'adding', done: 4, total: 4 });

  const rows = await app.db.select().from(tracks).orderBy(tracks.id);
  expect(rows.map(({ name, configuration }) => [name, configuration])).toEqual([
    ['Far Oval', null],
    ['Hill', null],
    ['Known by Another Name', null],
    ['Oval', 'Oval A'],
    ['Oval', 'Oval R'],
  ]);
  expect(rows[0]).toMatchObject({
    country: 'Spain',
    timeZone: 'Europe/Madrid',
    status: 'official',
    location: null,
  });
  expect(rows[1]).toMatchObject({ country: 'Italy', startFinishLine: { bearingDeg: expect.closeTo(0, 2) } });
  expect(rows[1]?.finishLine).toMatchObject({ bearingDeg: expect.closeTo(0, 2) });
  // The oval is driven anticlockwise, northwards at its eastern end, and the other one the other way round.
  const bearings = rows.slice(3).map(({ startFinishLine }) => startFinishLine);
  expect(bearings).toMatchObject([
    { bearingDeg: expect.closeTo(0, 0) },
    { bearingDeg: expect.closeTo(180, 0) },
  ]);
  const [entry] = await app.db.select().from(auditLog).orderBy(desc(auditLog.at)).limit(1);
  expect(entry).toMatchObject({
    action: 'create-tracks',
    userId: null,
    counts: { success: 4, exists: 1, duplicates: 1, error: 3 },
  });
});

test('the same set as an archive adds nothing more', async () => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(FILES)) zip.addBuffer(Buffer.from(content), `set/${name}`);
  zip.end();
  const path = join(folder, 'set.zip');
  await writeFile(path, await buffer(zip.outputStream));
  const { imported } = await importFrom(path);
  expect(imported).toMatchObject({ added: 0, known: 6, duplicates: 0 });
  expect(imported.leftOut).toHaveLength(3);
});

test('two layouts of one name and short name get names of their own', async () => {
  const center = { lat: 35, lon: 139 };
  const twice = pointsAround(center).map(({ lat, lon }) => ({
    lat: 35 + 2 * (lat - 35),
    lon: 139 + 2 * (lon - 139),
  }));
  const list = [trackFile('Twin', 'Twin', pointsAround(center)), trackFile('Twin', 'Twin', twice)];
  const path = join(folder, 'twins.json');
  await writeFile(path, `[${list.join()}]`);
  expect((await importFrom(path)).imported).toMatchObject({ added: 2, leftOut: [] });
  const rows = await app.db
    .select()
    .from(tracks)
    .where(eq(tracks.name, 'Twin'))
    .orderBy(tracks.configuration);
  expect(rows.map(({ configuration }) => configuration)).toEqual([
    'Twin',
    expect.stringMatching(/^Twin, \d\.\d\d km$/),
  ]);
});

test.each([
  ['a folder that is not there', 'nowhere', 'There is no folder or file'],
  ['a folder without track files', 'empty', 'There is no track file in it.'],
  ['a damaged archive', 'damaged.zip', 'This ZIP archive is not whole'],
])('%s is refused in words', async (_what, name, sentence) => {
  await mkdir(join(folder, 'empty'), { recursive: true });
  await writeFile(join(folder, 'damaged.zip'), 'PK\u0003\u0004 and no more');
  await expect(importFrom(join(folder, name))).rejects.toThrow(sentence);
});

test('administrators import a set on the page, others do not', async () => {
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  const driver = await insertSignedIn(app.db);
  const track = trackFile('Uploaded', 'Uploaded', pointsAround({ lat: -34.9, lon: 138.6 }));
  expect((await send(track, null)).statusCode).toBe(401);
  expect((await send(track, driver)).statusCode).toBe(403);
  const none = { added: 0, known: 0, duplicates: 0 };
  expect((await send('no JSON', admin)).json()).toMatchObject({
    ...none,
    leftOut: [{ reason: 'This file is not valid JSON.' }],
  });
  expect((await send(track, admin)).json()).toEqual({ ...none, added: 1, leftOut: [] });
  const [row] = await app.db.select().from(tracks).where(eq(tracks.name, 'Uploaded'));
  expect(row).toMatchObject({ country: 'Australia', timeZone: 'Australia/Adelaide' });
  const damaged = await send('PK\u0003\u0004', admin);
  expect([damaged.statusCode, damaged.json().error]).toEqual([400, 'invalid_input']);
});

const askProgress = (who: Person) => app.as(who).get('/api/admin/import-track-set');

test('administrators see how far their import has come, others do not', async () => {
  expect((await askProgress(null)).statusCode).toBe(401);
  expect((await askProgress(await insertSignedIn(app.db))).statusCode).toBe(403);
  const admin = await insertSignedIn(app.db, { isAdmin: true });
  expect((await askProgress(admin)).json()).toEqual({ progress: null });

  const workers = startImportWorkers();
  const counts = new Int32Array(new SharedArrayBuffer(8));
  await workers.sortOutTrackSet({ path: folder, library: [], counts });
  await workers.close();
  expect(counts[0]).toBe(10);
  expect(counts[1]).toBe(10);
});

function send(content: string, who: Person) {
  return app.as(who).postForm('/api/admin/import-track-set', [['file', { name: 'set.json', content }]]);
}
