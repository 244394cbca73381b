import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UnloadGuard } from './use-unsaved-changes-guard.ts';

beforeEach(() => vi.stubGlobal('window', new EventTarget()));
afterEach(() => vi.unstubAllGlobals());

const asksBeforeUnload = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('the browser asks as long as one of two forms has changes', () => {
  const [profile, notices] = [new UnloadGuard(), new UnloadGuard()];
  expect(asksBeforeUnload()).toBe(false);
  profile.set(true);
  notices.set(true);
  notices.set(false);
  expect(asksBeforeUnload()).toBe(true);
  profile.set(false);
  expect(asksBeforeUnload()).toBe(false);
});
