import type { Browser, Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { libraryTrack } from '../library.ts';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { signIn } from './sign-in.ts';
import { test } from './test.ts';

/** A page in a browser of its own, where `name` is signed in. */
export async function openAs(browser: Browser, url: string, name: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  await signIn(page, url, name);
  return page;
}

/** One server for all tests of the file that calls this; after each of them, the user who was signed in is deleted with all their data. */
export function shareServer(): () => Pitboard {
  let pitboard: Pitboard;
  test.beforeAll(async () => {
    pitboard = await startPitboard();
  });
  test.afterEach(async ({ browser }) => {
    for (const context of browser.contexts()) {
      await context.request.delete(`${pitboard.url}/api/account`, { headers: { origin: pitboard.url } });
      await context.close();
    }
  });
  test.afterAll(() => pitboard.remove());
  return () => pitboard;
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
  const lapFile = writeGpx(simulateDrive(libraryTrack(trackId), { seed, laps: 3, topSpeedMetersPerSecond }));
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
