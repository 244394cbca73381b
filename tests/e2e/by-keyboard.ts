import { expect, type Locator, type Page } from '@playwright/test';

const TAB_STOPS_MAX = 200;

/** Goes on by Tab, or back by Shift+Tab where it comes before, until an element has the focus, which must be seen there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < TAB_STOPS_MAX; stop += 1) {
    const key = await target.evaluate((element) => {
      const active = document.activeElement;
      if (element === active) return undefined;
      const isBefore = active && active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
      return isBefore ? 'Shift+Tab' : 'Tab';
    });
    if (key === undefined) break;
    await page.keyboard.press(key);
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
