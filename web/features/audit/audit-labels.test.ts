import { expect, test } from 'vitest';
import { describeAction, describeCounts } from './audit-labels.ts';
import { formatTableMoment } from '#web/ui/format.ts';

test('an entry says what was done, with before and after, and how many', () => {
  expect(describeAction('change-session')).toBe('Session edited');
  const changes: Record<string, [string | null, string | null]> = {
    car: ['MX-5', 'Elise'],
    lapsLeftOut: [null, '2'],
  };
  expect(describeCounts({ userCarId: 1, lapsLeftOut: 1, lapsPutBack: 0 }, changes)).toBe(
    'car: MX-5 → Elise, lapsLeftOut: none → 2, userCarId: 1',
  );
  expect(describeCounts({}, { role: ['member', 'admin'] })).toBe('role: Member → Administrator');
  expect(describeCounts({ imported: 3 }, null)).toBe('imported: 3');
  expect(describeCounts({ flags: 1 }, { reason: [null, 'The line was cut.'] })).toBe(
    'reason: “The line was cut.”, flags: 1',
  );
  expect(describeCounts({ flags: 1 }, { reason: [null, null] })).toBe('flags: 1');
});

test('an action of a newer server is shown as it is', () => {
  expect(describeAction('fold-cars')).toBe('fold-cars');
});

test('a moment is shown with its day and minute', () => {
  expect(formatTableMoment('2026-11-22T12:40:59.123Z')).toBe('11/22/26 12:40');
  expect(formatTableMoment('some day')).toBe('some day');
});
