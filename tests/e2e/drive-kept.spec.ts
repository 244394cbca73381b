import { expect, type Page } from '@playwright/test';
import { shareServer } from './driver.ts';
import {
  chunksOf,
  connectBluetooth,
  countBytes,
  driveWaterford,
  holdToEnd,
  openPhone,
  prepareAtHome,
  readRecordings,
  start,
  UART_TX,
} from './drive-steps.ts';
import { notify, setReachable } from './simulated-devices.ts';
import { test } from './test.ts';

// Nothing of a drive is lost but its last second, whatever ends it.

const pitboard = shareServer();

const CHUNKS = chunksOf(driveWaterford(11, 2), 'racebox');
/** A receiver of 25 Hz sends this many bytes a second. */
const SECOND_BYTES = 25 * 88;

/** Starts a drive and sends its first minute. */
async function driveAMinute(page: Page): Promise<number> {
  await connectBluetooth(page);
  await notify(page, CHUNKS.slice(0, 60), () => UART_TX);
  await expect(page.getByText('Ready, 3D fix')).toBeVisible();
  await start(page);
  const sent = CHUNKS.slice(60, 2_000);
  await notify(page, sent, () => UART_TX);
  return countBytes(sent);
}

async function expectAtMostASecondLost(page: Page, sentBytes: number): Promise<void> {
  const [recording] = await readRecordings(page);
  expect(recording?.bytes.length).toBeGreaterThan(sentBytes - SECOND_BYTES);
}

test('a tab that is closed loses at most a second, and the recording is offered and finished', async ({
  browser,
}) => {
  const { url } = pitboard();
  const page = await openPhone(browser, pitboard(), {});
  await prepareAtHome(page, url);
  const sentBytes = await driveAMinute(page);
  await page.close({ runBeforeUnload: false });
  const next = await page.context().newPage();
  await next.goto(`${url}/drive`);
  await expectAtMostASecondLost(next, sentBytes);
  await expect(next.getByRole('heading', { name: /^Recording of \d\d:\d\d, / })).toBeVisible();
  await next.getByRole('button', { name: 'Finish' }).tap();
  await expect(next.getByText(/Waits for its upload/)).toBeVisible();
});

test('a page that is reloaded goes on with its recording, its laps and a marked hole', async ({
  browser,
}) => {
  const { url } = pitboard();
  const page = await openPhone(browser, pitboard(), {});
  await prepareAtHome(page, url);
  const sentBytes = await driveAMinute(page);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await expectAtMostASecondLost(page, sentBytes);
  await connectBluetooth(page);
  const rest = CHUNKS.slice(2_000);
  await notify(page, rest.slice(0, 60), () => UART_TX);
  await expect(page.getByText('Ready, 3D fix')).toBeVisible();
  await page.getByRole('button', { name: 'Continue' }).tap();
  await expect(page.getByRole('button', { name: 'Hold to end' })).toBeVisible();
  await notify(page, rest.slice(60), () => UART_TX);
  await holdToEnd(page);
  await expect(page.getByRole('table')).toBeVisible();
  const [recording] = await readRecordings(page);
  expect(recording).toMatchObject({ isEnded: true, holes: 1 });
});

test('a page that crashes loses at most a second', async ({ browser }) => {
  const { url } = pitboard();
  const page = await openPhone(browser, pitboard(), {});
  await prepareAtHome(page, url);
  const sentBytes = await driveAMinute(page);
  const next = await page.context().newPage();
  const crashed = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
  await next.goto(`${url}/drive`);
  await expectAtMostASecondLost(next, sentBytes);
  await expect(next.getByRole('heading', { name: /^Recording of / })).toBeVisible();
});

test('a phone that is full stops with a clear word, and keeps what was written', async ({ browser }) => {
  const { url } = pitboard();
  const page = await openPhone(browser, pitboard(), {});
  await prepareAtHome(page, url);
  await connectBluetooth(page);
  await notify(page, CHUNKS.slice(0, 60), () => UART_TX);
  await start(page);
  await notify(page, CHUNKS.slice(60, 400), () => UART_TX);
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin: url, quotaSize: 1 });
  await notify(page, CHUNKS.slice(400, 4_000), () => UART_TX);
  await expect(page.getByText('Stopped: this phone is full')).toBeVisible();
  await session.send('Storage.overrideQuotaForOrigin', { origin: url });
  await holdToEnd(page);
  await expect(page.getByRole('alert')).toContainText('Everything up to then is kept.');
  await expectAtMostASecondLost(page, countBytes(CHUNKS.slice(60, 400)));
});

test('a receiver that is lost is found again, the hole is marked, and no gap is shown before the next line', async ({
  browser,
}) => {
  const { url } = pitboard();
  const page = await openPhone(browser, pitboard(), {});
  await prepareAtHome(page, url);
  await driveAMinute(page);
  await setReachable(page, false);
  await expect(page.getByText(/^Receiver lost \d+ s$/)).toBeVisible();
  await expect(page.getByLabel('Driving').getByText('—', { exact: true }).first()).toBeVisible();
  await setReachable(page, true);
  await expect(async () => {
    await notify(page, CHUNKS.slice(2_100, 2_140), () => UART_TX);
    await expect(page.getByText(/^Recording, /)).toBeVisible({ timeout: 500 });
  }).toPass();
  await holdToEnd(page);
  const [recording] = await readRecordings(page);
  expect(recording?.holes).toBe(1);
});

test('a network that is lost changes nothing', async ({ browser }) => {
  const { url } = pitboard();
  const page = await openPhone(browser, pitboard(), {});
  await prepareAtHome(page, url);
  const sentBytes = await driveAMinute(page);
  await page.context().setOffline(true);
  await notify(page, CHUNKS.slice(2_000, 2_400), () => UART_TX);
  await expect(page.getByText(/^Recording, /)).toBeVisible();
  await holdToEnd(page);
  const [recording] = await readRecordings(page);
  expect(recording?.bytes.length).toBe(sentBytes + countBytes(CHUNKS.slice(2_000, 2_400)));
  await page.context().setOffline(false);
});
