import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

const HEAD = [
  '; GMOS Trace $Revision: 3.0.1 $ (c)2009-2014 SpeedAngle.com',
  '#V=4.0.0=',
  '#D=08-30-2020 14:01:51=',
  '<trackplan #sectors=2>',
  '1,43.093952,-85.385591,43.093680,-85.386009',
  '2,43.095836,-85.384206,43.096324,-85.384306',
  '</trackplan>',
];
const TIMER = ['<timer #unit=MILE/h>', '#2,0:00.787', '67,122,40,-23,27,-24', '#1,0:1.100', '0,0,0,0,0,0'];

/** Returns rows that go north, a metre each tenth of a second: 10 m/s are 22 mph. */
function rows(count: number): string[] {
  return Array.from(
    { length: count },
    (_, row) => `${(43.09 + row * 9e-6).toFixed(6)},-85.389496,-32,-31,24,22,22,-80,12,1,0`,
  );
}

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode(lines.join('\r\n')));
}

function readTrace(timer: string[], trace: string[]) {
  return read(...HEAD, ...timer, '</timer>', '<trace #pt=60>', ...trace, '</trace>');
}

test('rows are a tenth of a second apart, from the local time of the head', () => {
  const { format, clock, fixes, dropped } = readTrace(TIMER, rows(60));
  expect({ format, clock, dropped }).toEqual({ format: 'speedangle-sa', clock: 'local', dropped: {} });
  expect(fixes).toMatchObject({ length: 60 });
  expect(new Date(fixes.timesMs[3] ?? 0).toISOString()).toBe('2020-08-30T14:01:51.300Z');
  expect(fixes.speedsMetersPerSecond[3]).toBeCloseTo(22 * 0.44704, 5);
});

test('a row that cannot be read takes its tenth of a second', () => {
  const trace = rows(60);
  trace[2] = 'x,y,0';
  const { fixes, dropped } = readTrace(TIMER, trace);
  expect(dropped).toEqual({ unreadable_row: 1 });
  expect((fixes.timesMs[2] ?? 0) - (fixes.timesMs[0] ?? 0)).toBe(300);
});

test('the laps lie between the passes over line 1, and that line is known', () => {
  const { loggerLaps, startFinishLine } = readTrace([...TIMER, '#2,0:3.000', '#1,0:5.350'], rows(60));
  expect(loggerLaps).toMatchObject([
    { number: 1, lapTimeMs: 4250, startTimeMs: Date.UTC(2020, 7, 30, 14, 1, 52, 100) },
  ]);
  expect(startFinishLine).toMatchObject({
    a: { lat: 43.093952, lon: -85.385591 },
    b: { lat: 43.09368, lon: -85.386009 },
  });
});

test('without a date the times count from the beginning, and without a plan there is no line', () => {
  const head = HEAD.filter((line) => !/^(?:#D|<trackplan|[12],|<\/track)/.test(line));
  const { clock, fixes, startFinishLine } = read(
    ...head,
    ...TIMER,
    '</timer>',
    '<trace #pt=60>',
    ...rows(60),
  );
  expect({ clock, startFinishLine }).toEqual({ clock: 'elapsed', startFinishLine: null });
  expect(fixes.timesMs[1]).toBe(100);
});

test('a timer that runs longer than the rows is refused, and so is a file without rows', () => {
  expect(() => readTrace([...TIMER, '#1,2:05.000'], rows(60))).toThrow('ten positions for each second');
  expect(() => read(...HEAD, ...TIMER, '</timer>')).toThrow('no positions');
});
