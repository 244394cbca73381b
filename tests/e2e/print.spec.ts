import { expect } from '@playwright/test';
import { serveLongBoard } from './long-board.ts';
import { HARBOUR } from './stand-in-world.ts';
import { test } from './test.ts';

// A board on paper, which a club can hang up.

const RECORD_COUNT = 450;

test('Print loads the first 300 places of a long board before it prints', async ({ page, standIn }) => {
  await serveLongBoard(page, RECORD_COUNT);
  await page.addInitScript(() => {
    window.print = () => {
      document.body.dataset['printedRows'] = String(document.querySelectorAll('tbody tr').length);
    };
  });
  await page.goto(`${standIn.url}/track/${HARBOUR}`);
  await page.getByRole('button', { name: 'Print' }).click();
  await expect(page.locator('body')).toHaveAttribute('data-printed-rows', '300');
});

test(
  'paper has the board, the filters and the day, and nothing to click',
  { tag: '@all' },
  async ({ page, standIn }) => {
    await serveLongBoard(page, RECORD_COUNT);
    await page.goto(`${standIn.url}/track/${HARBOUR}?timePeriod=1-year&drivetrain=RWD`);
    const table = page.getByRole('table');
    await expect(table.getByRole('row')).not.toHaveCount(0);
    const facts = page.getByText('Last Year · Drivetrain: RWD · the first 100 places');
    await expect(facts).toBeHidden();

    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1000 }); // A4 between its margins
    await expect(facts).toBeVisible();
    const { host } = new URL(standIn.url);
    await expect(page.getByText(`from ${host}/track/${HARBOUR}`)).toContainText(/^Printed \d\d\/\d\d\/\d\d /);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Harbour Loop');
    await expect(table.getByRole('columnheader')).toHaveText([
      'Pos',
      'Driver',
      'Car',
      'Tires',
      'Lap Time',
      'Date',
    ]);
    await expect(page.getByRole('button')).toHaveCount(0);
    await expect(page.getByRole('combobox')).toHaveCount(0);
    await expect(page.getByRole('navigation')).toHaveCount(0);
    // A head is repeated on every sheet only where it is one for the browser too.
    await expect(table.locator('thead')).toHaveCSS('display', 'table-header-group');
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
  },
);
