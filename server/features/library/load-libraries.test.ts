import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { useTestDatabase } from '#server/testing/test-database.ts';
import { loadLibraries } from './load-libraries.ts';

const opened = useTestDatabase();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pitboard-library-'));
  for (const name of ['tracks.json', 'cars.csv'])
    await cp(join(projectFolder, 'data', name), join(folder, name));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const ask = async (text: string) => (await opened.database.pool.query(text)).rows;
const loadTimes = () => ask('SELECT name, loaded_at FROM loaded_libraries ORDER BY name');

test('copies that load at the same time load once', async () => {
  await Promise.all([1, 2, 3].map(() => loadLibraries(opened.database.db, folder)));
  const tracks = JSON.parse(await readFile(join(folder, 'tracks.json'), 'utf8'));
  const cars = (await readFile(join(folder, 'cars.csv'), 'utf8')).trim().split('\n');
  expect(await ask('SELECT count(*)::int AS tracks FROM tracks')).toEqual([{ tracks: tracks.length }]);
  expect(await ask('SELECT count(*)::int AS cars FROM car_models')).toEqual([{ cars: cars.length - 1 }]);
});

test('an unchanged library is not loaded again', async () => {
  const before = await loadTimes();
  await loadLibraries(opened.database.db, folder);
  expect(await loadTimes()).toEqual(before);
});

test('a change of the library arrives, while what belongs to the track stays', async () => {
  await opened.database.pool.query(
    "UPDATE tracks SET entry_count = 7, board_version = 9 WHERE id = 'albert-park-circuit-grand-prix'",
  );
  const path = join(folder, 'tracks.json');
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace('"lengthMeters": 5278', '"lengthMeters": 5279'),
  );
  await loadLibraries(opened.database.db, folder);
  expect(
    await ask(
      "SELECT length_meters, entry_count, board_version FROM tracks WHERE id = 'albert-park-circuit-grand-prix'",
    ),
  ).toEqual([{ length_meters: 5279, entry_count: 7, board_version: '9' }]);
});

test('a library that cannot be read changes nothing and says which line it is', async () => {
  const path = join(folder, 'cars.csv');
  const text = await readFile(path, 'utf8');
  await writeFile(path, `${text}Mazda,,,,,,,,\n`);
  await expect(loadLibraries(opened.database.db, folder)).rejects.toThrow(
    `Line ${text.trim().split('\n').length + 1}`,
  );
  await writeFile(path, text);
});
