import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { writeMotecChannels, writeMotecLd, writeMotecLdx } from '#engine/testing/write-motec-ld.ts';
import { writeZip } from '#engine/testing/write-zip.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { readLapFile } from '../recognise.ts';

const START_MS = Date.UTC(2026, 4, 16, 9, 30);
const drive = simulateDrive(KART_TRACK, {
  seed: 5,
  laps: 3,
  startTimeMs: START_MS,
  receiver: { rateHz: 10, timeStampStepMs: 1 },
});
const log = writeMotecLd(drive);

function zip(...files: (readonly [string, Uint8Array | string])[]): Uint8Array {
  return writeZip(
    files.map(([name, content]) => [
      name,
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    ]),
  );
}

function channelCount(bytes: Uint8Array): number {
  return Object.keys(readLapFile(bytes).fixes.channels ?? {}).length;
}

test('a log is read from the start that its header states, on the clock of the track', () => {
  const { format, clock, fixes, dropped, isSimulated } = readLapFile(log);
  expect({ format, clock, dropped, isSimulated }).toEqual({
    format: 'motec-ld',
    clock: 'local',
    dropped: {},
    isSimulated: false,
  });
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.timesMs[index]).toBeCloseTo(fix.timeMs, 6);
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 6);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 6);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 1);
  }
});

test('the log of an M1 ECU has double floats, and the units at the place of the short names', () => {
  const { fixes } = drive;
  const columns = {
    'GPS.Latitude': { unit: 'deg', values: fixes.map(({ lat }) => lat) },
    'GPS.Longitude': { unit: 'deg', values: fixes.map(({ lon }) => lon) },
    'GPS.Speed': { unit: 'mph', values: fixes.map((fix) => fix.speedMetersPerSecond / 0.447_04) },
    'Brake.Pressure.Front': { unit: 'kPa', values: fixes.map((_, index) => 100 * (index % 60)) },
  };
  const channels = Object.entries(columns).map(([name, column]) => ({
    ...column,
    name,
    rateHz: 10,
    isDouble: true,
  }));
  const read = readLapFile(writeMotecChannels(channels, START_MS)).fixes;
  expect([...read.lats]).toEqual(fixes.map(({ lat }) => lat));
  expect([...read.lons]).toEqual(fixes.map(({ lon }) => lon));
  expect(read.speedsMetersPerSecond[20]).toBeCloseTo(fixes[20]?.speedMetersPerSecond ?? 0, 9);
  expect(read.channels?.brakePressure?.[20]).toBeCloseTo(20, 9);
});

test('a short name is no unit', () => {
  const values = drive.fixes.map((_, index) => index % 90);
  const log = writeMotecLd(drive, { others: [{ name: 'Throttle Pos', unit: '', values, rateHz: 10 }] });
  const named = log.slice();
  named.set(new TextEncoder().encode('Throttl'), Buffer.from(named.buffer).indexOf('Throttle Pos') + 32);
  expect(readLapFile(named).fixes.channels?.throttle?.[20]).toBe(20);
});

test('latitudes and longitudes at different rates are refused in words', () => {
  const [lat, lon] = [10, 20].map((rateHz) => ({ unit: 'deg', values: [480, 481], rateHz, decimals: 1 }));
  if (lat === undefined || lon === undefined) throw new Error('There are two.');
  const channels = [
    { ...lat, name: 'GPS Latitude' },
    { ...lon, name: 'GPS Longitude' },
  ];
  expect(() => readLapFile(writeMotecChannels(channels, START_MS))).toThrow(
    'latitudes 10 and longitudes 20 times a second',
  );
});

test('a value is multiplied, and divided by a power of ten', () => {
  const values = drive.fixes.map((_, index) => 275 + (index % 9));
  const rpm = { name: 'Engine RPM', unit: 'rpm', values, rateHz: 10, decimals: -1, multiplier: 6 };
  const { fixes } = readLapFile(writeMotecLd(drive, { others: [rpm] }));
  expect(fixes.channels?.rpm?.[20]).toBe(60 * (values[20] ?? 0));
});

test('an offset is added after the multiplier', () => {
  const values = drive.fixes.map((_, index) => index % 30);
  const throttle = { name: 'Throttle Pos', unit: '%', values, rateHz: 10, multiplier: 2, offset: 5 };
  const { fixes } = readLapFile(writeMotecLd(drive, { others: [throttle] }));
  expect(fixes.channels?.throttle?.[20]).toBe(2 * 20 + 5);
});

test('channels that are quicker than the receiver are averaged around its fixes', () => {
  const values = drive.fixes.flatMap((_, index) => [100 * index, 100 * index, 100 * index + 40, 100 * index]);
  const rpm = { name: 'Engine RPM', unit: 'rpm', values: values.slice(0, 800), rateHz: 40 };
  const { fixes } = readLapFile(writeMotecLd(drive, { others: [rpm] }));
  expect(fixes.channels?.rpm?.[10]).toBeCloseTo((900 + 1000 + 1000 + 1040) / 4 + 10, -2);
});

