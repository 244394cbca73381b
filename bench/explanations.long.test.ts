import process from 'node:process';
import { expect, test } from 'vitest';
import { checkRecording } from './explanations.ts';
import { listLapSamples } from '../tests/lap-samples.ts';

const samplesFolder = process.env['LAP_SAMPLES'];

test.skipIf(samplesFolder === undefined)(
  'the fixes of recordings confirm what is named, LAP_SAMPLES=FOLDER',
  { timeout: 600_000 },
  () => {
    const counts = { named: 0, confirmed: 0 };
    const unconfirmed: string[] = [];
    for (const sample of listLapSamples(samplesFolder ?? '')) {
      const checked = checkRecording(sample);
      counts.named += checked.named;
      counts.confirmed += checked.confirmed;
      unconfirmed.push(...checked.unconfirmed.map((line) => `${sample.name}: ${line}`));
    }
    expect(counts.named).toBeGreaterThan(1000);
    expect(counts.confirmed / counts.named, unconfirmed.join('\n')).toBeGreaterThan(0.99);
  },
);
