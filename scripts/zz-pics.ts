import { chromium } from '@playwright/test';
import { AxeBuilder } from '@axe-core/playwright';
import { signIn } from '../tests/e2e/sign-in.ts';
const [only] = process.argv.slice(2);
const url = 'http://localhost:4160';
const PAGES: Record<string, string> = {
  overview: '/club',
  people: '/club/people',
  moderation: '/club/moderation',
  tracks: '/admin/import-tracks',
  proposals: '/admin/import-tracks?tab=proposals',
  cars: '/admin/apex-import',
  operations: '/club/operations',
  'op-mail': '/club/operations?open=mail',
  'op-backups': '/club/operations?open=backups',
  'op-webhooks': '/club/operations?open=webhooks',
  'op-club': '/club/operations?open=club',
  'op-server': '/club/operations?open=server',
  audit: '/club/audit',
  'edit-profile': '/profile/edit',
  'edit-notices': '/profile/edit/notices',
  'edit-signin': '/profile/edit/sign-in',
  'edit-tokens': '/profile/edit/tokens',
  'edit-data': '/profile/edit/data',
};
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const width of [1280, 390])
  for (const theme of ['dark', 'light']) {
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width, height: width > 600 ? 800 : 844 },
      hasTouch: width < 600,
      isMobile: width < 600,
    });
    await context.addInitScript((value) => localStorage.setItem('theme', value), theme);
    await context.addInitScript(() => {
      (window as any).cls = 0;
      new PerformanceObserver((l) => {
        for (const e of l.getEntries() as any)
          if (!e.hadRecentInput) {
            (window as any).cls += e.value;
            (window as any).src = ((window as any).src ?? []).concat(
              e.sources.map((s: any) => s.node?.className + ' ' + s.node?.nodeName),
            );
          }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const page = await context.newPage();
    page.on('console', (m) => {
      if (m.type() === 'error') console.log('console', page.url(), m.text().slice(0, 300));
    });
    await signIn(page, url, 'Mara Lindqvist');
    for (const [name, path] of Object.entries(PAGES)) {
      if (only && !only.split(',').includes(name)) continue;
      await page.goto(url + path);
      await page.waitForLoadState('load');
      await page.waitForTimeout(1800);
      const cls = await page.evaluate(() => [(window as any).cls, (window as any).src]);
      await page.screenshot({
        path: `/tmp/clubpics/${name}-${width}-${theme}.png`,
        fullPage: !path.includes('open='),
      });
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      const axe = await new AxeBuilder({ page })
        .setLegacyMode()
        .options({ rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] })
        .analyze();
      console.log(
        name,
        width,
        theme,
        'cls',
        cls[0],
        cls[0] ? JSON.stringify(cls[1]) : '',
        over > 0 ? `SIDEWAYS ${over}` : '',
        axe.violations
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
          .join('\n'),
      );
    }
    await context.close();
  }
await browser.close();
