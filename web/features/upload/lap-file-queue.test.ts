import { expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import {
  addLapFiles,
  findGpsFile,
  formatFileSize,
  resetLapFiles,
  spreadSentBytes,
  updateLapFile,
} from './lap-file-queue.ts';

function lapFile(name: string, content = 'latitude,longitude'): File {
  return new File([content], name, { lastModified: 1 });
}

/** A file that claims a size without taking the memory for it. */
function fileOfSize(name: string, bytes: number): File {
  return Object.defineProperty(lapFile(name), 'size', { value: bytes });
}

test('a chosen file is Ready and shows its size', () => {
  const { queue } = addLapFiles([], [fileOfSize('session.csv', 4_404_019)]);
  expect(queue).toMatchObject([{ status: 'ready', detail: '4.2 MB', sentShare: null }]);
});

test('new files go behind those already chosen, and the same file is not taken twice', () => {
  const { queue } = addLapFiles([], [lapFile('a.csv')]);
  const { queue: next } = addLapFiles(queue, [lapFile('a.csv'), lapFile('b.gpx')]);
  expect(next.map((queued) => queued.file.name)).toEqual(['a.csv', 'b.gpx']);
});

test('a file over the limit is left out with a sentence that names it and the limit', () => {
  const { queue, refusals } = addLapFiles([], [fileOfSize('long.csv', LIMITS.lapFileBytesMax + 1)]);
  expect(queue).toEqual([]);
  expect(refusals).toEqual(['long.csv was left out: it is larger than 128 MB.']);
});

test('a file of exactly the limit is taken', () => {
  const { queue } = addLapFiles([], [fileOfSize('long.csv', LIMITS.lapFileBytesMax)]);
  expect(queue).toHaveLength(1);
});

test('an empty file is left out', () => {
  expect(addLapFiles([], [lapFile('empty.csv', '')]).refusals).toEqual([
    'empty.csv was left out: it is empty.',
  ]);
});

test('the twenty-first file is left out', () => {
  const files = Array.from({ length: 21 }, (_, index) => lapFile(`${index}.csv`));
  const { queue, refusals } = addLapFiles([], files);
  expect(queue).toHaveLength(20);
  expect(refusals).toEqual(['20.csv was left out: one upload takes at most 20 files.']);
});

test('the first .csv or .gpx file is the one to analyse, whatever the case of its ending', () => {
  const { queue } = addLapFiles([], [lapFile('a.vbo'), lapFile('b.GPX'), lapFile('c.csv')]);
  expect(findGpsFile(queue)?.file.name).toBe('b.GPX');
});

test('a compressed .csv.gz or .gpx.gz is analysed as well, other compressed files are not', () => {
  const { queue } = addLapFiles([], [lapFile('a.tar'), lapFile('b.gz'), lapFile('c.csv.gz')]);
  expect(findGpsFile(queue)?.file.name).toBe('c.csv.gz');
});

test("without a .csv or .gpx file the first of the loggers' own files is analysed", () => {
  const { queue } = addLapFiles([], [lapFile('a.pdf'), lapFile('b.XRK'), lapFile('c.vbo')]);
  expect(findGpsFile(queue)?.file.name).toBe('b.XRK');
});

test('without a lap file there is nothing to analyse', () => {
  const { queue } = addLapFiles([], [lapFile('a.docx'), lapFile('csv')]);
  expect(findGpsFile(queue)).toBeUndefined();
});

test('an update changes the one file that it names', () => {
  const { queue } = addLapFiles([], [lapFile('a.csv'), lapFile('b.csv')]);
  const next = updateLapFile(queue, queue[1]?.id ?? '', { status: 'error', detail: 'No GPS positions' });
  expect(next.map((queued) => queued.status)).toEqual(['ready', 'error']);
});

test('files travel one after the other: the first is sent while the second waits', () => {
  const { queue } = addLapFiles([], [fileOfSize('a.csv', 1000), fileOfSize('b.csv', 1000)]);
  const halfWay = spreadSentBytes(queue, { loadedBytes: 1100, totalBytes: 2200 });
  expect(halfWay.map((queued) => queued.detail)).toEqual(['Sent. Timing the laps…', 'Waiting to be sent']);
  const threeQuarters = spreadSentBytes(queue, { loadedBytes: 1650, totalBytes: 2200 });
  expect(threeQuarters.map((queued) => queued.sentShare)).toEqual([null, 0.5]);
});

test('when all bytes are sent every file is being timed, with no share to show', () => {
  const { queue } = addLapFiles([], [fileOfSize('a.csv', 999), fileOfSize('b.csv', 3)]);
  const sent = spreadSentBytes(queue, { loadedBytes: 1500, totalBytes: 1500 });
  expect(sent.map((queued) => queued.sentShare)).toEqual([null, null]);
  expect(sent.map((queued) => queued.status)).toEqual(['uploading', 'uploading']);
});

test('resetting removes an error', () => {
  const { queue } = addLapFiles([], [lapFile('a.csv')]);
  const failed = updateLapFile(queue, queue[0]?.id ?? '', { status: 'error', detail: 'No' });
  expect(resetLapFiles(failed)).toEqual(queue);
});

test('sizes are shown in KB below a megabyte, never as 0', () => {
  expect(formatFileSize(3)).toBe('1 KB');
  expect(formatFileSize(831_000)).toBe('812 KB');
});
