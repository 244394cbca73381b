import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { build } from 'vite';
import { cutLapProof, type LapProof } from '#engine/proof/lap-proof.ts';
import type { CheckedLap } from '#engine/proof/time-proof.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { roundTimes } from '#engine/timing/round-times.ts';
import { driveSession } from '#server/features/demo/drive-session.ts';
import { planSeason } from '#server/features/demo/season.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { libraryTrack } from '../library.ts';
import { test } from './test.ts';

const TIMING_MS = 240_000;

declare global {
  /** Builds a script of the page that exports what `engine/proof/time-proof.ts` exports. */
  // oxlint-disable-next-line no-var -- Only `var` declares a property of the page's window.
  var timing: { timeProof: (proof: LapProof) => CheckedLap | null };
}

/** The module with which the dialog 'Check this time' times a lap, built for browsers. */
async function buildTimingScript(): Promise<string> {
  const entry = join(projectFolder, 'engine/proof/time-proof.ts');
  const outDir = test.info().outputPath('script');
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { outDir, lib: { entry, formats: ['iife'], name: 'timing', fileName: () => 'timing.js' } },
  });
  return join(outDir, 'timing.js');
}

test(
  'a browser times every ranking lap of the demo community again, to the millisecond',
  { tag: '@all' },
  async ({ page }) => {
    test.setTimeout(TIMING_MS);
    await page.addScriptTag({ content: readFileSync(await buildTimingScript(), 'utf8') });
    const sessions = planSeason(new Date('2026-11-21T12:00:00Z')).flatMap((driver) => driver.sessions);
    let lapCount = 0;
    for (const session of sessions) {
      const track = libraryTrack(session.trackId);
      const file = openLapFile(Buffer.from(driveSession(track, session)));
      const laps = timeLaps(file, track).laps.filter(isRanking);
      // The server sends them as text.
      const proofs = JSON.stringify(laps.map((lap) => cutLapProof(file, lap, track)));
      const timed = await page.evaluate((text) => {
        const given: LapProof[] = JSON.parse(text);
        return given.map((proof) => timing.timeProof(proof));
      }, proofs);
      expect(timed, session.fileName).toMatchObject(laps.map(roundTimes));
      lapCount += laps.length;
    }
    expect(lapCount).toBeGreaterThan(2 * sessions.length);
  },
);
