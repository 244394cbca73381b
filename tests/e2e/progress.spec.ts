import { expect, type Page } from '@playwright/test';
import type { DriverLaps } from '#contract/progress/schemas.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { progressWorld } from './progress-world.ts';
import type { StandIn } from './stand-in.ts';
import { HARBOUR } from './stand-in-world.ts';
import { test } from './test.ts';

const CALL = `GET /api/tracks/${HARBOUR}/drivers/driver-1/laps`;

async function openProgress(page: Page, standIn: StandIn, part: Partial<DriverLaps> = {}): Promise<void> {
  standIn.answer(CALL, { ...progressWorld(), ...part });
  await page.goto(`${standIn.url}/profile?tab=tracks&track=${HARBOUR}`);
}

const stint = (page: Page) => page.getByRole('region', { name: /^Stint of/ });
const lapCursor = (page: Page) => stint(page).getByRole('slider', { name: /^Laps of/ });

test(
  'best, theoretical best and spread are one line, and the best sectors add up',
  { tag: '@matrix' },
  async ({ page, signedIn }) => {
    await openProgress(page, signedIn);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour LoopFull Course');
    await expect(page).toHaveTitle('Nadia Ferro at Harbour Loop · Pitboard');
    const figures = page.locator('dl > div');
    await expect(figures).toHaveText([
      'Best1:42.882P7 of 14Lap 8, 11/16/26 · BMW M2 · Track Street 200 TW',
      'Theoretical best1:42.582−0.300 sS1 0.113 and S3 0.187 to find',
      'Spread of the last stint±0.433 sHalf of 11 laps lie this close to 1:43.668',
    ]);
    const sectors = page.getByRole('table', { name: /^The best sectors/ }).getByRole('row');
    await expect(sectors).toContainText([
      'Sector',
      'S134.25010/03, lap 634.363+0.113',
      'S2',
      'S3',
      'Lap1:42.5821:42.882+0.300',
    ]);
    await expect(sectors.nth(2)).toContainText('the same');
    await expect(page.getByRole('link', { name: '10/03, lap 6' })).toHaveAttribute(
      'href',
      `/track/${HARBOUR}?lap=lap-5-6`,
    );
    await expectAccessibleEverywhere(page);
  },
);

test('arrows move between sessions, and the stint follows', async ({ page, signedIn }) => {
  await openProgress(page, signedIn);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await expect(sessions.getByText('Record 1:39.917')).toBeVisible();
  const last = sessions.getByRole('button', { name: /^11\/16\/26/ });
  await expect(last).toHaveAttribute('aria-pressed', 'true');
  await last.focus();
  await page.keyboard.press('ArrowLeft');
  const before = sessions.getByRole('button', {
    name: '10/03/26, best 1:43.408, 9 laps, median 1:44.300, BMW M2, Track Street 200 TW',
  });
  await expect(before).toBeFocused();
  await expect(before).toHaveAttribute('aria-pressed', 'true');
  await expect(stint(page).getByRole('heading')).toHaveText('Stint of 10/03/26');
  await page.keyboard.press('Home');
  await expect(sessions.getByRole('button', { name: /^03\/07\/26/ })).toBeFocused();
  await expect(stint(page).getByRole('heading')).toHaveText('Stint of 03/07/26');
  await sessions.getByRole('button', { name: /^08\/15\/26/ }).click();
  await expect(stint(page)).toContainText('11 laps, 9 of them clean');
});

