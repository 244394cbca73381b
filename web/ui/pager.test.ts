import { expect, test } from 'vitest';
import { PAGE_ROWS, paginate, findPageIndex } from './pager.tsx';

const rows = Array.from({ length: 2 * PAGE_ROWS + 1 }, (_, index) => index);

test('every row is on exactly one page', () => {
  const pages = [0, 1, 2].map((page) => paginate(rows, page));
  expect(pages.flatMap((page) => page.rows)).toEqual(rows);
  expect(pages.at(-1)).toMatchObject({ first: rows.length, last: rows.length, pageCount: 3 });
});

test('the last page replaces one that is gone', () => {
  expect(paginate(rows, 9).page).toBe(2);
  expect(paginate([], 3)).toEqual({ rows: [], page: 0, pageCount: 1, first: 0, last: 0 });
});

test('a row is found on its page', () => {
  for (const index of [0, PAGE_ROWS - 1, PAGE_ROWS, rows.length - 1]) {
    expect(paginate(rows, findPageIndex(index)).rows).toContain(index);
  }
});
