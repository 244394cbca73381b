import { expect, test } from 'vitest';
import { buildTrace } from '../../trace/trace.ts';
import { timeLabel } from '../../simulation/drive-samples.ts';
import { simulateDrive, type SimulatedDrive } from '../../simulation/drive.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { openLapFile, timeLaps } from '../../time-lap-file.ts';
import { readLapFile } from '../recognise.ts';

const MK2 =
  '"Interval"|"ms"|0|0|1,"Utc"|"ms"|0|0|1,"AccelX"|"G"|-2.0|2.0|25,"Latitude"|"Degrees"|0.0|0.0|10,"Longitude"|"Degrees"|0.0|0.0|10,"Speed"|"MPH"|0.0|150.0|10,"LapCount"|""|0|0|10,"LapTime"|"Min"|0.0|0.0|10';
const MK1 =
  '#"Battery"|"Volts"|1,"AccelX"|"G"|30,"Latitude"|"Deg"|10,"Longitude"|"Deg"|10,"Speed"|"MPH"|10,"Time"|"Time"|10,"LapCount"|""|10,"LapTime"|"seconds"|10';
const UTC = 1_429_743_708_000;

function read(...lines: string[]) {
  return readLapFile(Buffer.from([...lines, ''].join('\r\n')));
}

function row(intervalMs: number, utc: number | '', place: number | null, laps = ',') {
  const position = place === null ? ',,' : `${(38.1656 + place * 0.00001).toFixed(6)},-122.461708,22.369363`;
  return `${intervalMs},${utc},-0.25,${position},${laps}`;
}

test('rows without a position are those of other sensors, and no fault', () => {
  const file = read(MK2, row(1000, UTC, 1), row(1040, UTC + 40, null), row(1100, UTC + 100, 2));
  expect(file).toMatchObject({ format: 'racecapture-log', clock: 'utc', dropped: {} });
  expect([...file.fixes.timesMs]).toEqual([UTC, UTC + 100]);
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(10, 5);
});

test('a clock that ran ahead while the position was held does not cost the next fix', () => {
  const file = read(
    MK2,
    row(1000, UTC, 1),
    row(1101, UTC + 101, 1),
    row(1202, UTC + 202, 1),
    row(1210, UTC + 195, 2),
    row(1310, UTC + 295, 3),
  );
  const trace = buildTrace(file);
  expect([...trace.fixes.timesMs]).toEqual([UTC, UTC + 195, UTC + 295]);
  expect(trace.dropped).toEqual({ held_position: 2 });
});

test('a stationary car leaves a fix where it goes on from', () => {
  const standing = Array.from({ length: 100 }, (_, second) => row(second * 1000, UTC + second * 1000, 1));
  const file = read(MK2, ...standing, row(99_100, UTC + 99_100, 2));
  expect([...file.fixes.timesMs]).toEqual([UTC, UTC + 99_000, UTC + 99_100]);
});

test('before the receiver has a fix there is neither time nor position', () => {
  const file = read(
    MK2,
    row(900, 0, 1),
    '950,0,-0.25,0.0,0.0,0.0,,',
    row(1000, UTC, 2),
    row(1100, UTC + 100, 3),
  );
  expect(file.dropped).toEqual({ no_time: 2 });
  expect(file.fixes.length).toBe(2);
});

test('laps count when LapCount goes up, in minutes and whole tenths of a second', () => {
  const file = read(
    MK2,
    row(0, UTC, 1, '0,0.0'),
    row(191_100, UTC + 191_100, 2, '1,2.135'),
    row(191_200, UTC + 191_200, 3, '1,2.135'),
    row(317_500, UTC + 317_500, 4, '2,2.1067'),
  );
  expect(file.loggerLaps).toMatchObject([
    { number: 1, lapTimeMs: 128_100, startTimeMs: UTC + 191_100 - 128_100 },
    { number: 2, lapTimeMs: 126_400, startTimeMs: UTC + 317_500 - 126_400 },
  ]);
});

