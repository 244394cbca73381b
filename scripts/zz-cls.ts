import { chromium } from '@playwright/test';
import { signIn } from '/work/wt/club/tests/e2e/sign-in.ts';
const url = process.argv[2] ?? 'http://localhost:4160';
const paths = process.argv.slice(3);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
await context.addInitScript(() => {
  (window as any).cls = [];
  new PerformanceObserver((l) => {
    for (const e of l.getEntries() as any)
      (window as any).cls.push([
        Math.round(e.startTime),
        e.value.toFixed(4),
        ...e.sources.map((s: any) =>
          [
            s.node?.nodeName,
            s.node?.className,
            s.previousRect.x,
            s.previousRect.y,
            s.previousRect.width,
            s.previousRect.height,
            '->',
            s.currentRect.x,
            s.currentRect.y,
            s.currentRect.width,
            s.currentRect.height,
          ].join(' '),
        ),
      ]);
  }).observe({ type: 'layout-shift', buffered: true });
});
const page = await context.newPage();
await signIn(page, url, 'Mara Lindqvist');
for (const path of paths) {
  await page.goto(url + path);
  await page.waitForTimeout(2500);
  console.log(path, JSON.stringify(await page.evaluate(() => (window as any).cls), null, 1));
}
await browser.close();
