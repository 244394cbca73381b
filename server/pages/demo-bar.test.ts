import { expect, test } from 'vitest';
import { drawDemoBar } from './demo-bar.ts';

const PAGE = '<body><div id="root">Boards</div></body>';

test('the bar stands below the page and tells how far the preparation is', () => {
  const html = drawDemoBar(PAGE, { state: 'preparing', driversDone: 34, drivers: 60 });
  expect(html).toMatch(
    /Boards<\/div><aside id="demo-bar".*Preparing the demo community… 34 of 60 drivers<\/p><\/aside><\/body>$/,
  );
});

test('without a demo, or without a database to ask, the page stays as it is', () => {
  expect(drawDemoBar(PAGE, { state: 'none', driversDone: 0, drivers: 0 })).toBe(PAGE);
  expect(drawDemoBar(PAGE, null)).toBe(PAGE);
});
