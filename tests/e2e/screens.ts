import type { Page } from '@playwright/test';

/** A size of the window and a theme that a story runs on. */
export type Screen = { width: number; height: number; theme: 'dark' | 'light' };

/** A desk and a phone, in both themes, each with the name and tag of its tests: `npm test` runs the first, `npm run test:all` every one. */
export const SCREENS = [
  { width: 1280, height: 800, theme: 'dark' as const },
  { width: 390, height: 844, theme: 'dark' as const },
  { width: 1280, height: 800, theme: 'light' as const },
  { width: 390, height: 844, theme: 'light' as const },
].map((screen, index) => ({
  screen,
  name: `${screen.width} px, ${screen.theme}`,
  tag: index === 0 ? '@matrix' : '@all',
}));

/** Shows a page on such a screen; call it before the page is opened. */
export async function useScreen(page: Page, { width, height, theme }: Screen): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme);
}