test('cells that a converter has filled with zeros are as empty as before', () => {
  const rows = Array.from({ length: 40 }, (_, tenth) => {
    const timeMs = 10_000 * tenth;
    const laps = tenth < 12 ? '0,0.0' : tenth < 24 ? '1,2.0' : '2,2.0';
    // The car stands from the 20th row to the 24th.
    const place = tenth > 20 && tenth < 25 ? 20 : tenth;
    return [row(timeMs, UTC + timeMs, place, laps), row(timeMs + 40, UTC + timeMs + 40, null)];
  }).flat();
  const filled = rows.map((line) => line.replaceAll(/(?<=^|,)(?=,|$)/g, '0'));
  const [before, after] = [read(MK2, ...rows), read(MK2, ...filled)];
  expect(before.loggerLaps.map(({ lapTimeMs }) => lapTimeMs)).toEqual([120_000, 120_000]);
  expect(after).toEqual({ ...before, dropped: { ...before.dropped, no_position: 40 } });
});

test('a count of laps that begins again is one of laps', () => {
  const counts = ['0,0.0', '1,0.5', '2,0.5', '0,0.0', '1,0.5'];
  const rows = counts.map((laps, index) => row(30_000 * index, UTC + 30_000 * index, index, laps));
  expect(read(MK2, ...rows).loggerLaps.map((lap) => lap.number)).toEqual([1, 2, 1]);
});

function oldRow(time: string, place: number, laps = '0,0.000') {
  return `,0.045,${(47.8072 + place * 0.00001).toFixed(6)},-122.346642,8.90,${time},${laps}`;
}

test('MK1 writes the time of day without zeros in front, minutes as seconds, and nothing else to tell the time', () => {
  const file = read(
    MK1,
    ',0.1,,,,,,',
    oldRow('50726.301', 1),
    oldRow('50959.801', 2, '1,2.222'),
    oldRow('51223.801', 3, '2,2.400'),
  );
  expect(file.clock).toBe('time_of_day');
  expect(file.fixes.timesMs[0]).toBe(((5 * 60 + 7) * 60 + 26) * 1000 + 300);
  expect(file.loggerLaps.map((lap) => [lap.number, lap.lapTimeMs])).toEqual([
    [1, 133_300],
    [2, 144_000],
  ]);
});

test('a time of day that went through single precision gets its tenths back', () => {
  const times = Array.from({ length: 30 }, (_, tenth) => 143_000 + tenth / 10);
  const rows = times.map((time, index) => oldRow(Math.fround(time).toFixed(3), index));
  const { timesMs } = read(MK1, ...rows).fixes;
  const halfPastTwo = (14 * 60 + 30) * 60_000;
  expect([...timesMs]).toEqual(times.map((_, index) => halfPastTwo + index * 100));
});

test('times that fit no step stay as they are', () => {
  const rows = ['50726.313', '50726.427', '50726.555'].map((time, index) => oldRow(time, index));
  const base = (5 * 60 + 7) * 60_000 + 26_000;
  expect(Array.from(read(MK1, ...rows).fixes.timesMs, (timeMs) => timeMs - base)).toEqual([313, 427, 555]);
});

const MIXED =
  '"Interval"|"ms"|0|0|1,"Latitude"|"Degrees"|0.0|0.0|10,"Longitude"|"Degrees"|0.0|0.0|10,"Speed"|"KPH"|0|0|10,"Time"|"Time"|0|0|1';

test('a clock of whole seconds sets the pace of the processor, which runs slow', () => {
  const slow = 1 - 0.0027;
  const rows = Array.from({ length: 1000 }, (_, tenth) => {
    const time = tenth % 10 === 0 ? String(80_000 + Math.floor(tenth / 600) * 100 + ((tenth / 10) % 60)) : '';
    return `${(5000 + tenth * 100 * slow).toFixed(0)},${(38 + tenth * 0.00002).toFixed(6)},-122.4,80.0,${time}`;
  });
  const file = read(MIXED, ...rows);
  expect(file.clock).toBe('time_of_day');
  const { timesMs } = file.fixes;
  expect(timesMs[0]).toBeCloseTo(8 * 3_600_000, -1);
  expect(Math.abs((timesMs[999] ?? 0) - (timesMs[0] ?? 0) - 99_900)).toBeLessThan(5);
});

