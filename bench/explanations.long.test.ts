import process from 'node:process';
import { expect, test } from 'vitest';
import { checkRecording } from './explanations.ts';
import { listLapSamples } from '../tests/lap-samples.ts';

const samplesFolder = process.env['LAP_SAMPLES'];

test.skipIf(samplesFolder === undefined)(
  'the fixes of recordings confirm every sentence about every pair of ranking laps, LAP_SAMPLES=FOLDER',
  { timeout: 600_000 },
  () => {
    let named = 0;
    const unconfirmed: string[] = [];
    for (const sample of listLapSamples(samplesFolder ?? '')) {
      const checked = checkRecording(sample);
      named += checked.named;
      unconfirmed.push(...checked.unconfirmed.map((line) => `${sample.name}: ${line}`));
    }
    expect(named).toBeGreaterThan(10_000);
    expect(unconfirmed).toEqual([]);
  },
);
