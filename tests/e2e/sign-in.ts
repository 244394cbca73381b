import type { APIRequestContext, Page } from '@playwright/test';
import { LOCAL_ACCOUNTS } from '#server/features/sign-in/local/local-accounts.ts';

const names = new Set<string>();

/** Returns who has signed in since the last call. */
export function takeNamesOfSignedIn(): string[] {
  const taken = [...names];
  names.clear();
  return taken;
}

/** Signs in at the embedded provider, from whatever page the browser is on; ends on `returnTo`. */
export async function signIn(page: Page, url: string, name: string, returnTo = '/'): Promise<void> {
  names.add(name);
  await page.goto(`${url}/login?returnTo=${encodeURIComponent(returnTo)}`);
  await page.getByRole('link', { name: /^Continue with/ }).click();
  await page.getByRole('button', { name }).click();
  await page.waitForURL(url + returnTo);
}

/** Signs in with the calls that a browser makes for it, without any page: for what a test needs before it begins. */
export async function signInByCalls(request: APIRequestContext, url: string, name: string): Promise<void> {
  names.add(name);
  const account = LOCAL_ACCOUNTS.find(({ firstName, lastName }) => name === `${firstName} ${lastName}`);
  if (account === undefined) throw new Error(`No such local account: ${name}`);
  const choice = await request.get(`${url}/api/login?returnTo=/login`);
  const answer = await request.post(choice.url(), {
    headers: { origin: url },
    form: { account: account.id },
  });
  if (!answer.ok()) throw new Error(`${name} could not sign in: ${answer.status()}`);
}
