import process from 'node:process';
import { expect, type Page } from '@playwright/test';
import { shareServer } from './driver.ts';
import {
  toChunks,
  connectBluetooth,
  countBytes,
  driveWaterford,
  holdToEnd,
  openPhone,
  openPhoneWithDisk,
  openPreparedPhone,
  prepareAtHome,
  readRecordings,
  start,
  UART_TX,
} from './drive-steps.ts';
import { notify, setReachable } from './simulated-devices.ts';
import { test } from './test.ts';

// Nothing of a drive is lost but its last second, whatever ends it.

const pitboard = shareServer();

const CHUNKS = toChunks(driveWaterford(11, 2), 'racebox');
/** Starts a drive and sends its first minute, until all of it is written. Gives what was sent. */
async function driveAMinute(page: Page): Promise<number> {
  await connectBluetooth(page);
  await notify(page, CHUNKS.slice(0, 60), () => UART_TX);
  await expect(page.getByText('Ready, 3D fix')).toBeVisible();
  await start(page);
  const sent = CHUNKS.slice(60, LAST_SECOND.from);
  await notify(page, sent, () => UART_TX);
  const sentBytes = countBytes(sent);
  await expectWritten(page, sentBytes);
  return sentBytes;
}

/** The chunks of one second, at whose end the page is killed. */
const LAST_SECOND = findSecond(60);

function findSecond(afterSeconds: number): { from: number; to: number } {
  const startMs = CHUNKS[0]?.arrivalMs ?? 0;
  const find = (seconds: number) =>
    CHUNKS.findIndex(({ arrivalMs }) => arrivalMs - startMs >= 1000 * seconds);
  return { from: find(afterSeconds), to: find(afterSeconds + 1) };
}

async function sendLastSecond(page: Page): Promise<void> {
  await notify(page, CHUNKS.slice(LAST_SECOND.from, LAST_SECOND.to), () => UART_TX);
}

async function expectWritten(page: Page, sentBytes: number): Promise<void> {
  await expect(async () => {
    const [recording] = await readRecordings(page);
    expect(recording?.bytes.length).toBeGreaterThanOrEqual(sentBytes);
  }).toPass();
}

test(
  'a tab that is closed loses at most a second, and the recording is offered and finished',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = pitboard();
    const page = await openPreparedPhone(browser, pitboard());
    const sentBytes = await driveAMinute(page);
    await sendLastSecond(page);
    await page.close({ runBeforeUnload: false });
    const next = await page.context().newPage();
    await next.goto(`${url}/drive`);
    await expectWritten(next, sentBytes);
    await expect(next.getByRole('heading', { name: /^Recording of \d\d:\d\d, / })).toBeVisible();
    await next.getByRole('button', { name: 'Finish' }).tap();
    await expect(next.getByText(/Waits for its upload/)).toBeVisible();
  },
);

test(
  'a recording whose file the browser no longer has is said to be missing',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openPreparedPhone(browser, pitboard());
    await driveAMinute(page);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.evaluate(async () => {
      const root = await navigator.storage.getDirectory();
      await root.removeEntry('drive-recordings', { recursive: true });
    });
    const missing = page.getByText('This browser cannot read the file of this recording.');
    await page.getByRole('button', { name: 'Finish' }).tap();
    await expect(missing).toBeVisible();
  },
);

test(
  'a page that is reloaded goes on with its recording, its laps and a marked hole',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openPreparedPhone(browser, pitboard());
    const sentBytes = await driveAMinute(page);
    page.on('dialog', (dialog) => void dialog.accept());
    await sendLastSecond(page);
    await page.reload();
    await expectWritten(page, sentBytes);
    await connectBluetooth(page);
    const rest = CHUNKS.slice(LAST_SECOND.to);
    await notify(page, rest.slice(0, 60), () => UART_TX);
    await expect(page.getByText('Ready, 3D fix')).toBeVisible();
    // A double tap.
    await page.getByRole('button', { name: 'Continue' }).evaluate((button) => {
      for (let tap = 0; tap < 2; tap += 1) button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    });
    await expect(page.getByRole('button', { name: 'Hold to end' })).toBeVisible();
    await notify(page, rest.slice(60), () => UART_TX);
    await holdToEnd(page);
    await expect(page.getByRole('table')).toBeVisible();
    // The page shows the laps while it still writes the end of the file.
    await expect(async () => {
      const [recording] = await readRecordings(page);
      expect(recording).toMatchObject({ isEnded: true, holes: 1 });
    }).toPass();
  },
);

