import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { writeGpx } from '../../simulation/write-gpx.ts';
import { readLapFile } from '../recognise.ts';

function read(text: string) {
  return readLapFile(new TextEncoder().encode(text));
}

function readPoints(...points: string[]) {
  return read(`<?xml version="1.0"?><gpx version="1.1"><trk><trkseg>${points.join('')}</trkseg></trk></gpx>`);
}

const POINT = '<trkpt lat="48.1" lon="11.5"><time>2026-06-21T20:43:33.039Z</time></trkpt>';
const MOMENT = Date.parse('2026-06-21T20:43:33.039Z');

test.each([
  [
    'attributes in the other order',
    '<trkpt lon="11.5" lat="48.1"><time>2026-06-21T20:43:33.039Z</time></trkpt>',
  ],
  [
    'single quotes and blanks',
    "<trkpt\n\tlat = '48.1'\r\n lon='11.5' ><time> 2026-06-21T20:43:33.039Z\n</time></trkpt>",
  ],
  [
    'a > in an attribute',
    '<trkpt note="a > b" lat="48.1" lon="11.5"><time>2026-06-21T20:43:33.039Z</time></trkpt>',
  ],
  [
    'a namespace prefix',
    '<g:trkpt lat="48.1" lon="11.5"><g:time>2026-06-21T20:43:33.039Z</g:time></g:trkpt>',
  ],
  [
    'an offset in the time',
    '<trkpt lat="48.1" lon="11.5"><time>2026-06-21T22:43:33.039+02:00</time></trkpt>',
  ],
  ['CDATA', '<trkpt lat="48.1" lon="11.5"><time><![CDATA[2026-06-21T20:43:33.039Z]]></time></trkpt>'],
  [
    'a comment inside of a time',
    '<trkpt lat="48.1" lon="11.5"><time>2026-06-21<!-- <time> -->T20:43:33.039Z</time></trkpt>',
  ],
  [
    'references to characters',
    '<trkpt lat="4&#56;.1" lon="&#x31;1.5"><time>2026&#45;06-21T20:43:33.039Z</time></trkpt>',
  ],
  [
    'a time inside of an extension',
    `<trkpt lat="48.1" lon="11.5"><extensions><time>1999-01-01T00:00:00Z</time></extensions><time>2026-06-21T20:43:33.039Z</time></trkpt>`,
  ],
  [
    'elements without content',
    '<trkpt lat="48.1" lon="11.5"><ele/><time/><fix></fix><time>2026-06-21T20:43:33.039Z</time></trkpt>',
  ],
])('a point with %s is read', (_, point) => {
  const { fixes, clock } = readPoints(point);
  expect([...fixes.timesMs]).toEqual([MOMENT]);
  expect([...fixes.lats, ...fixes.lons]).toEqual([48.1, 11.5]);
  expect(clock).toBe('utc');
});

test('points in comments, CDATA and waypoints are not driven', () => {
  const file = readPoints(
    `<!-- ${POINT} -->`,
    POINT,
    `<![CDATA[${POINT}]]>`,
    '<wpt lat="1" lon="2"><time>2026-06-21T20:43:33Z</time></wpt>',
  );
  expect(file.fixes.length).toBe(1);
});

test('a time without a zone is local', () => {
  expect(readPoints('<trkpt lat="48.1" lon="11.5"><time>2026-06-21T20:43:33</time></trkpt>').clock).toBe(
    'local',
  );
});

test.each([
  ['<speed>20.5</speed>'],
  ['<extensions><speed>20.5</speed></extensions>'],
  [
    '<extensions><gpxtpx:TrackPointExtension><gpxtpx:speed>20.5</gpxtpx:speed></gpxtpx:TrackPointExtension></extensions>',
  ],
  ['<speed/><extensions><a:b><c:speed>20.5</c:speed></a:b></extensions>'],
])('a speed is found in %s', (speed) => {
  const { fixes } = readPoints(
    `<trkpt lat="48.1" lon="11.5"><time>2026-06-21T20:43:33Z</time>${speed}</trkpt>`,
  );
  expect([...fixes.speedsMetersPerSecond]).toEqual([20.5]);
});

test('every segment with points begins a part, in one track or in several', () => {
  const file = read(
    `<gpx><trk><trkseg/><trkseg></trkseg><trkseg>${POINT}${POINT}</trkseg><trkseg></trkseg><trkseg>${POINT}</trkseg></trk>` +
      `<trk><trkseg>${POINT}</trkseg></trk></gpx>`,
  );
  expect(file.partStarts).toEqual([0, 2, 3]);
});

