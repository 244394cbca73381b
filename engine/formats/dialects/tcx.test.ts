import { expect, test } from 'vitest';
import { readLapFile } from '../recognise.ts';

function read(content: string) {
  return readLapFile(
    new TextEncoder().encode(
      `<?xml version="1.0"?>\n<TrainingCenterDatabase xmlns="x"><Activities><Activity>${content}</Activity></Activities></TrainingCenterDatabase>`,
    ),
  );
}

function point(time: string, lat: number, more = ''): string {
  return `<Trackpoint><Time>${time}</Time><Position><LatitudeDegrees>${lat}</LatitudeDegrees><LongitudeDegrees>11.5</LongitudeDegrees></Position>${more}</Trackpoint>`;
}

function lap(trigger: string, start: string, seconds: number, points: string): string {
  return `<Lap StartTime="${start}"><TotalTimeSeconds>${seconds}</TotalTimeSeconds><TriggerMethod>${trigger}</TriggerMethod><Track>${points}</Track></Lap>`;
}

test('times, positions and the speed of an extension are those of the track points', () => {
  const speed = '<Extensions><ns3:TPX xmlns:ns3="y"><ns3:Speed>31.5</ns3:Speed></ns3:TPX></Extensions>';
  const file = read(`<Track>${point('2026-05-16T09:30:00.200Z', 48.1, speed)}</Track>`);
  expect(file).toMatchObject({ format: 'tcx', clock: 'utc', dropped: {}, loggerLaps: [] });
  expect(new Date(file.fixes.timesMs[0] ?? 0).toISOString()).toBe('2026-05-16T09:30:00.200Z');
  expect([file.fixes.lats[0], file.fixes.lons[0], file.fixes.speedsMetersPerSecond[0]]).toEqual([
    48.1, 11.5, 31.5,
  ]);
});

test('track points without a position are counted, and every track begins a part', () => {
  const file = read(
    `<Track>${point('2026-05-16T09:30:00Z', 48.1)}<Trackpoint><Time>2026-05-16T09:30:01Z</Time></Trackpoint></Track>` +
      `<Track/><Track>${point('2026-05-16T09:40:00Z', 48.2)}</Track>`,
  );
  expect(file.dropped).toEqual({ no_position: 1 });
  expect(file.partStarts).toEqual([0, 1]);
});

test('laps that end at a place are kept, those by button, distance or time are not', () => {
  const file = read(
    lap('Location', '2026-05-16T09:30:00Z', 91.53, point('2026-05-16T09:30:00Z', 48.1)) +
      lap('Manual', '2026-05-16T09:31:31Z', 60, point('2026-05-16T09:31:31Z', 48.2)),
  );
  expect(file.loggerLaps).toMatchObject([
    { number: 1, lapTimeMs: 91_530, startTimeMs: Date.UTC(2026, 4, 16, 9, 30) },
  ]);
});

test('times without a zone are local', () => {
  expect(read(`<Track>${point('2026-05-16T09:30:00', 48.1)}</Track>`).clock).toBe('local');
});

test('a file without track points, or without times, is refused in words', () => {
  expect(() => read('<Lap/>')).toThrow('This TCX file has no track points in it');
  expect(() => read(`<Track>${point('', 48.1)}</Track>`)).toThrow('no times');
});
