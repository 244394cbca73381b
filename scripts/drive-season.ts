import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContext } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import type { Track } from '#engine/track.ts';
import { signIn } from '../tests/e2e/sign-in.ts';

/** Every driver has driven on this track. */
export const SPA = 'circuit-de-spa-francorchamps-grand-prix';

/** These drivers with their cars and tracks fill the boards realistically. */
const DRIVERS = [
  { name: 'Mara Lindqvist', modelKey: 'porsche-911-gt3-cup-992-cup', tire: 'rcomp', topSpeed: 74 },
  { name: 'Theo Okafor', modelKey: 'mazda-mx-5-nb-1-8', tire: 'track-200', topSpeed: 52 },
  { name: 'Priya Venkat', modelKey: 'bmw-m2-f87', tire: 'track-200', topSpeed: 66 },
  { name: 'Jonas Weidner', modelKey: 'toyota-gr86-zn8', tire: 'street-300', topSpeed: 58 },
];
const DRIVEN_TRACKS = [SPA, 'nurburgring-grand-prix', 'road-atlanta-full', 'suzuka-circuit-full'];

/** Signs in every driver on a fresh server, and uploads their laps. */
export async function driveSeason(browser: Browser, url: string): Promise<void> {
  const tracks: Track[] = JSON.parse(await readFile('data/tracks.json', 'utf8'));
  for (const [index, driver] of DRIVERS.entries()) {
    const context = await browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    await signIn(page, url, driver.name);
    const carId = await addCar(context, url, driver.modelKey);
    for (const trackId of DRIVEN_TRACKS.slice(0, DRIVEN_TRACKS.length - index)) {
      const track = tracks.find(({ id }) => id === trackId);
      if (track === undefined) throw new Error(`data/tracks.json has no ${trackId}.`);
      const drive = simulateDrive(track, {
        seed: index + 1,
        laps: 3,
        topSpeedMetersPerSecond: driver.topSpeed,
      });
      const response = await context.request.post(`${url}/api/upload`, {
        headers: { origin: url },
        multipart: {
          trackId,
          userCarId: carId,
          tireCompound: driver.tire,
          videoUrl: 'https://video.example/onboard',
          files: {
            name: `${trackId}.gpx`,
            mimeType: 'application/gpx+xml',
            buffer: Buffer.from(writeGpx(drive)),
          },
        },
      });
      const answer = await response.text();
      if (!answer.includes('"success":true')) throw new Error(`An upload failed: ${answer}`);
    }
    await context.close();
  }
}

async function addCar(context: BrowserContext, url: string, modelKey: string): Promise<string> {
  const response = await context.request.post(`${url}/api/user-cars`, {
    headers: { origin: url },
    data: { modelKey, nickname: null },
  });
  const car: { id?: string } = await response.json();
  if (car.id === undefined) throw new Error(`No such car: ${modelKey}: ${JSON.stringify(car)}`);
  return car.id;
}
