import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { findFreePort } from '#server/kernel/process/free-port.ts';
import { findBrowser } from '../../scripts/find-browser.mjs';
import { startPitboard, type Pitboard } from '../pitboard.ts';
import { test } from './test.ts';
import { PUBLIC_HOST, startTlsProxy, TRUST_PROXY_ARGUMENTS } from './tls-proxy.ts';

export type Person = { first: string; last: string; email: string; password: string };

export const OWNER: Person = {
  first: 'Olga',
  last: 'Brandt',
  email: 'olga@club.example',
  password: 'four wheels on gravel',
};

export const MEMBER: Person = {
  first: 'Ben',
  last: 'Novak',
  email: 'ben@club.example',
  password: 'late apex every lap',
};

export type PublicClub = { pitboard: Pitboard; url: string };

const { executablePath, args, env } = await findBrowser();

/**
 * Starts a server without accounts at a public address for the tests of one file, behind a proxy that ends TLS. An earlier hook can prepare
 * the environment.
 */
export function usePublicClub(getEnvironment: () => Record<string, string> = () => ({})): () => PublicClub {
  test.use({
    launchOptions: {
      executablePath,
      args: [...args, ...TRUST_PROXY_ARGUMENTS],
      env: { ...process.env, ...env },
    },
  });
  let club: PublicClub;
  let stopProxy: () => Promise<void>;
  test.beforeAll(async () => {
    const [port, publicPort] = [await findFreePort(), await findFreePort()];
    const url = `https://${PUBLIC_HOST}:${publicPort}`;
    stopProxy = await startTlsProxy(publicPort, port);
    const environment = { PUBLIC_URL: url, ...getEnvironment() };
    club = { url, pitboard: await startPitboard({ port, environment }) };
  });
  test.afterAll(async () => {
    await club.pitboard.remove();
    await stopProxy();
  });
  return () => club;
}

/** Opens a blank page in a browser of its own, where no person is signed in. */
export async function openDevice(browser: Browser): Promise<Page> {
  return await (await browser.newContext({ locale: 'en' })).newPage();
}

/** Returns the file that has the link to set up the site, until that has been used. */
export function setUpLinkFile({ pitboard }: PublicClub): string {
  return join(pitboard.dataFolder, 'set-up-link.txt');
}

/** Reads the link that sets up the site. */
export async function readSetUpLink(club: PublicClub): Promise<string> {
  return (await readFile(setUpLinkFile(club), 'utf8')).trim();
}

/** Fills in the form of a new account. */
export async function fillInPerson(page: Page, { first, last, email, password }: Person): Promise<void> {
  await page.getByLabel('First name').fill(first);
  await page.getByLabel('Last name').fill(last);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
}
