import { expect, type Locator, type Page } from '@playwright/test';

const TAB_STOPS_MAX = 200;

/** Goes on by Tab until an element has the focus, which must be seen there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < TAB_STOPS_MAX; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
  const isSeen = await target.evaluate((element) => {
    const rings = [element, element.parentElement].map((ringed) => ringed && getComputedStyle(ringed));
    return rings.some((style) => style && (style.outlineStyle !== 'none' || style.boxShadow !== 'none'));
  });
  expect(isSeen, 'the focus can be seen').toBe(true);
}

/** Goes to an element by Tab and presses Enter there. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}
