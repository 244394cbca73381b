import { expect, test } from 'vitest';
import { makeCase } from './cases.ts';
import { loadCorpus } from './corpus.ts';
import { examine, mustBeEqual } from './invariants.ts';

const corpus = loadCorpus(undefined);

test('a seed is the same case every time', () => {
  expect(makeCase(5, corpus)).toEqual(makeCase(5, corpus));
  expect(makeCase(5, corpus).bytes).not.toEqual(makeCase(6, corpus).bytes);
});

test('whole files hold laps, and all is true of them', () => {
  for (const { name, text, tracks } of corpus) {
    const outcome = examine(new Uint8Array(Buffer.from(text, 'latin1')), tracks);
    expect('laps' in outcome ? outcome.laps.flat().length : 0, name).toBeGreaterThan(1);
  }
});

test('broken files are read or refused, and all is true of them', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const { name, bytes, tracks, original } = makeCase(seed, corpus);
    const examined = () => {
      const outcome = examine(bytes, tracks);
      if (original !== null) mustBeEqual(examine(original, tracks), outcome, 'result');
    };
    expect(examined, `${name} (seed ${seed})`).not.toThrow();
  }
});
