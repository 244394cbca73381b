import type { Page } from '@playwright/test';

/** Signs in at the embedded provider, from whatever page the browser is on; ends on `returnTo`. */
export async function signIn(page: Page, url: string, name: string, returnTo = '/'): Promise<void> {
  await page.goto(`${url}/login?returnTo=${encodeURIComponent(returnTo)}`);
  await page.getByRole('link', { name: /^Continue with/ }).click();
  await page.getByRole('button', { name }).click();
  await page.waitForURL(url + returnTo);
}
