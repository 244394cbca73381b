import process from 'node:process';
import { expect, test } from 'vitest';
import { checkRecording } from './explanations.ts';
import { listLapSamples } from '../tests/lap-samples.ts';

const samplesFolder = process.env['LAP_SAMPLES'];
const LAPS_OF_A_RECORDING = 3;

test.skipIf(samplesFolder === undefined)(
  'the fixes of recordings confirm every sentence about laps from the fastest to the slowest, LAP_SAMPLES=FOLDER',
  () => {
    let named = 0;
    const unconfirmed: string[] = [];
    for (const sample of listLapSamples(samplesFolder ?? '')) {
      const checked = checkRecording(sample, LAPS_OF_A_RECORDING);
      named += checked.named;
      unconfirmed.push(...checked.unconfirmed.map((line) => `${sample.name}: ${line}`));
    }
    expect(named).toBeGreaterThan(500);
    expect(unconfirmed).toEqual([]);
  },
);
