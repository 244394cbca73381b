import { expect, type Page } from '@playwright/test';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { libraryTrack } from '../library.ts';
import { addCar, openAs, shareServer } from './driver.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { test } from './test.ts';

const TRACK = 'weathertech-raceway-laguna-seca-full';
const HOLE_MS = 2_000;

const pitboard = shareServer();

/** Makes a lap file of one lap; with a hole, the receiver gave no positions for two seconds in the middle of the lap. */
function makeFile(seed: number, hasHole: boolean): Buffer {
  const drive = simulateDrive(libraryTrack(TRACK), { seed, laps: 1, topSpeedMetersPerSecond: 52 });
  const { startTimeMs = NaN, lapTimeMs = NaN } = drive.trueLaps[0] ?? {};
  const holeMs = startTimeMs + lapTimeMs / 2;
  const fixes = drive.fixes.filter(({ timeMs }) => timeMs <= holeMs || timeMs >= holeMs + HOLE_MS);
  return Buffer.from(writeGenericCsv(hasHole ? { ...drive, fixes } : drive));
}

async function upload(page: Page, buffer: Buffer): Promise<string> {
  const { url } = pitboard();
  const response = await page.request.post(`${url}/api/upload`, {
    headers: { origin: url },
    multipart: {
      trackId: TRACK,
      userCarId: await addCar(page, url, 'mazda-mx-5-nb-1-8'),
      tireCompound: 'track-200',
      files: { name: 'laps.csv', mimeType: 'text/csv', buffer },
    },
  });
  const { results }: { results: { sessionId: string }[] } = await response.json();
  const session = await page.request.get(`${url}/api/sessions/${results[0]?.sessionId}`);
  const { laps }: { laps: { lapId: string }[] } = await session.json();
  return laps[0]?.lapId ?? '';
}

/** Counts the pieces of each line of speeds. */
const countPieces = (page: Page) =>
  page
    .locator('[data-chart]')
    .last()
    .locator('svg g path:first-child')
    .evaluateAll((paths) => paths.map((path) => (path.getAttribute('d') ?? '').split('M').length - 1));

test(
  'a recording with a hole: its speeds stop there, and the page says why',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openAs(browser, pitboard().url, 'Theo Okafor');
    const withHole = await upload(page, makeFile(1, true));
    await page.goto(`${pitboard().url}/track/${TRACK}?lap=${withHole}`);
    await expect(page.getByText(/^no signal, 2\.\d s$/)).toBeVisible();
    expect(await countPieces(page)).toEqual([2]);

    const whole = await upload(page, makeFile(2, false));
    await page.goto(`${pitboard().url}/track/${TRACK}?lap=${whole}&vs=${withHole}`);
    await expect(page.getByText(/^no signal, 2\.\d s$/)).toBeVisible();
    expect(await countPieces(page)).toEqual([1, 2]);
    await expect(page.locator('[data-chart]').first().locator('[stroke-dasharray="1 4"]')).toHaveCount(1);
    await expectAccessibleEverywhere(page);
  },
);
