import { expect, test } from 'vitest';
import { RANKING_STATUSES } from '#engine/timing/laps.ts';
import { RANKING_STATUS_LIST } from './ranking.ts';

test('queries take the same laps for ranking as the engine does', () => {
  const inQueries = Array.from(RANKING_STATUS_LIST.matchAll(/'(\w+)'/g), ([, status]) => status);
  expect(inQueries).toEqual([...RANKING_STATUSES]);
  expect(RANKING_STATUS_LIST).toBe("('valid', 'warning')");
});
