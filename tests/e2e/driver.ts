import { readFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { simulateDrive } from '#engine/testing/drive.ts';
import { writeGpx } from '#engine/testing/write-gpx.ts';
import type { Track } from '#engine/track.ts';
import { signIn } from './sign-in.ts';

/** A page in a browser of its own, where `name` is signed in. */
export async function openAs(browser: Browser, url: string, name: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await signIn(page, url, name);
  return page;
}

/** Puts a car of the library into the garage of who is signed in; gives its id. */
export async function addCar(page: Page, url: string, modelKey: string): Promise<string> {
  const response = await page.request.post(`${url}/api/user-cars`, {
    headers: { origin: url },
    data: { modelKey, nickname: null },
  });
  const car: { id?: string } = await response.json();
  if (car.id === undefined) throw new Error(`No such car: ${modelKey}: ${JSON.stringify(car)}`);
  return car.id;
}

type DrivenSession = {
  trackId: string;
  userCarId: string;
  /** Another drive for every seed. */
  seed: number;
  topSpeedMetersPerSecond: number;
};

/** Uploads three laps of who is signed in on a track of the library; gives the best time. */
export async function uploadLaps(page: Page, url: string, session: DrivenSession): Promise<number> {
  const { trackId, userCarId, seed, topSpeedMetersPerSecond } = session;
  const tracks: Track[] = JSON.parse(await readFile('data/tracks.json', 'utf8'));
  const track = tracks.find(({ id }) => id === trackId);
  if (track === undefined) throw new Error(`data/tracks.json has no ${trackId}.`);
  const lapFile = writeGpx(simulateDrive(track, { seed, laps: 3, topSpeedMetersPerSecond }));
  const response = await page.request.post(`${url}/api/upload`, {
    headers: { origin: url },
    multipart: {
      trackId,
      userCarId,
      tireCompound: 'track-200',
      videoUrl: 'https://video.example/onboard',
      files: { name: 'laps.gpx', mimeType: 'application/gpx+xml', buffer: Buffer.from(lapFile) },
    },
  });
  const answer: { results?: { bestLapTimeMs?: number }[] } = await response.json();
  const best = answer.results?.[0]?.bestLapTimeMs;
  if (best === undefined) throw new Error(`The upload failed: ${JSON.stringify(answer)}`);
  return best;
}
