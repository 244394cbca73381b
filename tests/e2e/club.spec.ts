import { writeFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { renderSVG } from 'uqr';
import { formatLapTime } from '#engine/lap-time.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { writeRaceChronoV3 } from '#engine/simulation/write-racechrono.ts';
import { libraryTrack } from '../library.ts';
import { expectAccessibleEverywhere } from './expect-accessible.ts';
import { fillInPerson, MEMBER, openDevice, OWNER, readSetUpLink, usePublicClub } from './public-club.ts';
import { test } from './test.ts';
import { chooseCar, chooseSuggestion, submitLaps } from './upload-steps.ts';

// A club on a public address: from an empty data folder to a guest who sees a member's first lap, all in the browser.

const SPA = 'circuit-de-spa-francorchamps-grand-prix';
const club = usePublicClub();

test(
  'a club is set up by link, a member joins by QR code with a password and a passkey, and a guest sees their first lap',
  {
    tag: '@all',
  },
  async ({ browser }, testInfo) => {
    const owner = await openDevice(browser);
    await setUp(owner);
    const invitation = await invite(owner);

    const laptop = await openDevice(browser);
    const passkeys = await plugInAuthenticator(laptop);
    await acceptInvitation(laptop, invitation);
    await addPasskey(laptop);
    await signOut(laptop);
    await signInWithPasskey(laptop);

    const phone = await openDevice(browser);
    await signInWithPassword(phone);
    const drive = simulateDrive(libraryTrack(SPA), { seed: 7, laps: 3 });
    const lapFile = testInfo.outputPath('first-evening.csv');
    await writeFile(lapFile, writeRaceChronoV3(drive));
    await uploadFirstLap(phone, lapFile);

    const guest = await openDevice(browser);
    await guest.goto(`${club().url}/track/${SPA}`);
    const best = Math.min(...drive.trueLaps.map((lap) => lap.lapTimeMs));
    const row = guest.getByRole('row').filter({ hasText: `${MEMBER.first} ${MEMBER.last}` });
    await expect(row).toContainText(formatLapTime(best));
    await expect(guest.getByRole('link', { name: 'Sign In' }).first()).toBeVisible();
    await passkeys.detach();
  },
);

async function setUp(page: Page): Promise<void> {
  const link = await readSetUpLink(club());
  expect(club().pitboard.output()).toContain(link);
  await page.goto(link);
  await expect(page.getByLabel('Name of your club')).toBeVisible();
  await expectAccessibleEverywhere(page);
  await fillInPerson(page, OWNER);
  await page.getByLabel('Name of your club').fill('Kart Club Nord');
  await page.getByLabel('Time zone').selectOption('Europe/Vienna');
  await page.getByLabel('Who may make an account').selectOption('invited');
  await page.getByRole('button', { name: 'Set up the site' }).click();
  await page.waitForURL(`${club().url}/`);
  await page.goto(link);
  await expect(page.getByRole('alert')).toContainText('has been used');
}

/** Gives the link of an invitation, which is the one of its QR code. */
async function invite(page: Page): Promise<string> {
  await page.goto(`${club().url}/club/people`);
  await page.getByRole('button', { name: 'Invite people' }).click();
  await page.getByRole('button', { name: 'Make invitation' }).click();
  const link = await page.getByLabel('Link', { exact: true }).inputValue();
  const image = page.getByRole('img', { name: 'QR code of the link' });
  await expect(image).toHaveAttribute(
    'src',
    `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(link))}`,
  );
  await expectAccessibleEverywhere(page);
  return link;
}

async function acceptInvitation(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Join the Club' })).toBeVisible();
  await expect(page.getByText('You are invited to Kart Club Nord.')).toBeVisible();
  await expectAccessibleEverywhere(page);
  await fillInPerson(page, MEMBER);
  await page.getByRole('button', { name: 'Make my account' }).click();
  await page.waitForURL(`${club().url}/`);
}

/** Gives the page an authenticator, as a laptop with a fingerprint reader has one. */
async function plugInAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return session;
}

async function addPasskey(page: Page): Promise<void> {
  await page.goto(`${club().url}/profile/edit/sign-in`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText(/^Passkey 1, added/)).toBeVisible();
  await expectAccessibleEverywhere(page);
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible();
}

async function signInWithPasskey(page: Page): Promise<void> {
  await page.goto(`${club().url}/login`);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(`${club().url}/`);
}

async function signInWithPassword(page: Page): Promise<void> {
  await page.goto(`${club().url}/login?returnTo=/garage/add`);
  await expectAccessibleEverywhere(page);
  await page.getByLabel('Email').fill(MEMBER.email);
  await page.getByRole('button', { name: 'Forgot your password?' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(MEMBER.email);
  await page.getByRole('button', { name: 'Back to sign in' }).click();
  await expect(page.getByLabel('Email')).toHaveValue(MEMBER.email);
  await page.getByLabel('Password').fill(MEMBER.password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.waitForURL(`${club().url}/garage/add`);
}

async function uploadFirstLap(page: Page, lapFile: string): Promise<void> {
  await chooseCar(page);
  await page.goto(`${club().url}/upload`);
  await page.locator('input[type=file]').setInputFiles(lapFile);
  await page.getByRole('button', { name: 'Process 1 File(s)' }).click();
  await chooseSuggestion(page, 'Circuit de Spa-Francorchamps');
  await submitLaps(page, 'https://video.example/first-evening');
  await expect(page.getByText('Upload successful!')).toBeVisible();
}
