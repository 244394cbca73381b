import { expect } from '@playwright/test';
import { addCar, openAs, shareServer, uploadLaps } from './driver.ts';
import {
  connectBluetooth,
  driveWaterford,
  holdToEnd,
  openPreparedPhone,
  shareLive,
  start,
  toChunks,
  UART_TX,
  WATERFORD,
} from './drive-steps.ts';
import { notify } from './simulated-devices.ts';
import { test } from './test.ts';

// A drive that others watch.

const pitboard = shareServer();

test('live sharing is off, is switched on for one drive, and ends with it', async ({ browser }) => {
  const { url } = pitboard();
  const page = await openPreparedPhone(browser, pitboard(), { name: 'Theo Okafor' });
  await connectBluetooth(page);
  await notify(page, toChunks(driveWaterford(14, 1), 'racebox').slice(0, 120), () => UART_TX);
  await expect(page.getByRole('button', { name: /^Waterford Hills/ })).toBeVisible();
  const share = page.getByRole('switch', { name: 'Share live' });
  await expect(page.getByText('Off. Only you see this drive.')).toBeVisible();
  await shareLive(page);
  await expect(page.getByText(/^On, until this drive ends\. Who has the link sees/)).toBeVisible();
  const findSharing = async () => (await (await page.request.get(`${url}/api/live/sharing`)).json()).sharing;
  expect(await findSharing()).toMatchObject({ trackId: WATERFORD, visibility: 'link' });
  await start(page);
  await holdToEnd(page);
  await expect.poll(findSharing).toBeNull();
  await page.getByRole('button', { name: 'Drive again' }).tap();
  await expect(share).not.toBeChecked();
});

test(
  'those who watch see the laps of a drive, also after a reload, until its driver ends it from another device',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = pitboard();
    for (const [name, seed, topSpeedMetersPerSecond] of [
      ['Jonas Weidner', 6, 44],
      ['Priya Venkat', 5, 42],
      ['Theo Okafor', 3, 40],
    ] as const) {
      const other = await openAs(browser, url, name);
      const userCarId = await addCar(other, url, 'mazda-mx-5-nb-1-8');
      await uploadLaps(other, url, { trackId: WATERFORD, userCarId, seed, topSpeedMetersPerSecond });
      await other.context().close();
    }
    const page = await openPreparedPhone(browser, pitboard(), { name: 'Theo Okafor' });
    await connectBluetooth(page);
    // The server takes what happened in the last minutes.
    const drive = driveWaterford(15, 2, 10, Date.now() - 5 * 60_000);
    const chunks = toChunks(drive, 'racebox');
    const inSecondLap = (drive.trueLaps[1]?.startTimeMs ?? 0) + 5_000;
    const half = chunks.findIndex(({ arrivalMs }) => arrivalMs > inSecondLap);
    await notify(page, chunks.slice(0, 60), () => UART_TX);
    await expect(page.getByRole('radio', { name: /Your best/ })).toBeChecked();
    await expect(page.getByRole('radio', { name: /Priya Venkat.*Your rival/ })).toBeVisible();
    await page.getByRole('radio', { name: /Record.*Jonas Weidner/ }).check();
    await shareLive(page);
    const { code } = (await (await page.request.get(`${url}/api/live/sharing`)).json()).sharing;
    const wall = await (await browser.newContext({ locale: 'en' })).newPage();
    await wall.goto(`${url}/live/${code}`);
    const row = wall.getByRole('row', { name: /Theo Okafor/ });
    await expect(row).toContainText('MX-5');
    await start(page);
    await notify(page, chunks.slice(60, half), () => UART_TX);
    await expect(page.getByLabel('Driving')).toContainText(/(Ahead of|Behind|Level with) the record/);
    await expect(row).toContainText(/1:\d\d\.\d{3}/);

    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await connectBluetooth(page);
    await notify(page, chunks.slice(half, half + 60), () => UART_TX);
    await expect(page.getByRole('switch', { name: 'Share live' })).toBeChecked();
    await page.getByRole('button', { name: 'Continue' }).tap();
    await expect(page.getByRole('button', { name: 'Hold to end' })).toBeVisible();
    const seenAt = async () => {
      const state = await (await page.request.get(`${url}/api/live/${code}`)).json();
      return state.drivers[0]?.seenAt;
    };
    const before = await seenAt();
    await notify(page, chunks.slice(half + 60), () => UART_TX);
    await expect.poll(seenAt).toBeGreaterThan(before);

    const elsewhere = await openAs(browser, url, 'Theo Okafor');
    await elsewhere.goto(`${url}/live/${code}`);
    await elsewhere.getByRole('button', { name: 'Stop Sharing' }).click();
    await expect(wall.getByText('This live session has ended.')).toBeVisible();
    await holdToEnd(page);
  },
);
