import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { isLongRun } from '../long-run.ts';
import { test } from './test.ts';

/** Fails with every accessibility rule that the page, as it is now, breaks: WCAG 2.2 AA and good practice. */
export async function expectAccessible(page: Page): Promise<void> {
  // The rule is part of WCAG 2.2, and axe leaves it out unless asked for it.
  await expectNothingFound(page, { rules: { 'target-size': { enabled: true } } });
}

const WIDTHS_PX = [1280, 375];
const THEMES = ['dark', 'light'] as const;
const COMBINATIONS = WIDTHS_PX.flatMap((width) => THEMES.map((theme) => ({ width, theme })));

const LOOKS_MAX = 3;

let judged = { story: '', calls: 0 };

/**
 * The same in both themes, on a desk and on a phone, in `npm run test:all`; in `npm test` in one combination of them, the next one for each
 * call of a story. Fails, too, where a phone scrolls sideways. What is open stays open, and the page ends as wide and dark as it is at first.
 */
export async function expectAccessibleEverywhere(page: Page): Promise<void> {
  const viewport = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const { width, theme } of isLongRun ? COMBINATIONS : nextCombination()) {
    await page.setViewportSize({ ...viewport, width });
    await setTheme(page, theme);
    // In the long run, the light theme has other colours, and nothing else.
    if (theme === 'light' && isLongRun)
      await expectNothingFound(page, {
        runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
      });
    else await expectAccessible(page);
    await setTheme(page, 'dark');
  }
  for (const width of [375, 320]) {
    await page.setViewportSize({ ...viewport, width });
    // Charts take their new width a moment later.
    const readOverflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect
      .poll(readOverflow, `${page.url()} scrolls sideways at ${width} pixels`)
      .toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(viewport);
}

/** Returns the combination for this call: the same one in every run, whichever stories the worker has run before. */
function nextCombination() {
  const { title, testId, retry } = test.info();
  const story = `${testId} ${retry}`;
  judged = { story, calls: judged.story === story ? judged.calls + 1 : 0 };
  const index = (title.length + judged.calls) % COMBINATIONS.length;
  return COMBINATIONS.slice(index, index + 1);
}

type AxeOptions = Parameters<AxeBuilder['options']>[0];

async function expectNothingFound(page: Page, options: AxeOptions): Promise<void> {
  // A toast in the middle of its fade has less contrast than it is read with: without motion it is there at once.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  // A target that a sticky bar half covers would count as too small, so the page is scrolled to its top.
  await page.evaluate(() => window.scrollTo(0, 0));
  // The other mode, which frames of other origins would need, opens a second page each time.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  // Otherwise axe describes every element that passes a rule as well, which takes a quarter of its time.
  axe.options({ ...options, resultTypes: ['violations'] });
  const look = async () => {
    const { violations } = await axe.analyze();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  };
  let found = await look();
  // A screen that was still changing is another one at the next look.
  for (let looks = 1; found.length > 0 && looks < LOOKS_MAX; looks += 1) found = await look();
  expect(found, `${page.url()} at ${page.viewportSize()?.width} pixels`).toEqual([]);
}

async function setTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  const [before, after] = await page.evaluate((name) => {
    const running = document.getAnimations().length;
    document.documentElement.dataset['theme'] = name;
    return [running, document.getAnimations().length];
  }, theme);
  // Without motion all colours change at once.
  expect(after).toBeLessThanOrEqual(before ?? 0);
}
