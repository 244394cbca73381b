import { expect, test } from 'vitest';
import { fromWallClock, timeZoneAt, toLocalIso } from './local-time.ts';

test('an instant becomes local time with the offset that was in force', () => {
  expect(toLocalIso(new Date('2026-06-06T21:30:00Z'), 'Europe/Berlin')).toBe('2026-06-06T23:30:00+02:00');
  expect(toLocalIso(new Date('2026-12-06T21:30:00Z'), 'Europe/Berlin')).toBe('2026-12-06T22:30:00+01:00');
  expect(toLocalIso(new Date('2026-06-06T03:30:00Z'), 'America/Los_Angeles')).toBe(
    '2026-06-05T20:30:00-07:00',
  );
  expect(toLocalIso(new Date('2026-06-06T03:30:00Z'), 'Australia/Adelaide')).toBe(
    '2026-06-06T13:00:00+09:30',
  );
  expect(toLocalIso(new Date('2026-01-06T03:30:00Z'), 'Europe/London')).toBe('2026-01-06T03:30:00+00:00');
});

test('a wall clock and the instant at which it shows a time are two sides of one thing, also beside a change of the clocks', () => {
  for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe']) {
    for (let hour = 0; hour < 366 * 24; hour += 5) {
      const instant = new Date(Date.UTC(2026, 0, 1, hour));
      const wallClockMs = Date.parse(`${toLocalIso(instant, zone).slice(0, 19)}Z`);
      const shown = fromWallClock(wallClockMs, zone);
      expect(toLocalIso(shown, zone).slice(0, 19)).toBe(new Date(wallClockMs).toISOString().slice(0, 19));
    }
  }
});

test('the time zone is that of the position', () => {
  expect(timeZoneAt(-37.85, 144.97)).toBe('Australia/Melbourne');
  expect(timeZoneAt(38.16, -122.45)).toBe('America/Los_Angeles');
});
