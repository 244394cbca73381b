import { expect, type Browser, type Locator, type Page } from '@playwright/test';
import type { Pitboard } from '../pitboard.ts';
import { signInByCalls } from './sign-in.ts';

type TestFile = string | { name: string; mimeType: string; buffer: Buffer };

/** A driver with a phone. Every tap is counted, also those that put the cursor into a field, and every field that is typed into. */
export class CountedDriver {
  taps = 0;
  typedFields = 0;

  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async tap(target: Locator): Promise<void> {
    this.taps += 1;
    await target.tap();
  }

  async type(field: Locator, text: string): Promise<void> {
    await this.tap(field);
    this.typedFields += 1;
    await field.pressSequentially(text);
  }

  /** Taps what opens the phone's own picker of files, and takes one. */
  async chooseFile(target: Locator, file: TestFile): Promise<void> {
    const opening = this.page.waitForEvent('filechooser');
    await this.tap(target);
    await (await opening).setFiles(file);
  }

  /** Expects that no more was asked of the driver. */
  expectAtMost({ taps, typedFields }: { taps: number; typedFields: number }): void {
    expect(this.taps, 'taps').toBeLessThanOrEqual(taps);
    expect(this.typedFields, 'typed fields').toBeLessThanOrEqual(typedFields);
  }
}

/** Signs a driver in on a phone of 390 by 844 pixels with touch. */
export async function openOnPhone(browser: Browser, { url }: Pitboard, name: string): Promise<CountedDriver> {
  const viewport = { width: 390, height: 844 };
  const context = await browser.newContext({ viewport, hasTouch: true, isMobile: true, locale: 'en' });
  await signInByCalls(context.request, url, name);
  return new CountedDriver(await context.newPage());
}