test('the list of laps beside a log gives its laps to the millisecond', () => {
  const { loggerLaps } = readLapFile(zip(['run.ld', log], ['run.ldx', writeMotecLdx(drive)]));
  // The last pass is not the end of the recording.
  expect(loggerLaps.map(({ lapTimeMs }) => Math.round(lapTimeMs))).toEqual(
    drive.trueLaps.map(({ lapTimeMs }) => Math.round(lapTimeMs)),
  );
  expect(loggerLaps[0]?.startTimeMs).toBeCloseTo(drive.trueLaps[0]?.startTimeMs ?? 0, 2);
  expect(loggerLaps[0]?.roundingMs).toBeCloseTo(1 / Math.sqrt(3), 6);
});

function lapCount(...lists: (readonly [string, string])[]): number {
  return readLapFile(zip(['day/Run.ld', log], ...lists)).loggerLaps.length;
}

test('of several lists of laps the one with the name of the log counts, and hidden files never do', () => {
  const list = writeMotecLdx(drive);
  const shorter = writeMotecLdx({ ...drive, trueLaps: drive.trueLaps.slice(1) });
  expect(lapCount(['day/warm-up.ldx', shorter], ['day/run.LDX', list])).toBe(3);
  expect(lapCount(['__MACOSX/day/._Run.ldx', '\0\u0005\u0016\u0007'], ['other.ldx', list])).toBe(3);
  expect(lapCount(['a.ldx', list], ['b.ldx', shorter])).toBe(0);
});

test('six digits of microseconds are 10 ms beyond a quarter of an hour', () => {
  const markers = ['1.10018e+09', '1.22553e+09', '1.35000e+09'].map(
    (time) => `<Marker ClassName="BCN" Name="0, id=99" Time="${time}"/>`,
  );
  const other = '<Marker ClassName="OTHER" Time="1.2e+09"/>';
  const list = `<LDXFile>${markers.join(other)}</LDXFile>`;
  const long = {
    ...drive,
    fixes: Array.from({ length: 14_000 }, (_, index) => drive.fixes[index % 300] ?? drive.fixes[0]),
  };
  const { loggerLaps } = readLapFile(
    zip(
      ['run.ld', writeMotecLd({ ...drive, ...long, fixes: long.fixes.flatMap((fix) => fix ?? []) })],
      ['run.ldx', list],
    ),
  );
  expect(loggerLaps).toMatchObject([
    { lapTimeMs: 125_350, startTimeMs: START_MS + 1_100_180 },
    { lapTimeMs: 124_470 },
  ]);
  expect(loggerLaps[0]?.roundingMs).toBeCloseTo(10 / Math.sqrt(3), 6);
});

test('the log of a simulator is marked', () => {
  expect(readLapFile(writeMotecLd(drive, { comment: 'Assetto Corsa' })).isSimulated).toBe(true);
});

test('a log that was cut off is read as far as it goes', () => {
  const values = drive.fixes.map(() => 0);
  const behind = writeMotecLd(drive, { others: [{ name: 'Spare', unit: '', values, rateHz: 10 }] });
  expect(readLapFile(behind.subarray(0, -2 * values.length)).fixes.length).toBe(drive.fixes.length);
});

test('channels that point at each other in a circle are read once', () => {
  const circle = log.slice();
  const channelsAt = new DataView(circle.buffer).getUint32(8, true);
  new DataView(circle.buffer).setUint32(channelsAt + 2 * 124 + 4, channelsAt, true);
  expect(readLapFile(circle).fixes.length).toBe(drive.fixes.length);
});

test('channels that claim the same values are read as far as the file has room for them', () => {
  const values = drive.fixes.map((_, index) => index % 90);
  const names = [
    'Engine RPM',
    'Throttle Pos',
    'Gear',
    'Steered Angle',
    'G Force Lat',
    'G Force Long',
    'Brake Pos',
  ];
  const units = ['rpm', '%', '', 'deg', 'G', 'G', '%'];
  const others = names.map((name, index) => ({ name, unit: units[index] ?? '', values, rateHz: 10 }));
  const whole = writeMotecLd(drive, { others });
  expect(channelCount(whole)).toBe(names.length);
  const shared = whole.slice();
  const view = new DataView(shared.buffer);
  const [channelsAt, dataAt] = [view.getUint32(8, true), view.getUint32(12, true)];
  for (let index = 3; index < 3 + names.length; index += 1) {
    view.setUint32(channelsAt + 124 * index + 8, dataAt, true);
    view.setUint32(channelsAt + 124 * index + 12, shared.length, true);
  }
  expect(channelCount(shared)).toBeLessThan(names.length / 2);
});

test('a log without positions, and a list of laps alone, are refused in words', () => {
  const rpm = { name: 'Engine RPM', unit: 'rpm', values: [1, 2, 3], rateHz: 1 };
  expect(() => readLapFile(writeMotecChannels([rpm], START_MS))).toThrow('no channels with GPS latitude');
  expect(() => readLapFile(new TextEncoder().encode(writeMotecLdx(drive)))).toThrow(
    'together with the .ld file',
  );
});
