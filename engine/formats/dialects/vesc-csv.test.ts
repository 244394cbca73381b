import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(...lines: string[]) {
  return readLapFile(new TextEncoder().encode([...lines, ''].join('\n')));
}

const HEADER =
  'ms_today;input_voltage;speed_meters_per_sec;gnss_posTime;gnss_lat;gnss_lon;gnss_alt;gnss_gVel;gnss_vVel;';

test('rows that repeat the last fix are no fixes, even where the car stood still', () => {
  const file = read(
    HEADER,
    '23540595;48.5;1.3;23539999;-37.71097146;145.03607005;82.9;0.50000000;0.0;',
    '23540645;48.7;1.3;23539999;-37.71097146;145.03607005;82.9;0.50000000;0.0;',
    '23541097;48.7;1.3;23540999;-37.71097146;145.03607005;82.9;0.25000000;0.0;',
  );
  expect(file.format).toBe('vesc-csv');
  expect([...file.fixes.timesMs]).toEqual([23_539_999, 23_540_999]);
  expect([...file.fixes.speedsMetersPerSecond]).toEqual([0.5, 0.25]);
  expect(file.clock).toBe('time_of_day');
  expect(file.dropped).toEqual({ held_position: 1 });
});

test('the time runs on over midnight', () => {
  const file = read(HEADER, '0;0;0;86399900;-37.71;145.03;0;0;0;', '0;0;0;100;-37.72;145.03;0;0;0;');
  expect([...file.fixes.timesMs]).toEqual([86_399_900, 86_400_100]);
});

test('rows before the first fix have no position', () => {
  expect(read(HEADER, '0;0;0;0;0;0;0;0;0;', '0;0;0;500;-37.72;145.03;0;0;0;').dropped).toEqual({
    no_position: 1,
  });
});