test('a page that crashes loses at most a second', { tag: '@all' }, async ({ browser }) => {
  const { url } = pitboard();
  const page = await openPreparedPhone(browser, pitboard());
  const sentBytes = await driveAMinute(page);
  const next = await page.context().newPage();
  await sendLastSecond(page);
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
  await next.goto(`${url}/drive`);
  await expectWritten(next, sentBytes);
  await expect(next.getByRole('heading', { name: /^Recording of / })).toBeVisible();
});

test(
  'a battery that is empty loses at most a second',
  { tag: '@all' },
  async ({ playwright, launchOptions }, testInfo) => {
    const folder = testInfo.outputPath('browser');
    const page = await openPhoneWithDisk({ playwright, launchOptions }, folder);
    await prepareAtHome(page, pitboard().url);
    const sentBytes = await driveAMinute(page);
    await sendLastSecond(page);
    await killBrowser(page);
    const next = await openPhoneWithDisk({ playwright, launchOptions }, folder);
    await next.goto(`${pitboard().url}/drive`);
    await expectWritten(next, sentBytes);
    await next.getByRole('button', { name: 'Finish' }).tap();
    await expect(next.getByText(/Waits for its upload/)).toBeVisible();
    await next.context().close();
  },
);

/** Ends the browser and all of its processes at once, without a chance to write anything. */
async function killBrowser(page: Page): Promise<void> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The browser has no processes of its own.');
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const closed = page.context().waitForEvent('close');
  for (const { id, type } of processInfo) if (type === 'browser') process.kill(id, 'SIGKILL');
  await closed;
}

test(
  'a phone that is full stops with a clear word, and keeps what was written',
  { tag: '@all' },
  async ({ playwright, launchOptions }, testInfo) => {
    const { url } = pitboard();
    const page = await openPhoneWithDisk({ playwright, launchOptions }, testInfo.outputPath('browser'));
    await prepareAtHome(page, url);
    await connectBluetooth(page);
    await notify(page, CHUNKS.slice(0, 60), () => UART_TX);
    await start(page);
    await notify(page, CHUNKS.slice(60, 400), () => UART_TX);
    await expectWritten(page, countBytes(CHUNKS.slice(60, 400)));
    const session = await page.context().newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: url, quotaSize: 1 });
    // The browser has handed out a megabyte in advance: the disk is full after some more rounds.
    const stopped = page.getByText('Stopped: this phone is full');
    for (let round = 0; round < 20 && !(await stopped.isVisible()); round += 1)
      await notify(page, CHUNKS.slice(400), () => UART_TX);
    await expect(stopped).toBeVisible();
    await holdToEnd(page);
    await expect(page.getByRole('alert')).toContainText('Everything up to then is kept.');
    await expectWritten(page, countBytes(CHUNKS.slice(60, 400)));
    await page.context().close();
  },
);

test(
  'a receiver that is lost is found again, the hole is marked, and no gap is shown before the next line',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openPreparedPhone(browser, pitboard());
    await driveAMinute(page);
    await setReachable(page, false);
    await expect(page.getByText(/^Receiver lost \d+ s$/)).toBeVisible();
    await expect(page.getByLabel('Driving').getByText('—', { exact: true }).first()).toBeVisible();
    await setReachable(page, true);
    await expect(async () => {
      await notify(page, CHUNKS.slice(LAST_SECOND.to, LAST_SECOND.to + 40), () => UART_TX);
      await expect(page.getByText(/^Recording, /)).toBeVisible({ timeout: 500 });
    }).toPass();
    await holdToEnd(page);
    await expect(async () => {
      const [recording] = await readRecordings(page);
      expect(recording).toMatchObject({ isEnded: true, holes: 1 });
    }).toPass();
  },
);