test(
  'laps that are not clean have their reason, and two chosen laps open their comparison',
  { tag: '@matrix' },
  async ({ page, signedIn }) => {
    await openProgress(page, signedIn);
    const cursor = lapCursor(page);
    await cursor.focus();
    await expect(cursor).toHaveAttribute(
      'aria-valuetext',
      'Lap 1, 2:11.000, does not count. This is an out lap.',
    );
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('ArrowRight');
    const tooSlow = 'Lap 5, 1:52.401, more than 107 % of the best of the session';
    await expect(cursor).toHaveAttribute('aria-valuetext', tooSlow);
    await expect(stint(page).getByText(tooSlow)).toBeVisible();
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect(stint(page).getByRole('link', { name: 'Open lap 8' })).toHaveAttribute(
      'href',
      `/track/${HARBOUR}?lap=lap-6-8`,
    );
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await expect(cursor).toHaveAttribute('aria-valuetext', 'Lap 13, 1:44.117. Compare Lap 8 and Lap 13');
    await expectAccessibleEverywhere(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/track/${HARBOUR}?lap=lap-6-8&vs=lap-6-13`);
  },
);

test(
  'a pressed dot chooses its lap, and one of another session has its date',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    await openProgress(page, signedIn);
    await pressLap(page, 3, 14);
    await expect(stint(page).getByRole('status')).toContainText('Open lap 3');
    await page.getByRole('button', { name: /^10\/03\/26/ }).click();
    await expect(stint(page).getByRole('status')).toContainText('Open lap 3 of 11/16/26');
    await lapCursor(page).focus();
    await page.keyboard.press('Escape');
    await expect(stint(page).getByRole('status')).toBeEmpty();
    await pressLap(page, 3, 11);
    await page.getByRole('button', { name: /^11\/16\/26/ }).click();
    await pressLap(page, 2, 14);
    await page.waitForURL(`**/track/${HARBOUR}?lap=lap-5-3&vs=lap-6-2`);
  },
);

async function pressLap(page: Page, number: number, lapCount: number): Promise<void> {
  const box = await lapCursor(page).boundingBox();
  if (!box) throw new Error('There is no stint.');
  await lapCursor(page).click({
    position: { x: (box.width * (number - 0.5)) / lapCount, y: box.height / 2 },
  });
}

test(
  'the place is shown on the board, in the class and in the car, with every driver by name',
  { tag: '@matrix' },
  async ({ page, signedIn }) => {
    await openProgress(page, signedIn);
    const strip = page.getByRole('region', { name: 'Your place' });
    await expect(strip).toContainText('You, P7 of 14');
    await expect(strip).toContainText('0.273 s behind Keoni Catchfence, 0.368 s ahead of Mara Understeer');
    await expect(strip.getByRole('link', { name: 'Mara Understeer' })).toHaveAttribute(
      'href',
      `/track/${HARBOUR}?lap=lap-6-8&vs=rival-6`,
    );
    await strip.getByRole('slider').focus();
    await expect(strip.getByRole('slider')).toHaveAttribute(
      'aria-valuetext',
      'P1 Leila Slipstream, 1:39.917',
    );
    await page.keyboard.press('End');
    await expect(strip).toContainText('P14 Max Backmarker, 1:49.640');
    await expectAccessibleEverywhere(page);
    await strip.getByRole('button', { name: 'Class 6' }).click();
    await expect(strip).toContainText('You, P2 of 6');
    await strip.getByRole('button', { name: 'BMW M2 3' }).click();
    await expect(strip).toContainText('You, P1 of 3');
    await expect(strip).not.toContainText('behind');
  },
);

test(
  'a single session, and one without a clean lap, say what is missing',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    const { sessions, places } = progressWorld();
    const [session] = sessions;
    if (!session) throw new Error('There is no session.');
    const [outLap, first] = session.laps;
    if (!outLap || !first) throw new Error('There are no laps.');
    const best = { lapId: first.lapId, lapTimeMs: first.lapTimeMs, sectorTimesMs: [] };
    const none = { bestSectors: [], theoreticalBestMs: null };
    await openProgress(page, signedIn, {
      ...none,
      best,
      sessions: [
        { ...session, laps: [first], spread: { lapCount: 1, medianMs: first.lapTimeMs, spreadMs: null } },
      ],
      places: places
        .slice(0, 1)
        .map((place) => ({ ...place, drivers: 1, rank: 1, entries: [], ahead: null, behind: null })),
    });
    await expect(page.locator('dl > div').nth(2)).toContainText(
      'Needs five clean laps in the latest session.',
    );
    await expect(page.getByRole('region', { name: 'Your place' })).toContainText('No other driver here yet.');
    await expectAccessibleEverywhere(page);

    await openProgress(page, signedIn, {
      ...none,
      best: null,
      sessions: [{ ...session, laps: [outLap], spread: null, bestLapId: null }],
      places: [],
    });
    await expect(page.getByText('No lap of this session is clean.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Your place' })).toHaveCount(0);
    await expectAccessibleEverywhere(page);
  },
);

test(
  'many sessions are shown in parts, and a phone scrolls within the chart only',
  { tag: '@all' },
  async ({ page, signedIn }) => {
    const { sessions, ...world } = progressWorld();
    const many = Array.from({ length: 60 }, (_, index) => ({
      ...(sessions[index % sessions.length] ?? sessions[0]),
      sessionId: `many-${index}`,
    }));
    signedIn.answer(CALL, { ...world, sessions: many });
    await page.goto(`${signedIn.url}/profile?tab=tracks&track=${HARBOUR}`);
    const region = page.getByRole('region', { name: 'Sessions' });
    await expect(region.locator('[aria-pressed]')).toHaveCount(24);
    await expect(region.getByRole('button', { name: 'Later' })).toBeDisabled();
    await region.getByRole('button', { name: 'Earlier' }).click();
    await region.getByRole('button', { name: 'Earlier' }).click();
    await expect(region.locator('[aria-pressed]')).toHaveCount(12);
    await expect(region.getByRole('button', { name: 'Earlier' })).toBeDisabled();
    await region.getByRole('button', { name: 'Later' }).click();
    await expect(region.locator('[aria-pressed]')).toHaveCount(24);
    await expectAccessibleEverywhere(page);
  },
);

test('the laps of another driver are not called your own', async ({ page, signedIn }) => {
  signedIn.answer('GET /api/users/driver-9', {
    id: 'driver-9',
    displayName: 'Ines Kerb',
    username: 'ines',
    firstName: 'Ines',
    lastName: 'Kerb',
    profileImageUrl: null,
  });
  signedIn.answer(`GET /api/tracks/${HARBOUR}/drivers/driver-9/laps`, {
    ...progressWorld(),
    isOwn: false,
    userName: 'Ines Kerb',
  });
  await page.goto(`${signedIn.url}/profile/driver-9?tab=tracks&track=${HARBOUR}`);
  const strip = page.getByRole('region', { name: 'Place on the board' });
  await expect(strip).toContainText('Ines Kerb, P7 of 14');
  await expect(page.getByRole('main')).not.toContainText(/\byou/i);
});
