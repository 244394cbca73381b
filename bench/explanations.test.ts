import process from 'node:process';
import { expect, test } from 'vitest';
import { checkRecording } from './explanations.ts';
import { listLapSamples } from '../tests/lap-samples.ts';

const samplesFolder = process.env['LAP_SAMPLES'];
const LAPS_OF_A_RECORDING = 3;

test.skipIf(samplesFolder === undefined)(
  'the fixes of recordings confirm every sentence and figure about laps from the fastest to the slowest, LAP_SAMPLES=FOLDER',
  () => {
    let [sentences, figures] = [0, 0];
    const wrong: string[] = [];
    for (const sample of listLapSamples(samplesFolder ?? '')) {
      const checked = checkRecording(sample, LAPS_OF_A_RECORDING);
      sentences += checked.sentences;
      figures += checked.figures;
      const { wrongSentences, wrongFigures } = checked;
      wrong.push(...[...wrongSentences, ...wrongFigures].map((line) => `${sample.name}: ${line}`));
    }
    expect(sentences).toBeGreaterThan(500);
    expect(figures).toBeGreaterThan(5_000);
    expect(wrong).toEqual([]);
  },
);
