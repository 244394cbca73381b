import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

const TITLE = "Harry's GPS LapTimer";
const HEADER =
  'INDEX,LAPINDEX,DATE,TIME,TIME_LAP,LATITUDE,LONGITUDE,SPEED_KPH,SPEED_MPH,HEIGHT_M,GPSFIX[NOFIX/2D/3D/UNKNOWN],DISTANCE_KM,DISTANCE_MILE';

function read(...lines: string[]) {
  return readLapFile(Buffer.from([...lines, ''].join('\n')));
}

function row(lap: number, dateAndTime: string, lapSeconds: number, kilometers = 2.5) {
  return `57358,${lap},${dateAndTime},${lapSeconds.toFixed(6)},34.87${lap}${lapSeconds.toFixed(0)},-118.258734,102.600000,63.752684,740.0,2,${kilometers},1.0`;
}

test('dates are those of the calendar with English months, times are UTC', () => {
  const file = read(TITLE, HEADER, row(381, '14-AUG-16,16:57:02.65', 0));
  expect(file.format).toBe('harrys-csv');
  expect(file.clock).toBe('utc');
  expect(new Date(file.fixes.timesMs[0] ?? 0).toISOString()).toBe('2016-08-14T16:57:02.650Z');
  expect(file.fixes.speedsMetersPerSecond[0]).toBeCloseTo(28.5, 9);
});

test('the date goes on over midnight', () => {
  const { timesMs } = read(
    TITLE,
    HEADER,
    row(381, '27-NOV-16,23:59:59.50', 0),
    row(381, '28-NOV-16,00:00:00.50', 1),
  ).fixes;
  expect((timesMs[1] ?? 0) - (timesMs[0] ?? 0)).toBe(1000);
});

test('laps have the time of their last row; a visit to the pits is none', () => {
  const file = read(
    TITLE,
    HEADER,
    row(381, '14-AUG-16,16:57:02.65', 0, 0),
    row(381, '14-AUG-16,16:58:35.94', 93.29),
    row(382, '14-AUG-16,16:58:35.94', 0, 0),
    row(382, '14-AUG-16,17:00:07.47', 91.53),
    row(383, '14-AUG-16,17:00:07.47', 0, 0),
    row(383, '14-AUG-16,17:01:18.73', 71.26, 0.2),
  );
  expect(file.loggerLaps).toMatchObject([
    { number: 381, lapTimeMs: 93_290, startTimeMs: Date.UTC(2016, 7, 14, 16, 57, 2, 650) },
    { number: 382, lapTimeMs: 91_530, startTimeMs: Date.UTC(2016, 7, 14, 16, 58, 35, 940) },
  ]);
});

test('rows whose clock was wrong by more than a year are left out', () => {
  const file = read(
    TITLE,
    HEADER,
    row(533, '27-NOV-16,20:10:20.00', 47),
    row(533, '26-NOV-16,07:45:35.00', 42_818_635),
    row(533, '27-NOV-16,20:10:28.00', 55),
  );
  expect(file.fixes.length).toBe(2);
  expect(file.dropped).toEqual({ clock_went_back: 1 });
  expect(file.loggerLaps.map((lap) => lap.lapTimeMs)).toEqual([55_000]);
});

test('the header of 2011 has its units in brackets and no title', () => {
  const file = read(
    'LAPINDEX,DATE,TIME,LATITUDE[degrees],LONGITUDE[degrees],SPEED[km/h],HEIGHT[m],DIRECTION[degree],DISTANCEFROMSTART[m],TIMEFROMSTART[s]',
    '12,14-AUG-11,16:57:02.65,34.874742,-118.258734,36.0,740,288.1,0,0.0',
    '12,14-AUG-11,16:58:02.65,34.874770,-118.258841,72.0,740,288.1,1500,60.0',
  );
  expect(file.format).toBe('harrys-csv');
  expect([...file.fixes.speedsMetersPerSecond]).toEqual([10, 20]);
  expect(file.loggerLaps.map((lap) => [lap.number, lap.lapTimeMs])).toEqual([[12, 60_000]]);
});

test('cells that are no number are counted, and the rows around them are read', () => {
  const broken = row(381, '14-AUG-16,16:57:03.00', 1).replace('-118.258734', 'west');
  const undated = row(381, '31-FEB-16,16:57:04.00', 2);
  const file = read(TITLE, HEADER, row(381, '14-AUG-16,16:57:02.65', 0), broken, undated);
  expect(file.dropped).toEqual({ unreadable_row: 1, no_time: 1 });
});
