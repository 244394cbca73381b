import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

const HEADER =
  '"Start Date"\t"Start Time"\t"Lap Number"\t"Session Time"\t"Lap Time"\t"GPS Speed"\t"Latitude"\t"Longitude"\t"RPM"';

function read(...rows: string[][]) {
  const lines = [HEADER, ...rows.map((cells) => cells.join('\t'))];
  return readLapFile(new TextEncoder().encode(`${lines.join('\r\n')}\r\n`));
}

/** A position at a time of a session, with the lap and the time since it began. */
function position(start: string, seconds: number, [lap, sinceSeconds]: [number, number]): string[] {
  const clocks = ['2026-05-16', start, String(lap), `${seconds}000000000`, `${sinceSeconds}000000000`];
  return [...clocks, '', `48.1${String(seconds).padStart(2, '0')}`, '11.5', ''];
}

function engineSpeed(start: string, seconds: number): string[] {
  return ['2026-05-16', start, '0', `${seconds}500000000`, '0', '', '', '', '12000'];
}

test('rows of other sensors are no positions, and times count from the start of the session', () => {
  const { format, clock, fixes, dropped } = read(
    position('08:00:00', 0, [0, 0]),
    engineSpeed('08:00:00', 0),
    position('08:00:00', 1, [0, 1]),
  );
  expect({ format, clock }).toEqual({ format: 'unipro-tsv', clock: 'local' });
  const startMs = Date.UTC(2026, 4, 16, 8);
  expect([...fixes.timesMs]).toEqual([startMs, startMs + 1000]);
  expect(dropped).toMatchObject({ no_position: 1 });
});

test('laps begin when their time does, and the last of a session has no end', () => {
  const start = '08:00:00';
  const first = [
    position(start, 0, [0, 0]),
    position(start, 12, [1, 2]),
    position(start, 33, [2, 3]),
    position(start, 40, [2, 10]),
  ];
  const second = [position('09:00:00', 0, [0, 0]), position('09:00:00', 5, [1, 1])];
  expect(read(...first, ...second).loggerLaps).toMatchObject([
    { number: 1, lapTimeMs: 20_000, startTimeMs: Date.UTC(2026, 4, 16, 8) + 10_000 },
  ]);
});

test('a session of an earlier time behind another one keeps its own times', () => {
  const { fixes } = read(
    position('09:00:00', 0, [0, 0]),
    position('09:00:00', 1, [0, 1]),
    position('08:00:00', 0, [0, 0]),
  );
  const startMs = Date.UTC(2026, 4, 16, 8);
  expect([...fixes.timesMs].map((timeMs) => timeMs - startMs)).toEqual([3_600_000, 3_601_000, 0]);
});

test('an export without positions says what to export', () => {
  expect(() =>
    readLapFile(
      new TextEncoder().encode('"Start Date"\t"Session Time"\t"Lap Time"\t"Lap Number"\n1\t2\t3\t4\n'),
    ),
  ).toThrow('export all channels of a logger with GPS');
});
