import { expect, test } from 'vitest';
import { sessionStart } from './session-start.ts';

const UPLOADED_AT = new Date('2026-06-07T12:00:00Z');
const start = (clock: 'utc' | 'local' | 'elapsed', startTimeMs: number | null) =>
  sessionStart({ clock, startTimeMs }, 'Europe/Berlin', UPLOADED_AT).toISOString();

test('a file that has a date was recorded then, on a clock without a zone by the time at the track', () => {
  const drivenAtMs = Date.UTC(2026, 5, 6, 21, 30);
  expect(start('utc', drivenAtMs)).toBe('2026-06-06T21:30:00.000Z');
  expect(start('local', drivenAtMs)).toBe('2026-06-06T19:30:00.000Z');
});

test('a file without a date, or with one that cannot be true, counts from its upload', () => {
  const uploadedAt = UPLOADED_AT.toISOString();
  expect(start('elapsed', null)).toBe(uploadedAt);
  expect(start('utc', Date.UTC(1980, 0, 6))).toBe(uploadedAt);
  expect(start('utc', UPLOADED_AT.getTime() + 25 * 3_600_000)).toBe(uploadedAt);
  expect(start('utc', UPLOADED_AT.getTime() + 3_600_000)).toBe('2026-06-07T13:00:00.000Z');
});
