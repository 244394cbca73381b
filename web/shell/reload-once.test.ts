import { expect, test, vi } from 'vitest';
import { reloadOnce } from './reload-once.ts';

test('a server, which has no page to reload, goes on', async () => {
  vi.stubGlobal('sessionStorage', undefined);
  await expect(reloadOnce()).resolves.toBeUndefined();
  vi.unstubAllGlobals();
});