test('points that say too little are dropped for a reason', () => {
  const time = '<time>2026-06-21T20:43:33Z</time>';
  const file = readPoints(
    POINT,
    `<trkpt lat="x" lon="11.5">${time}</trkpt>`,
    `<trkpt lon="11.5">${time}</trkpt>`,
    `<trkpt lat="91" lon="11.5">${time}</trkpt>`,
    '<trkpt lat="48.1" lon="11.5"><time>noon</time></trkpt>',
    `<trkpt lat="48.2" lon="11.5">${time}`,
    POINT,
    '<trkpt lat="48.1" lon="11.5"/>',
  );
  expect(file.fixes.length).toBe(2);
  expect(file.dropped).toEqual({ no_position: 2, out_of_range: 1, no_time: 2, unreadable_row: 1 });
});

test('a missing quote spoils one point and not the rest', () => {
  expect(
    readPoints('<trkpt lat="48.1 lon="11.5"><time>2026-06-21T20:43:33Z</time></trkpt>', POINT, POINT).fixes
      .length,
  ).toBe(2);
});

test('a file that was cut off keeps its whole points', () => {
  const text = `<gpx><trk><trkseg>${POINT}${POINT}`;
  expect(read(text).fixes.length).toBe(2);
  expect(read(text.slice(0, -10)).fixes.length).toBe(1);
});

test('entities that a document declares are never expanded', () => {
  const levels = Array.from(
    { length: 30 },
    (_, level) => `<!ENTITY e${level + 1} "${`&e${level};`.repeat(10)}">`,
  ).join('');
  const bomb = `<?xml version="1.0"?><!DOCTYPE gpx [<!-- don't --><!ENTITY e0 "48.1">${levels}]>`;
  const file = read(
    `${bomb}<gpx><trk><name>&e30;</name><trkseg>${POINT}<trkpt lat="&e30;" lon="11.5"><time>&e30;</time></trkpt></trkseg></trk></gpx>`,
  );
  expect(file.fixes.length).toBe(1);
  expect(file.dropped).toEqual({ no_position: 1 });
});

test('windows-1252 and UTF-16 are read', () => {
  const text = `<?xml version="1.0" encoding="windows-1252"?><gpx><trk><name>S\u00fcd</name><trkseg>${POINT}</trkseg></trk></gpx>`;
  const oneByte = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const twoBytes = Uint8Array.from(
    [...`\ufeff${text}`].flatMap((character) => [
      character.charCodeAt(0) & 255,
      character.charCodeAt(0) >> 8,
    ]),
  );
  expect(readLapFile(oneByte).fixes.length).toBe(1);
  expect(readLapFile(twoBytes).fixes.length).toBe(1);
});

test.each([
  [
    'no times',
    readPoints.bind(null, '<trkpt lat="48.1" lon="11.5"></trkpt>'),
    /no times in its track points/,
  ],
  [
    'hardly any times',
    readPoints.bind(null, POINT, ...Array<string>(9).fill('<trkpt lat="48.1" lon="11.5"/>')),
    /no times in most/,
  ],
  ['a route', read.bind(null, '<gpx><rte><rtept lat="48.1" lon="11.5"/></rte></gpx>'), /planned route/],
  ['nothing', read.bind(null, '<gpx></gpx>'), /no track points/],
])('a GPX file with %s is refused in words', (_, reading, sentence) => {
  expect(reading).toThrow(sentence);
});

const drive = simulateDrive(KART_TRACK, {
  seed: 9,
  laps: 3,
  receiver: { rateHz: 5, timeStampStepMs: 1, coordinateDecimals: 7 },
});

test.each(['1.0', '1.1'] as const)('a simulated drive as GPX %s comes back whole', (version) => {
  const { fixes, partStarts } = read(writeGpx(drive, { version }));
  expect(partStarts).toEqual([0]);
  expect([...fixes.timesMs]).toEqual(drive.fixes.map((fix) => fix.timeMs));
  expect([...fixes.lats]).toEqual(drive.fixes.map((fix) => fix.lat));
  expect([...fixes.lons]).toEqual(drive.fixes.map((fix) => fix.lon));
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 1);
  }
});

test('speeds in kilometres an hour, against the standard, are noticed', () => {
  const wrong = {
    ...drive,
    fixes: drive.fixes.map((fix) => ({ ...fix, speedMetersPerSecond: 3.6 * fix.speedMetersPerSecond })),
  };
  const { fixes } = read(writeGpx(wrong, { version: '1.0' }));
  expect(fixes.speedsMetersPerSecond[20]).toBeCloseTo(drive.fixes[20]?.speedMetersPerSecond ?? 0, 1);
});

test('a segment per lap begins a part per lap', () => {
  const { fixes, partStarts } = read(writeGpx(drive, { segmentPerLap: true }));
  expect(fixes.length).toBe(drive.fixes.length);
  expect(partStarts).toHaveLength(5);
});
