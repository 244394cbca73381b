import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { writeZip } from '#engine/testing/write-zip.ts';
import { unpackArchives } from './unpack-archives.ts';

const text = new TextEncoder();
const rows = text.encode('time,lat,lon\n'.repeat(400));

function archive(names: readonly string[], deflate?: typeof deflateRawSync): File {
  const files = names.map((name, index) => [name, rows.subarray(index)] as const);
  return new File([writeZip(files, deflate).slice()], 'day.zip', { lastModified: 7 });
}

test('the lap files of an archive replace it, in their order and without folders', async () => {
  const other = new File(['x'], 'other.gpx');
  const unpacked = await unpackArchives([
    archive(['day/one.csv', 'day/notes.pdf', 'day/two.VBO', '__MACOSX/day/one.csv'], deflateRawSync),
    other,
  ]);
  expect(unpacked.map(({ name }) => name)).toEqual(['one.csv', 'two.VBO', 'other.gpx']);
  expect(new Uint8Array((await unpacked[0]?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(rows);
  expect(unpacked[1]?.size).toBe(rows.length - 2);
});

test('the lists of laps beside logs of MoTeC are taken with them, others are not', async () => {
  const unpacked = await unpackArchives([archive(['day/a.ld', 'day/a.ldx', 'day/b.LD', 'day/c.ldx'])]);
  expect(unpacked.map(({ name }) => name)).toEqual(['a.ld', 'b.LD', 'a.ldx']);
});

test('stored files are taken too', async () => {
  const unpacked = await unpackArchives([archive(['one.csv', 'two.csv'])]);
  expect(unpacked.map(({ size }) => size)).toEqual([rows.length, rows.length - 1]);
});

test.each([
  ['one lap file', () => archive(['one.csv', 'notes.pdf'])],
  ['a session of RaceChrono', () => archive(['session.json', 'one.csv', 'two.csv'])],
  ['no lap file', () => archive(['notes.pdf', 'photo.jpg'])],
  [
    'damage',
    () =>
      new File(
        [
          writeZip(
            [
              ['a.csv', rows],
              ['b.csv', rows],
            ],
            deflateRawSync,
          ).slice(0, 60),
        ],
        'day.zip',
      ),
  ],
  ['something else', () => new File(['time,lat,lon'], 'day.zip')],
])('an archive with %s stays as it is', async (_, make) => {
  const file = make();
  expect(await unpackArchives([file])).toEqual([file]);
});
