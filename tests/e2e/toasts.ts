import { expect, type Locator, type Page } from '@playwright/test';

/** The toast with this title. */
export function toastOf(page: Page, title: string): Locator {
  return page.locator('[data-sonner-toast]').filter({ has: page.getByText(title, { exact: true }) });
}

/** Waits for a toast with this title and, to the letter, this text below it. */
export async function expectToast(page: Page, title: string, description: string): Promise<void> {
  await expect(toastOf(page, title).getByText(description, { exact: true })).toBeVisible();
}
