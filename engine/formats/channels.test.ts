import { describe, expect, test } from 'vitest';
import { CHANNEL_NAMES, CHANNELS, type Channels } from '../channels.ts';
import { readLapFile } from './recognise.ts';

const GRAVITY = 9.80665;

function channelsOf(...lines: string[]): Channels {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n'))).fixes.channels ?? {};
}

/** Returns the values of the channels, rounded to thousandths. */
function rounded(channels: Channels): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(channels).map(([name, values]) => [
      name,
      [...values].map((value) => Math.round(1000 * value) / 1000),
    ]),
  );
}

describe('each logger names and measures in its own way, and all come out alike', () => {
  test('AiM Race Studio', () => {
    const channels = channelsOf(
      '"Format","AiM CSV File"',
      '',
      '"Time","GPS Speed","GPS Latitude","GPS Longitude","GPS LatAcc","RPM","PPS","Brake Press","Gear","Steering Angle","LateralAcc","InlineAcc"',
      '"s","km/h","deg","deg","g","rpm","%","psi","#","deg","g","g"',
      '',
      '"0.000","36.0","45.0453","12.1490","0.9","9000","100.0","0","3","-5","0.5","0.1"',
      '"0.050","36.0","45.0454","12.1490","0.9","9100","80.0","1450.38","2","90","-1","-1"',
    );
    expect(rounded(channels)).toEqual({
      throttle: [100, 80],
      brakePressure: [0, 100],
      rpm: [9000, 9100],
      gear: [3, 2],
      steering: [-5, 90],
      lateralAcceleration: [4.903, -9.807],
      longitudinalAcceleration: [0.981, -9.807],
    });
  });

  test('MoTeC i2', () => {
    const channels = channelsOf(
      '"Format","MoTeC CSV File"',
      '',
      '"Time","GPS Latitude","GPS Longitude","Ground Speed","Engine RPM","Throttle Pos","Brake Pres Front","Steered Angle","G Force Lat","G Force Long"',
      '"s","deg","deg","km/h","rpm","%","kPa","rad","G","G"',
      '',
      '"0.00","-34.10","150.90","100","6000","0","5000","1.5708","1","-1"',
      '"0.05","-34.11","150.90","100","6100","50","0","0","0","0"',
    );
    expect(rounded(channels)).toEqual({
      throttle: [0, 50],
      brakePressure: [50, 0],
      rpm: [6000, 6100],
      steering: [90, 0],
      lateralAcceleration: [9.807, 0],
      longitudinalAcceleration: [-9.807, 0],
    });
  });

  test('RaceChrono, whose own calculations from positions are left out', () => {
    const channels = channelsOf(
      'This file is created using RaceChrono v9.1.3 ( http://racechrono.com/ ).',
      'Format,3',
      '',
      'timestamp,lap_number,elapsed_time,latitude,longitude,speed,lateral_acc,accelerator_pos,brake_pos,rpm,gear,steering_angle,throttle_pos,lateral_acc',
      'unix time,,s,deg,deg,m/s,G,%,%,rpm,,deg,%,G',
      ',,,100: gps,100: gps,100: gps,calc,200: obd,200: obd,200: obd,200: obd,200: obd,200: obd,201: canbus',
      '1700000000.0,1,0,50.1,6.9,20,0.3,100,0,6000,3,12,80,1',
      '1700000000.1,1,0.1,50.1001,6.9,20,0.3,,,,,,,',
      '1700000000.2,1,0.2,50.1002,6.9,20,0.3,50,10,6200,4,0,40,0',
    );
    // Between two answers of the car a value lies on the line between them, and a gear stays.
    expect(rounded(channels)).toEqual({
      throttle: [100, 75, 50],
      brake: [0, 5, 10],
      rpm: [6000, 6100, 6200],
      gear: [3, 3, 4],
      steering: [12, 6, 0],
      lateralAcceleration: [9.807, 4.903, 0],
    });
  });

  test('RaceChrono version 2', () => {
    const channels = channelsOf(
      'This file is created using RaceChrono v7.',
      'Format,2',
      '',
      'Time (s),Session fragment #,Lap #,Trap name,Latitude (deg),Longitude (deg),Speed (m/s),Longitudinal acceleration (G) *calc,Brake position (%) *obd,Gear *obd,RPM (rpm) *obd,Accelerator position (%) *obd',
      '1700000000.0,0,1,,50.1,6.9,20,0.3,40,2,5000,0',
      '1700000000.1,0,1,,50.1001,6.9,20,0.3,0,3,4000,90',
    );
    expect(rounded(channels)).toEqual({ throttle: [0, 90], brake: [40, 0], rpm: [5000, 4000], gear: [2, 3] });
  });

  test('RaceCapture, with shares instead of percent and rows of other sensors', () => {
    const channels = channelsOf(
      '"Interval"|"ms"|0|0|1,"Utc"|"ms"|0|0|1,"AccelX"|"G"|-2.0|2.0|25,"TPS"|"%"|0|100|10,"RPM"|""|0|10000|10,"Latitude"|"Degrees"|0.0|0.0|10,"Longitude"|"Degrees"|0.0|0.0|10,"Speed"|"MPH"|0.0|150.0|10',
      '1000,1429743708000,-0.25,0.5,4000,38.165650,-122.4617,22',
      '1040,1429743708040,-0.3,,,,,',
      '1100,1429743708100,0.5,1,5000,38.165660,-122.4617,22',
    );
    expect(rounded(channels)).toEqual({
      throttle: [50, 100],
      rpm: [4000, 5000],
      longitudinalAcceleration: [-0.25, 0.5].map((g) => Math.round(1000 * GRAVITY * g) / 1000),
    });
  });

  test('VBO of RaceChrono, whose empty columns are those of no sensor', () => {
    const channels = channelsOf(
      '[column names]',
      'sats time lat long velocity heading height longacc latacc gear-canbus steering_angle_1-canbus brake_pressure_1-canbus rpm_1-canbus accelerator_pos_1-canbus',
      '[data]',
      '036 220551.40 +1141.673250 +05879.371750 080.0 306.68 +02292.70 +000.000 +000.000 +001.000 -462.000 +000.000 00646 +047.000',
      '036 220551.50 +1141.673350 +05879.371850 080.0 306.68 +02292.70 +000.000 +000.000 +002.000 -460.000 +000.000 00700 +050.000',
    );
    expect(rounded(channels)).toEqual({
      throttle: [47, 50],
      rpm: [646, 700],
      gear: [1, 2],
      steering: [-462, -460],
    });
  });

  test('TrackAddict and tables of any origin', () => {
    expect(
      rounded(
        channelsOf(
          '# RaceRender Data: TrackAddict 4.3.5 on Android',
          '"Time","UTC Time","Lap","GPS_Update","Latitude","Longitude","Speed (Km/h)","Brake (calculated)","Engine Speed (rpm) *OBD"',
          '0.0,1700000000.0,1,1,50.1,6.9,20,1,3000',
          '0.1,1700000000.1,1,1,50.1001,6.9,20,0,3100',
        ),
      ),
    ).toEqual({ rpm: [3000, 3100] });
    expect(
      rounded(
        channelsOf(
          'time,latitude,longitude,speed (km/h),throttle,brake,gear',
          '2026-05-01T10:00:00.0Z,50.1,6.9,20,0.2,0.9,3',
          '2026-05-01T10:00:00.1Z,50.1001,6.9,20,0.8,0.1,4',
        ),
      ),
    ).toEqual({ throttle: [20, 80], gear: [3, 4] });
  });
});