/** Returns rows of a processor whose clock is slow, each with the receiver's latest fix, and the time of that fix once a second. */
function slowLog({ fixes }: SimulatedDrive, rateHz: number, slowness: number): string[] {
  const rowMs = 1000 / rateHz;
  const [startMs, endMs] = [fixes[0]?.timeMs ?? 0, fixes.at(-1)?.timeMs ?? 0];
  const rowCount = Math.floor(((endMs - startMs) * (1 - slowness)) / rowMs);
  return Array.from({ length: rowCount }, (_, row) => {
    const realMs = startMs + (row * rowMs) / (1 - slowness);
    const fix = fixes.findLast(({ timeMs }) => timeMs <= realMs + 0.001);
    if (fix === undefined) throw new Error('Every row has a fix before it.');
    const digits = Number(timeLabel(fix.timeMs).slice(11).replaceAll(':', ''));
    const speed = (3.6 * fix.speedMetersPerSecond).toFixed(2);
    const time = row % rateHz === 0 ? Math.fround(digits).toFixed(3) : '';
    return `${(5000 + row * rowMs).toFixed(0)},${fix.lat.toFixed(6)},${fix.lon.toFixed(6)},${speed},${time}`;
  });
}

test.each([
  [5, 0.0027],
  [10, 0.0027],
  [10, 0.012],
  [10, 0],
])(
  'at %i Hz, a processor that is slow by %f misses fixes, and laps are right nevertheless, also without `Interval`',
  (rateHz, slowness) => {
    const receiver = { rateHz, timeStampStepMs: 1, coordinateDecimals: 7 };
    const drive = simulateDrive(KART_TRACK, { seed: 9, laps: 6, receiver });
    const lines = [MIXED, ...slowLog(drive, rateHz, slowness)];
    for (const log of [lines, lines.map((line) => line.slice(line.indexOf(',') + 1))]) {
      const file = openLapFile(Buffer.from(log.join('\n')));
      expect(file.dropped).not.toHaveProperty('no_time');
      const laps = timeLaps(file, KART_TRACK).laps.filter(({ status }) => status !== 'incomplete');
      expect(laps.map(({ status, reasons }) => [status, ...reasons])).toEqual(
        drive.trueLaps.map(() => ['valid']),
      );
      for (const [index, { lapTimeMs }] of laps.entries())
        expect(Math.abs(lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(20);
    }
  },
);

test('a line that is no row leaves the laps as they are', () => {
  const receiver = { rateHz: 5, timeStampStepMs: 1, coordinateDecimals: 7 };
  const drive = simulateDrive(KART_TRACK, { seed: 9, laps: 3, receiver });
  const lines = [MIXED, ...slowLog(drive, 5, 0.0027)];
  expect(read(...lines, 'Total,12,33').fixes.timesMs).toEqual(read(...lines).fixes.timesMs);
});

/** Returns rows of a logger, each with the receiver's latest fix and the moment of the row as `Utc`; a position that has just come is in the next row only. */
function utcLog({ fixes }: SimulatedDrive, rowMs: number): string[] {
  const [startMs, endMs] = [fixes[0]?.timeMs ?? 0, fixes.at(-1)?.timeMs ?? 0];
  return Array.from({ length: Math.floor((endMs - startMs) / rowMs) }, (_, row) => {
    const realMs = startMs + 10 + row * rowMs;
    const fix = fixes.findLast(({ timeMs }) => timeMs <= realMs - 10);
    if (fix === undefined) throw new Error('Every row has a fix before it.');
    const speed = (2.236_936 * fix.speedMetersPerSecond).toFixed(2);
    return `${5000 + row * rowMs},${realMs.toFixed(0)},,${fix.lat.toFixed(6)},${fix.lon.toFixed(6)},${speed},,`;
  });
}

test.each([100, 101, 99])(
  'with a row every %i ms, `Utc` is the moment of the row, and fixes are at whole intervals of the receiver',
  (rowMs) => {
    const receiver = { rateHz: 10, timeStampStepMs: 1, noiseMeters: 0.05, speedNoiseMetersPerSecond: 0.1 };
    const drive = simulateDrive(KART_TRACK, { seed: 5, laps: 4, receiver });
    const { fixes } = read(MK2, ...utcLog(drive, rowMs));
    const byPlace = new Map(drive.fixes.map((fix) => [`${fix.lat.toFixed(6)},${fix.lon.toFixed(6)}`, fix]));
    const latenesses = Array.from(fixes.timesMs, (timeMs, index) => {
      const fix = byPlace.get(`${fixes.lats[index]?.toFixed(6)},${fixes.lons[index]?.toFixed(6)}`);
      return timeMs - (fix?.timeMs ?? Number.NaN);
    });
    const usual = latenesses.toSorted((a, b) => a - b)[latenesses.length >> 1] ?? Number.NaN;
    expect(latenesses.length).toBeGreaterThan(1000);
    expect(latenesses.filter((lateness) => Math.abs(lateness - usual) > 2).length).toBeLessThan(
      0.02 * latenesses.length,
    );
  },
);

test('without a clock of the receiver, the processor gives the time', () => {
  const file = read(MIXED.replace(/,"Time".*/, ''), '5000,38.1,-122.4,80.0', '5100,38.2,-122.4,80.0');
  expect(file.clock).toBe('elapsed');
  expect([...file.fixes.timesMs]).toEqual([5000, 5100]);
});

test('a logger that was switched on again goes on under another header, perhaps with other columns', () => {
  const file = read(
    MK2,
    row(1000, UTC, 1),
    row(1100, UTC + 100, 2),
    MK2.replace(',"AccelX"|"G"|-2.0|2.0|25', ''),
    `500,${UTC + 60_000},38.165700,-122.461708,70.0,,`,
    `600,${UTC + 60_100},38.165710,-122.461708,70.0,,`,
  );
  expect(file.partStarts).toEqual([0, 2]);
  expect([...file.fixes.timesMs]).toEqual([UTC, UTC + 100, UTC + 60_000, UTC + 60_100]);
  expect(file.fixes.lats[2]).toBe(38.1657);
});

test('a restart of the processor’s clock does not mix the two recordings', () => {
  const header = MIXED.replace(/,"Time".*/, '');
  const file = read(header, '5000,38.1,-122.4,80.0', '5100,38.2,-122.4,80.0', header, '500,38.3,-122.4,80.0');
  const [, second = 0, third = 0] = file.fixes.timesMs;
  expect(third).toBeGreaterThan(second + 60_000);
});

test.each([
  ['without quotes', (line: string) => line.replaceAll('"', '')],
  ['with doubled quotes', (line: string) => line.replaceAll(/"(\w*)"\|"(\w*)"([^,]*)/g, '"$1|""$2""$3"')],
  ['with semicolons', (line: string) => line.replaceAll('"', '').replaceAll(',', ';')],
])('what a spreadsheet has saved again, %s, is read', (_, resave) => {
  const lines = [MK2, row(1000, UTC, 1), row(1100, UTC + 100, 2)];
  const file = read(...lines.map(resave));
  expect(file).toMatchObject({ format: 'racecapture-log', clock: 'utc', dropped: {} });
  expect(file.fixes).toEqual(read(...lines).fixes);
});

test('columns between bars are not those of RaceCapture', () => {
  expect(read('time|lat|lon', '1|48.1|11.5').format).toBe('generic-csv');
});

test('a log without `Interval` keeps every position although its time comes once a second, with rows of other sensors in between', () => {
  const header = MIXED.replace('"Interval"|"ms"|0|0|1', '"AccelX"|"G"|0|0|30');
  const rows = Array.from({ length: 900 }, (_, row) => {
    const place = `${(38 + row * 0.00001).toFixed(6)},-122.4,80.0`;
    const time = row % 30 === 0 ? String(80_000 + row / 30) : '';
    return `0.1,${row % 3 === 0 ? place : ',,'},${time}`;
  });
  const { fixes, dropped, clock } = read(header, ...rows);
  expect({ clock, dropped }).toEqual({ clock: 'time_of_day', dropped: {} });
  expect(Array.from(fixes.timesMs, (timeMs) => Math.round(timeMs - 8 * 3_600_000))).toEqual(
    Array.from({ length: 300 }, (_, fix) => fix * 100),
  );
});
