import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findEmbeddedFonts } from './embedded-fonts.ts';

test('the letters are found by the start of their names, and are missing without a built client', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-fonts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  expect(findEmbeddedFonts(folder)).toEqual({ text: null, display: null });
  await mkdir(join(folder, 'assets'));
  for (const name of ['archivo-text-1-AbC.woff2', 'archivo-display-2-dEf.woff2', 'home-x.js']) {
    await writeFile(join(folder, 'assets', name), '');
  }
  expect(findEmbeddedFonts(folder)).toEqual({
    text: '/assets/archivo-text-1-AbC.woff2',
    display: '/assets/archivo-display-2-dEf.woff2',
  });
});
