import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepScreenOn } from './wake-lock.ts';

class FakeDocument extends EventTarget {
  visibilityState = 'visible';

  show(state: 'visible' | 'hidden'): void {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

let page: FakeDocument;
let request: () => Promise<{ release: () => Promise<void> }>;
let asked: number;
let held: number;

beforeEach(() => {
  page = new FakeDocument();
  [asked, held] = [0, 0];
  request = () => {
    held += 1;
    return Promise.resolve({
      release: () => {
        held -= 1;
        return Promise.resolve();
      },
    });
  };
  vi.stubGlobal('document', page);
  vi.stubGlobal('navigator', {
    wakeLock: {
      request: () => {
        asked += 1;
        return request();
      },
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

test('the screen is kept on, again whenever the page is seen again, until the drive ends', async () => {
  const letGo = keepScreenOn();
  await settle();
  expect([asked, held]).toEqual([1, 1]);
  // The browser lets go of the lock of a page that is hidden.
  page.show('hidden');
  held = 0;
  await settle();
  expect(asked).toBe(1);
  page.show('visible');
  await settle();
  expect([asked, held]).toEqual([2, 1]);
  letGo();
  page.show('visible');
  await settle();
  expect([asked, held]).toEqual([2, 0]);
});

test('a lock that comes after the end of the drive is let go', async () => {
  keepScreenOn()();
  await settle();
  expect([asked, held]).toEqual([1, 0]);
});

test('a phone that refuses is asked again when the page is seen again', async () => {
  const allow = request;
  request = () => Promise.reject(new DOMException('The battery is low.', 'NotAllowedError'));
  const letGo = keepScreenOn();
  await settle();
  expect(held).toBe(0);
  request = allow;
  page.show('visible');
  await settle();
  expect(held).toBe(1);
  letGo();
});

test('a browser without wake locks records all the same', async () => {
  vi.stubGlobal('navigator', {});
  keepScreenOn()();
  await settle();
  expect(asked).toBe(0);
});
