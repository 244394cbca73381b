import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { countDoubted, listSampleWarnings } from '../../tests/sample-warnings.ts';

/** LAP_SAMPLES names the folder of real recordings, which are not part of Pitboard. */
const folder = process.env['LAP_SAMPLES'];

describe.skipIf(folder === undefined)('real recordings (LAP_SAMPLES)', () => {
  test('at most one lap in a hundred is doubted', () => {
    const samples = listSampleWarnings(folder ?? '');
    const laps = samples.reduce((sum, sample) => sum + sample.laps, 0);
    const doubted = samples.filter((sample) => countDoubted(sample) > 0);
    const count = doubted.reduce((sum, sample) => sum + countDoubted(sample), 0);
    expect(laps).toBeGreaterThan(500);
    expect(count / laps, doubted.map(({ name }) => name).join('\n')).toBeLessThanOrEqual(0.01);
  });
});

if (folder === undefined) test.skip('real recordings are left out: LAP_SAMPLES names no folder');
