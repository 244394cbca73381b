import type { Page } from '@playwright/test';

export type LayoutShift = {
  /** Says how much of the window has moved, and how far: web.dev/articles/cls. */
  value: number;
  /** Describes what has moved. */
  moved: string[];
};

/** Lists what has moved on the page since it was opened, without the reader's doing. */
export async function listLayoutShifts(page: Page): Promise<LayoutShift[]> {
  return await page.evaluate(
    () =>
      new Promise<LayoutShift[]>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          const shifts = list.getEntries().map((entry) => ({
            value: 'value' in entry ? Number(entry.value) : 0,
            moved: (entry.sources ?? []).map(({ node }) => `${node?.nodeName}: ${node?.textContent}`),
          }));
          resolve(shifts);
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        // Nothing is reported where nothing has moved.
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve([]), 500)));
      }),
  );
}
