import { expect, type Page } from '@playwright/test';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { fillInPerson, MEMBER, openDevice, OWNER, readSetUpLink, usePublicClub } from './public-club.ts';
import { test } from './test.ts';
import { chooseCar, chooseSuggestion, submitLaps } from './upload-steps.ts';

// The home page of a club on its first evening, for its owner and for a new member who tries a sample.

const CLUB = 'Kart Club Nord';
const club = usePublicClub();

test('owners see what is left to do, a new member looks into a sample, and the owner switches samples off', async ({
  browser,
}) => {
  const owner = await openDevice(browser);
  await setUp(owner);
  await expect(owner.getByText(CLUB, { exact: true })).toBeVisible();
  await expect(owner).toHaveTitle(`${CLUB} · Pitboard`);
  const steps = owner.getByRole('region', { name: 'Set Up Your Club' });
  await expect(steps).toContainText('0 of 5 done');
  await expect(owner.getByText('Add your track: upload the first lap')).toBeVisible();
  await expect(owner.getByText('Your First Lap')).toBeHidden();
  await expectAccessibleEverywhere(owner);
  await steps.getByRole('link', { name: 'Add your tracks' }).click();
  await expect(owner.getByRole('heading', { name: 'Import Tracks', level: 1 })).toBeVisible();
  await owner.goBack();
  await steps.getByRole('link', { name: 'Invite your drivers' }).click();
  await owner.getByRole('button', { name: 'Invite people' }).click();
  await owner.getByRole('button', { name: 'Make invitation' }).click();
  const link = await owner.getByLabel('Link', { exact: true }).inputValue();
  await owner.keyboard.press('Escape');
  await owner.getByRole('link', { name: 'Pitboard, home' }).click();
  await expect(steps).toContainText('1 of 5 done');
  await expect(steps.getByText('Done', { exact: true })).toHaveCount(1);

  const member = await openDevice(browser);
  await member.goto(link);
  await fillInPerson(member, MEMBER);
  await member.getByRole('button', { name: 'Make my account' }).click();
  await member.waitForURL(`${club().url}/`);
  await tryASample(member);

  await steps.getByRole('button', { name: 'Hide' }).click();
  await expect(steps).toBeHidden();
  await owner.reload();
  await expect(steps).toBeHidden();
  await switchSamplesOff(owner);
  await member.goto(`${club().url}/upload`);
  await expect(member.getByRole('heading', { name: 'Supported Formats' })).toBeVisible();
  await expect(member.getByText('Try a sample')).toBeHidden();
});

async function tryASample(page: Page): Promise<void> {
  const steps = page.getByRole('region', { name: 'Your First Lap' });
  await expect(page.getByText(CLUB, { exact: true })).toBeVisible();
  await expect(steps.getByRole('listitem')).toHaveCount(3);
  await expectAccessibleEverywhere(page);
  await steps.getByRole('link', { name: 'Add your car' }).click();
  await chooseCar(page);
  await page.goto(club().url);
  await expect(steps.getByText('Done', { exact: true })).toHaveCount(1);
  await steps.getByRole('link', { name: 'Try a sample of Laguna Seca' }).click();
  await expect(page.getByText('laguna-seca-racechrono.csv', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  await chooseSuggestion(page, 'Laguna Seca');
  await expect(page.getByText(/^This is a sample: .* never rank with real ones\.$/)).toBeVisible();
  await expectAccessibleEverywhere(page);
  await submitLaps(page, 'https://video.example/none');
  await expect(page.getByText('4 laps, simulated: they rank with no real ones')).toBeVisible();
  await page.getByRole('link', { name: 'Look into the lap' }).click();
  await expect(page.getByRole('heading', { name: '1:38.206', level: 1 })).toBeVisible();
  await page.goto(`${club().url}/track/weathertech-raceway-laguna-seca-full`);
  await expect(page.getByText('Be the first to set a lap time at this track!')).toBeVisible();
  await page.getByRole('link', { name: 'Samples' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Ben Novak' })).toContainText('Sample');
  await expectAccessibleEverywhere(page);
  await page.goto(club().url);
  await expect(steps).toBeHidden();
}

async function switchSamplesOff(page: Page): Promise<void> {
  await page.goto(`${club().url}/club/operations?open=club`);
  await page.getByLabel('Sample lap files').uncheck();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Club Settings Saved')).toBeVisible();
}

async function setUp(page: Page): Promise<void> {
  await page.goto(await readSetUpLink(club()));
  await fillInPerson(page, OWNER);
  await page.getByLabel('Name of your club').fill(CLUB);
  await page.getByText('Get tracks, now or later').click();
  await page.getByLabel('Open Racetrack Database, 763 venues, 976 layouts').check();
  await expectAccessibleEverywhere(page);
  // No test fetches from the internet.
  await page.route('**/api/admin/track-sets/*/fetch', (route) => route.abort());
  const fetched = page.waitForRequest('**/api/admin/track-sets/open-racetrack-db/fetch');
  await page.getByRole('button', { name: 'Set up the site' }).click();
  await fetched;
  await page.waitForURL(`${club().url}/`);
}
