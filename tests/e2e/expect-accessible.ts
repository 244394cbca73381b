import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails with every accessibility rule that the page, as it is now, breaks. */
export async function expectAccessible(page: Page): Promise<void> {
  // What a sticky bar half covers would count as too small a target, so the page is judged from its top.
  await page.evaluate(() => window.scrollTo(0, 0));
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}
