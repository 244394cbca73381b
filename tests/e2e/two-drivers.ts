import type { Browser, Page } from '@playwright/test';
import { formatLapTime } from '#engine/lap-time.ts';
import { addCar, openAs, uploadLaps } from './driver.ts';

export const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const MX5 = 'mazda-mx-5-nb-1-8';

/** Matches the button of a place to gain: a stretch with the time that it costs. */
export const PLACE = /^(Turn|Straight|Line) .*\+\d\.\d{3} s$/;

/** The table of stretches has this name. */
export const STRETCHES = 'Every straight and corner against the reference';

/** Two drivers in the same car have driven at Spa. */
export type TwoDrivers = {
  /** The page of Theo Okafor, who is the slower one. */
  driver: Page;
  /** Gives the best times of both; the rival is Priya Venkat. */
  times: { rival: string; own: string };
};

/** Lets two drivers upload laps of Spa. */
export async function driveBoth(browser: Browser, url: string): Promise<TwoDrivers> {
  const rival = await drive(browser, url, { name: 'Priya Venkat', seed: 2, topSpeedMetersPerSecond: 58 });
  const own = await drive(browser, url, { name: 'Theo Okafor', seed: 1, topSpeedMetersPerSecond: 52 });
  await rival.page.context().close();
  const times = { rival: formatLapTime(rival.timeMs), own: formatLapTime(own.timeMs) };
  return { driver: own.page, times };
}

type Driving = { name: string; seed: number; topSpeedMetersPerSecond: number };

async function drive(
  browser: Browser,
  url: string,
  { name, ...driving }: Driving,
): Promise<{ page: Page; timeMs: number }> {
  const page = await openAs(browser, url, name);
  const userCarId = await addCar(page, url, MX5);
  const timeMs = await uploadLaps(page, url, {
    trackId: SPA,
    userCarId,
    racingLine: { halfWidthMeters: 5 },
    ...driving,
  });
  return { page, timeMs };
}

/** Lists the laps of the board at Spa, the fastest first. */
export async function listLapIds({ request }: Page, url: string): Promise<string[]> {
  const response = await request.get(`${url}/api/laps/track/${SPA}/best`);
  const records: { lapId: string }[] = await response.json();
  return records.map(({ lapId }) => lapId);
}
