import { expect, test } from 'vitest';
import { describeRule, type RuleSettings } from './describe-rule.ts';

const settings: RuleSettings = {
  firstRuns: null,
  countedRuns: 1,
  conePenaltyMs: 2_000,
  gatePenaltyMs: 10_000,
  tieRule: 'shared',
  takesLaps: false,
};
const ONE = { courseCount: 1, hasIndex: false };

test('the rule names runs, courses, penalties and ties', () => {
  expect(describeRule(settings, { ...ONE, courseCount: 2 })).toBe(
    'The best run on each course counts, both courses are added. A cone costs 2 s, a gate 10 s. Totals closer than their ± share a place.',
  );
});

test.each([
  [{}, 'The best run counts.'],
  [{ firstRuns: 3 }, 'The best of the first 3 runs counts.'],
  [{ countedRuns: 2 }, 'The best 2 runs are added.'],
  [{ firstRuns: 3, countedRuns: 2 }, 'The best 2 of the first 3 runs are added.'],
  [{ countedRuns: null }, 'All runs are added.'],
  [{ firstRuns: 1 }, 'The first run counts.'],
  [{ firstRuns: 1, countedRuns: null }, 'The first run counts.'],
  [{ firstRuns: 4, countedRuns: null }, 'The first 4 runs are added.'],
])('of %o the first sentence is “%s”', (changed, sentence) => {
  expect(describeRule({ ...settings, ...changed }, ONE)).toMatch(new RegExp(`^${sentence}`));
});

test('penalties of nothing are left out, and index and lap files are named', () => {
  const changed = {
    ...settings,
    conePenaltyMs: 0,
    gatePenaltyMs: 500,
    tieRule: 'faster',
    takesLaps: true,
  } as const;
  expect(describeRule(changed, { courseCount: 3, hasIndex: true })).toBe(
    'The best run on each course counts, all courses are added. A gate costs 0.5 s. A total is multiplied by the index of its class. Where totals are closer than their ±, the faster figure decides. Laps of uploaded lap files are runs, too.',
  );
  expect(describeRule({ ...changed, gatePenaltyMs: 0 }, ONE)).not.toContain('costs');
});
