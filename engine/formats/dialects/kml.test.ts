import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { writeZip } from '#engine/testing/write-zip.ts';
import { readLapFile } from '../recognise.ts';

function documentOf(content: string): Uint8Array {
  return new TextEncoder().encode(
    `<?xml version="1.0"?>\n<kml xmlns="x" xmlns:gx="y"><Document>${content}</Document></kml>`,
  );
}

function read(content: string) {
  return readLapFile(documentOf(content));
}

const TIMES = ['2026-05-16T09:30:00.2Z', '2026-05-16T09:30:00.4Z'].map((time) => `<when>${time}</when>`);

test('the first time of a track belongs to its first position, whichever are listed first', () => {
  const coords = ['11.5 48.1 500', '11.6 48.2'].map((coord) => `<gx:coord>${coord}</gx:coord>`);
  for (const order of [
    [...TIMES, ...coords],
    [...coords, ...TIMES],
    [TIMES[0], coords[0], TIMES[1], coords[1]],
  ]) {
    const file = read(`<Placemark><gx:Track>${order.join('\n')}</gx:Track></Placemark>`);
    expect(file).toMatchObject({ format: 'kml', clock: 'utc', dropped: {} });
    expect([...file.fixes.lats]).toEqual([48.1, 48.2]);
    expect([...file.fixes.lons]).toEqual([11.5, 11.6]);
    expect(file.fixes.timesMs[1]).toBe(Date.UTC(2026, 4, 16, 9, 30, 0, 400));
  }
});

test('positions without a fix and times without a position are counted', () => {
  const file = read(
    `<gx:Track>${TIMES.join('')}${TIMES[0]}<gx:coord/><gx:coord>11.5 48.1 0</gx:coord></gx:Track>`,
  );
  expect(file.fixes.length).toBe(1);
  expect(file.dropped).toEqual({ no_position: 2 });
});

function trackOf(time: string | undefined): string {
  return `<gx:Track>${time}<gx:coord>11.5 48.1 0</gx:coord></gx:Track>`;
}

test('every track of several begins a part', () => {
  const file = read(`<gx:MultiTrack>${trackOf(TIMES[0])}${trackOf(TIMES[1])}</gx:MultiTrack>`);
  expect(file.partStarts).toEqual([0, 1]);
});

function placemark(time: string | undefined, coordinates: string): string {
  return `<Placemark><TimeStamp>${time}</TimeStamp><Point><coordinates>${coordinates}</coordinates></Point></Placemark>`;
}

test('points with times of their own are read, and a line without them is left out', () => {
  const line = '<Placemark><LineString><coordinates>1,2,0 3,4,0</coordinates></LineString></Placemark>';
  const points = [placemark(TIMES[0], '11.5,48.1,500'), placemark(TIMES[1], '\n 11.6,48.2 \n')];
  const file = read(`${line}${points.join('')}`);
  expect([...file.fixes.lats]).toEqual([48.1, 48.2]);
  expect(file.dropped).toEqual({});
});

test('points that repeat a track are left out', () => {
  const track = `<gx:Track>${TIMES.join('')}<gx:coord>11.5 48.1 0</gx:coord><gx:coord>11.6 48.2 0</gx:coord></gx:Track>`;
  expect(read(`${placemark(TIMES[0], '11.5,48.1')}${track}`).fixes.length).toBe(2);
});

test('a KMZ archive holds its document beside pictures and other documents', () => {
  const track = documentOf(`<gx:Track>${TIMES[0]}<gx:coord>11.5 48.1 0</gx:coord></gx:Track>`);
  const archive = writeZip([
    ['files/overlay.kml', documentOf('')],
    ['doc.kml', track],
    ['files/icon.png', new Uint8Array(9)],
  ]);
  expect(readLapFile(archive, inflateLapFile)).toMatchObject({ format: 'kml', dropped: {} });
});

test('a file without times is refused in words', () => {
  expect(() => read('<LineString><coordinates>1,2,0</coordinates></LineString>')).toThrow(
    'This KML file has no times of its positions',
  );
  expect(() => read(`<gx:Track>${TIMES.join('')}</gx:Track>`)).toThrow('has times but no positions');
});
