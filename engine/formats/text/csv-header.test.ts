import { expect, test } from 'vitest';
import { parseColumnHead, findColumn, findNamedTable } from './csv-header.ts';

test.each([
  ['Latitude', 'latitude', '', ''],
  ['GPS Speed (km/h)', 'gps speed', 'km/h', ''],
  ['Speed (m/s) *obd', 'speed', 'm/s', 'obd'],
  ['LATITUDE[degrees]', 'latitude', 'degrees', ''],
  ['datetime(utc)', 'datetime', 'utc', ''],
  ['GPS Latitude (°)', 'gps latitude', '°', ''],
  ['speed_kmh', 'speed', 'kmh', ''],
  ['SPEED_KPH', 'speed', 'kph', ''],
  ['Speed km/h', 'speed', 'km/h', ''],
  ['GPS Speed Knots', 'gps speed', 'knots', ''],
  ['GPS_Update', 'gps update', '', ''],
  ['Lap #', 'lap', '', ''],
  ['Lat.', 'lat', '', ''],
  ['ms', 'ms', '', ''],
  ['', '', '', ''],
])('"%s" is the column "%s" in "%s" from "%s"', (cell, name, unit, source) => {
  expect(parseColumnHead(3, cell)).toEqual({ index: 3, name, unit, source });
});

test('unit and source may be in rows of their own', () => {
  expect(parseColumnHead(0, 'speed', 'm/s', '100: gps')).toEqual({
    index: 0,
    name: 'speed',
    unit: 'm/s',
    source: '100: gps',
  });
});

test('of several columns with one name the first that is acceptable counts', () => {
  const heads = ['speed', 'speed', 'lap'].map((name, index) =>
    parseColumnHead(index, name, '', index === 0 ? 'calc' : 'gps'),
  );
  expect(findColumn(heads, ['velocity', 'speed'])).toBe(0);
  expect(findColumn(heads, ['speed'], (head) => head.source === 'gps')).toBe(1);
  expect(findColumn(heads, ['altitude'])).toBeNull();
});

test('the header is found below a preamble of any kind', () => {
  const text = 'Title,"a, b"\n\n\nKey;value\nlat,lon,time\n1,2,3\n';
  const bytes = new TextEncoder().encode(text);
  const table = findNamedTable(bytes, (heads) => heads.some((head) => head.name === 'lat'));
  expect(table?.heads.map((head) => head.name)).toEqual(['lat', 'lon', 'time']);
  expect(table?.firstRow).toBe(text.indexOf('1,2,3'));
});

test('a header that is not there is not searched for without end', () => {
  const bytes = new TextEncoder().encode('no,header,here\n'.repeat(100_000));
  let lines = 0;
  expect(findNamedTable(bytes, () => ++lines < 0)).toBeNull();
  expect(lines).toBeLessThan(1000);
});

test('a row of numbers is no header, even where the names are asked for in vain', () => {
  const rows = ['1.5,48.1234567,11.5', '2026-06-21T20:43:33Z,48.1,11.5', 'lat,lon,time'];
  const seen: string[] = [];
  findNamedTable(new TextEncoder().encode(rows.join('\n')), (heads) => {
    seen.push(heads.map((head) => head.name).join());
    return false;
  });
  expect(seen).toEqual(['lat,lon,time']);
});
