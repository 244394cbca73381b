import process from 'node:process';
import { expect, test } from 'vitest';
import { checkRecording } from './explanations.ts';
import { listLapSamples } from '../tests/lap-samples.ts';

const samplesFolder = process.env['LAP_SAMPLES'];

test.skipIf(samplesFolder === undefined)(
  'the fixes of recordings confirm every sentence and figure about every pair of ranking laps, LAP_SAMPLES=FOLDER',
  { timeout: 600_000 },
  () => {
    let [sentences, figures] = [0, 0];
    const wrong: string[] = [];
    for (const sample of listLapSamples(samplesFolder ?? '')) {
      const checked = checkRecording(sample);
      sentences += checked.sentences;
      figures += checked.figures;
      const { wrongSentences, wrongFigures } = checked;
      wrong.push(...[...wrongSentences, ...wrongFigures].map((line) => `${sample.name}: ${line}`));
    }
    expect(sentences).toBeGreaterThan(10_000);
    expect(figures).toBeGreaterThan(100_000);
    expect(wrong).toEqual([]);
  },
);
