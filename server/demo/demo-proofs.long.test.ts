import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { trackSchema } from '#contract/tracks.ts';
import { cutLapProof } from '#engine/proof/lap-proof.ts';
import { timeProof } from '#engine/proof/time-proof.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { roundTimes } from '#engine/timing/round-times.ts';
import { projectFolder } from '#server/kernel/project-folder.ts';
import { driveSession } from './drive-session.ts';
import { planSeason } from './season.ts';

test('every lap of the demo community that ranks is proven to the millisecond', () => {
  const library = z
    .array(trackSchema.omit({ status: true, timeZone: true }))
    .parse(JSON.parse(readFileSync(join(projectFolder, 'data/tracks.json'), 'utf8')));
  const sessions = planSeason(new Date('2026-11-21T12:00:00Z')).flatMap((driver) => driver.sessions);
  let lapCount = 0;
  for (const session of sessions) {
    const track = library.find(({ id }) => id === session.trackId);
    if (!track) throw new Error(`There is no track ${session.trackId}.`);
    const file = openLapFile(Buffer.from(driveSession(track, session)));
    for (const lap of timeLaps(file, track).laps.filter(isRanking)) {
      const proof = cutLapProof(file, lap, track);
      expect(proof && timeProof(proof), session.fileName).toMatchObject(roundTimes(lap));
      lapCount += 1;
    }
  }
  expect(lapCount).toBeGreaterThan(2 * sessions.length);
}, 300_000);
