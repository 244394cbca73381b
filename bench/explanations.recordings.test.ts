import process from 'node:process';
import { expect, test } from 'vitest';
import { checkRecording } from './explanations.ts';
import { listTriedSamples } from '../tests/lap-samples.ts';
import { isLongRun } from '../tests/long-run.ts';

const samplesFolder = process.env['LAP_SAMPLES'];
const LAPS_OF_A_RECORDING = 3;

test.skipIf(samplesFolder === undefined)(
  'the fixes of recordings confirm every sentence and figure about laps from the fastest to the slowest, LAP_SAMPLES=FOLDER',
  () => {
    let [sentences, figures] = [0, 0];
    const wrong: string[] = [];
    for (const sample of listTriedSamples(samplesFolder ?? '')) {
      const checked = checkRecording(sample, LAPS_OF_A_RECORDING);
      sentences += checked.sentences;
      figures += checked.figures;
      const { wrongSentences, wrongFigures } = checked;
      wrong.push(...[...wrongSentences, ...wrongFigures].map((line) => `${sample.name}: ${line}`));
    }
    expect(sentences).toBeGreaterThan(isLongRun ? 500 : 50);
    expect(figures).toBeGreaterThan(isLongRun ? 5_000 : 500);
    expect(wrong).toEqual([]);
  },
);