test('a plain receiver has no channels at all', () => {
  const { fixes } = readLapFile(
    new TextEncoder().encode(
      'time,latitude,longitude\n2026-05-01T10:00:00Z,50.1,6.9\n2026-05-01T10:00:01Z,50.1001,6.9\n',
    ),
  );
  expect('channels' in fixes).toBe(false);
});

function row(second: number, throttle: string, rpm: string): string {
  return `2026-05-01T10:00:${second.toFixed(1).padStart(4, '0')}Z,${(50.1 + second / 10_000).toFixed(6)},6.9,${throttle},${rpm}`;
}

test('values that no sensor gives are unknown, and a hole of seconds stays one', () => {
  const channels = channelsOf(
    'time,latitude,longitude,throttle (%),rpm',
    row(0, '-3', '1000'),
    row(1, '104', '65535'),
    row(2, '255', '2000'),
    row(3, '', '3000'),
    row(4, '', ''),
    row(5, '50', ''),
    row(6, '50', ''),
    row(7, '50', '4000'),
  );
  // A pedal a little out of calibration is at its end; 65535 is the largest number of 16 bits.
  expect(rounded(channels)).toEqual({
    throttle: [0, 100, Number.NaN, Number.NaN, Number.NaN, 50, 50, 50],
    rpm: [1000, 1500, 2000, 3000, Number.NaN, Number.NaN, Number.NaN, 4000],
  });
});

test('channels stay with their fixes where a file has the newest first, or in no order', () => {
  const rows = Array.from({ length: 100 }, (_, index) => {
    const time = new Date(Date.UTC(2026, 4, 1, 10) + 100 * index).toISOString();
    return `${time},${(50.1 + index / 100_000).toFixed(6)},6.9,20,${1000 + 10 * index}`;
  });
  const shuffled = rows.map((_, index) => rows[(index * 37) % rows.length] ?? '');
  for (const order of [rows, rows.toReversed(), shuffled]) {
    const { rpm } = channelsOf('time,latitude,longitude,speed (km/h),rpm', ...order);
    expect(rpm && [...rpm]).toEqual(rows.map((_, index) => 1000 + 10 * index));
  }
});

test('the list of names has every channel', () => {
  expect([...CHANNEL_NAMES].toSorted()).toEqual(Object.keys(CHANNELS).toSorted());
});
