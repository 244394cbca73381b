import { expect, test } from 'vitest';
import { PAIR_KINDS } from '#engine/testing/simulated-pairs.ts';
import { countPairs } from './bands.ts';

test.each(PAIR_KINDS)(
  'the band of $name pairs holds the true gap and the true losses in 92 to 98 %',
  (kind) => {
    const { gap, losses } = countPairs(kind);
    expect(losses.places).toBeGreaterThan(4000);
    for (const { places, inside } of [gap, losses]) {
      expect(inside / places).toBeGreaterThan(0.92);
      expect(inside / places).toBeLessThan(0.98);
    }
  },
);