test(
  'a browser that refuses to store, as in a private window, says so before a drive',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openPhone(browser, pitboard(), {});
    await page.addInitScript(() => {
      StorageManager.prototype.getDirectory = () => Promise.reject(new DOMException('No.', 'SecurityError'));
    });
    await page.goto(`${pitboard().url}/drive`);
    const sentence = page.getByText('This browser cannot store a recording safely.');
    await expect(sentence).toHaveCount(1);
    await connectBluetooth(page);
    await page.getByRole('button', { name: 'Start', exact: true }).tap({ force: true });
    await expect(sentence).toHaveCount(2);
    await expect(page.getByRole('button', { name: 'Hold to end' })).toHaveCount(0);
  },
);

/** Takes the files of recordings from this page, and from those after it. */
function hideFiles(): void {
  FileSystemFileHandle.prototype.getFile = () => Promise.reject(new DOMException('No.', 'NotReadableError'));
}

test(
  'a drive whose file cannot be read is said to have none, as is a recording in the list',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openPhone(browser, pitboard(), {});
    await page.goto(`${pitboard().url}/drive`);
    await connectBluetooth(page);
    await start(page);
    await notify(page, CHUNKS.slice(0, 60), () => UART_TX);
    await page.addInitScript(hideFiles);
    await page.evaluate(hideFiles);
    await holdToEnd(page);
    await expect(page.getByText('This browser cannot read the file of this drive.')).toBeVisible();
    await expect(page.getByText('Kept on this device')).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Save the file' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Drive again' }).tap();
    const sentence = page.getByText('This browser cannot read the file of this recording.');
    for (const name of ['Upload', 'Save']) {
      await page.getByRole('button', { name, exact: true }).tap();
      await expect(sentence).toBeVisible();
      await page.reload();
      await expect(sentence).toHaveCount(0);
    }
    await page.getByRole('button', { name: 'Remove', exact: true }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).tap();
    await expect(page.locator(':focus')).toContainText('Tracks taken along');
  },
);

test(
  'a drive that starts before the phone has a position is recorded from its first fix on',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openPhone(browser, pitboard(), {});
    await page.context().grantPermissions(['geolocation']);
    await page.context().setGeolocation(null);
    await page.goto(`${pitboard().url}/drive`);
    await page.getByRole('button', { name: 'Use this phone' }).tap();
    await expect(page.getByRole('region', { name: 'Receiver' })).toContainText(
      'No position. Switch the location of this device on',
    );
    await start(page);
    await expect(page.getByText(/^Receiver lost \d+ s$/)).toBeVisible();
    await page.context().setGeolocation({ latitude: 42.8, longitude: -83.4, accuracy: 5 });
    await expect(page.getByText('Recording, ±5.0 m')).toBeVisible();
    await holdToEnd(page);
    await expect(async () => {
      const [recording] = await readRecordings(page);
      expect(recording?.isEnded).toBe(true);
      expect(recording?.bytes.length).toBeGreaterThan(0);
    }).toPass();
  },
);

test('a network that is lost changes nothing', { tag: '@all' }, async ({ browser }) => {
  const page = await openPreparedPhone(browser, pitboard());
  const sentBytes = await driveAMinute(page);
  await page.context().setOffline(true);
  await notify(page, CHUNKS.slice(LAST_SECOND.from, LAST_SECOND.to), () => UART_TX);
  await expect(page.getByText(/^Recording, /)).toBeVisible();
  await holdToEnd(page);
  const allBytes = sentBytes + countBytes(CHUNKS.slice(LAST_SECOND.from, LAST_SECOND.to));
  await expect(async () => {
    const [recording] = await readRecordings(page);
    expect(recording?.isEnded).toBe(true);
    expect(recording?.bytes.length).toBe(allBytes);
  }).toPass();
  await page.context().setOffline(false);
});
