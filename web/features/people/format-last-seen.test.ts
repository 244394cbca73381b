import { expect, test } from 'vitest';
import { formatLastSeen } from './format-last-seen.ts';

test.each([
  ['2026-06-07T11:55:00Z', 'now'],
  ['2026-06-07T10:00:00Z', '2 h ago'],
  ['2026-06-06T11:00:00Z', 'yesterday'],
  ['2026-06-04T11:00:00Z', '3 days ago'],
  ['2026-05-01T11:00:00Z', '05/01/26'],
  [null, 'not signed in'],
])('who was seen last at %s, was so %s', (iso, text) => {
  expect(formatLastSeen(iso, Date.parse('2026-06-07T12:00:00Z'))).toBe(text);
});
