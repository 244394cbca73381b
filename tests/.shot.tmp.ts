import { chromium } from '@playwright/test';
import { findBrowser } from '/work/wt/page/scripts/find-browser.mjs';
const base = 'http://localhost:4861';
const T = 'weathertech-raceway-laguna-seca-full';
const rows: any[] = await (await fetch(`${base}/api/laps/track/${T}/best?limit=20`)).json();
const [a, b] = [rows[3], rows[4]];
const { executablePath, args, env } = await findBrowser();
const browser = await chromium.launch({ executablePath, args, env: { ...process.env, ...env } as any });
const errors: string[] = [];
async function shot(name: string, url: string, opts: any) {
  const ctx = await browser.newContext(opts);
  const page = await ctx.newPage();
  page.on('console', (m) => m.type() === 'error' && errors.push(name + ' ' + m.text()));
  page.on('pageerror', (e) => errors.push(name + ' ' + e.message));
  await page.goto(base + url);
  await page.locator('#root[data-ready]').waitFor();
  await page.waitForTimeout(900);
  const sec = page.locator('section[aria-label="Lap"]');
  if (opts.viewport.width < 500) await page.screenshot({ path: `/tmp/page-shots/${name}-fold.png` });
  await sec.screenshot({ path: `/tmp/page-shots/${name}.png` });
  console.log(
    name,
    await page.title(),
    await page.evaluate(() => document.documentElement.scrollWidth + '/' + innerWidth),
  );
  await ctx.close();
}
const desk = { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' };
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  colorScheme: 'dark',
  deviceScaleFactor: 2,
};
const only = process.argv[2] ?? '';
const jobs: [string, string, any][] = [
  ['cmp-desk', `/track/${T}?lap=${a.lapId}&vs=${b.lapId}`, desk],
  ['cmp-phone', `/track/${T}?lap=${a.lapId}&vs=${b.lapId}`, phone],
  ['one-desk', `/track/${T}?lap=${b.lapId}`, desk],
  ['one-phone', `/track/${T}?lap=${b.lapId}`, phone],
  ['cmp-light', `/track/${T}?lap=${a.lapId}&vs=${b.lapId}`, { ...desk, colorScheme: 'light' }],
  ['rec-desk', `/track/${T}?lap=${rows[0].lapId}`, desk],
  ['four-desk', `/track/${T}?lap=${a.lapId}&vs=${b.lapId},${rows[5].lapId},${rows[6].lapId}`, desk],
  [
    'cmp-320',
    `/track/${T}?lap=${a.lapId}&vs=${b.lapId}`,
    { ...phone, viewport: { width: 320, height: 700 } },
  ],
];
for (const [n, u, o] of jobs) if (n.startsWith(only)) await shot(n, u, o);
console.log(errors.join('\n'));
await browser.close();
