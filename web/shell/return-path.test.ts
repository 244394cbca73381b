import { expect, test } from 'vitest';
import { loginPath, safeReturnPath } from './return-path.ts';

test('the path of the login page holds where to return to, query included', () => {
  expect(loginPath('/upload')).toBe('/login?returnTo=%2Fupload');
  expect(loginPath('/track/spa', 'make=BMW&tire=rcomp')).toBe(
    '/login?returnTo=%2Ftrack%2Fspa%3Fmake%3DBMW%26tire%3Drcomp',
  );
  expect(loginPath('/')).toBe('/login');
});

test('on the login page itself the return path stays what it was', () => {
  expect(loginPath('/login', 'returnTo=%2Fupload')).toBe('/login?returnTo=%2Fupload');
});

test('a path on this site is a return path', () => {
  expect(safeReturnPath('/profile/edit?tab=garage#cars')).toBe('/profile/edit?tab=garage#cars');
});

test('anything that could lead to another site leads home instead', () => {
  for (const hostile of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    'javascript:alert(1)',
    'profile',
    '',
    null,
    undefined,
  ]) {
    expect(safeReturnPath(hostile)).toBe('/');
  }
});

test('the login page is no return path', () => {
  expect(safeReturnPath('/login?returnTo=/login')).toBe('/');
});
