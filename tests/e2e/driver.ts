import { request, type Browser, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { libraryTrack } from '../library.ts';
import type { Pitboard } from '../pitboard.ts';
import { leave, passSevenDays } from './seven-days.ts';
import { signInByCalls, takeNamesOfSignedIn } from './sign-in.ts';
import { test } from './test.ts';

/** A blank page in a browser of its own, where `name` is signed in. */
export async function openAs(browser: Browser, url: string, name: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en' });
  await signInByCalls(context.request, url, name);
  return context.newPage();
}

/**
 * The server that test files share. What drivers leave on it is deleted with their accounts: after each test, or after all tests of
 * the file where they build on each other.
 */
export function shareServer(clearAfter: 'each test' | 'all tests' = 'each test'): () => Pitboard {
  let pitboard: Pitboard;
  test.beforeAll(({ server }) => {
    pitboard = server;
  });
  const clear = async ({ browser }: { browser: Browser }): Promise<void> => {
    const left = new Set<string | null>();
    for (const context of browser.contexts()) {
      left.add(await leave(context.request, pitboard.url));
      await context.close();
    }
    for (const name of takeNamesOfSignedIn()) if (!left.has(name)) await deleteAccount(pitboard.url, name);
    await passSevenDays(pitboard);
  };
  if (clearAfter === 'each test') {
    test.afterEach(clear);
  } else {
    test.afterAll(clear);
    // Such stories may build on each other, so a second attempt begins with the first of them.
    test.describe.configure({ mode: 'serial' });
  }
  return () => pitboard;
}

async function deleteAccount(url: string, name: string): Promise<void> {
  const calls = await request.newContext();
  await signInByCalls(calls, url, name);
  await leave(calls, url);
  await calls.dispose();
  takeNamesOfSignedIn();
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
  /** A car that follows the outline instead of a racing line nearly stops at each kink. */
  racingLine?: { halfWidthMeters: number };
};

/** Uploads three laps of who is signed in on a track of the library; gives the best time. */
export async function uploadLaps(page: Page, url: string, session: DrivenSession): Promise<number> {
  const { trackId, userCarId, ...driving } = session;
  const lapFile = writeGpx(simulateDrive(libraryTrack(trackId), { ...driving, laps: 3 }));
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

type DriverWithLaps = Omit<DrivenSession, 'userCarId'> & { name: string; modelKey: string };

/** Opens a blank page for a driver who adds a car and uploads three laps. */
export async function openWithLaps(browser: Browser, url: string, driver: DriverWithLaps): Promise<Page> {
  const { name, modelKey, ...session } = driver;
  const page = await openAs(browser, url, name);
  await uploadLaps(page, url, { ...session, userCarId: await addCar(page, url, modelKey) });
  return page;
}

/** Lists the best lap of each driver on a board, the fastest first. */
export async function listBestLaps(
  page: Page,
  url: string,
  trackId: string,
): Promise<{ lapId: string; userName: string }[]> {
  return await (await page.request.get(`${url}/api/laps/track/${trackId}/best`)).json();
}
