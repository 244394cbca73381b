import { expect, type Page, type Route } from '@playwright/test';
import { RACEBOX_DOWNLOAD_REQUEST, RACEBOX_STATUS_REQUEST } from '#engine/receivers/racebox-memory.ts';
import { cutIntoNotifications, raceBoxMemory, raceBoxStatus } from '#engine/testing/fake-memory.ts';
import { addCar, shareServer, uploadLaps } from './driver.ts';
import {
  toChunks,
  connectBluetooth,
  driveWaterford,
  holdToEnd,
  openPhone,
  openPreparedPhone,
  NMEA_RECEIVER,
  prepareAtHome,
  QSTARZ,
  QSTARZ_TX,
  RACEBOX_CLONE,
  RACECHRONO_DIY,
  raceChronoCharacteristic,
  start,
  UART_TX,
  WATERFORD,
} from './drive-steps.ts';
import { expectAccessible } from './expect-accessible.ts';
import { addDevices, notify, sendSerial, setReachable, untilWritten } from './simulated-devices.ts';
import { test } from './test.ts';
import { chooseTires } from './upload-form.ts';

const pitboard = shareServer();

const RACEBOX_MINI_S = { ...RACEBOX_CLONE, name: 'RaceBox Mini S 1111111111' };

/** The live time and the server's may differ by this much. */
const AGREES_MS = 20;

test('a driver with a RaceBox clone records a drive without a network, and its best lap is on the board', async ({
  browser,
}) => {
  const { url } = pitboard();
  const page = await openPhone(browser, pitboard(), { name: 'Theo Okafor', device: RACEBOX_CLONE });
  const userCarId = await addCar(page, url, 'mazda-mx-5-nb-1-8');
  await uploadLaps(page, url, { trackId: WATERFORD, userCarId, seed: 3, topSpeedMetersPerSecond: 40 });
  await prepareAtHome(page, url);

  // In the paddock there is no network.
  await page.context().setOffline(true);
  await page.goto(`${url}/drive`);
  await connectBluetooth(page);
  const drive = driveWaterford(7, 4);
  const chunks = toChunks(drive, 'racebox');
  await notify(page, chunks.slice(0, 120), () => UART_TX);
  await expect(page.getByText('Ready, 3D fix')).toBeVisible();
  await expect(page.getByRole('button', { name: /Waterford Hills.*Found: line/ })).toBeVisible();
  await expect(page.getByRole('radio', { name: /Your best/ })).toBeChecked();
  await start(page);
  await notify(page, chunks.slice(120), () => UART_TX);
  const lastLap = page.getByLabel('Driving').getByText(/^\d:\d\d\.\d{3}$/);
  await expect(lastLap).toBeVisible();
  await expect(page.getByLabel('Driving')).toContainText(/(Ahead of|Behind|Level with) your best/);
  await holdToEnd(page);

  await expect(page.getByText('Waits for a network')).toBeVisible();
  await expect(page.getByText('Preview; the server’s times count')).toBeVisible();
  const previewMs = await readTimes(page);
  expect(previewMs).toHaveLength(drive.trueLaps.length);

  await page.context().setOffline(false);
  await expect(page.getByText('Timed by the server')).toBeVisible();
  const serverMs = await readTimes(page);
  for (const [index, { lapTimeMs }] of drive.trueLaps.entries()) {
    expect(Math.abs((serverMs[index] ?? 0) - lapTimeMs)).toBeLessThan(AGREES_MS);
    expect(Math.abs((previewMs[index] ?? 0) - (serverMs[index] ?? 0))).toBeLessThan(AGREES_MS);
  }

  await page.getByRole('link', { name: 'Add car and tires' }).tap();
  await page.getByLabel('Car', { exact: true }).selectOption({ index: 1 });
  await chooseTires(page, 'Full Slick');
  await page.getByLabel('Video Link').fill('https://video.example/drive');
  await page.getByRole('button', { name: 'Upload Lap Data' }).tap();
  await expect(page.getByRole('heading', { name: /Uploaded to Waterford Hills/ })).toBeVisible();
  const board = await page.request.get(`${url}/api/laps/track/${WATERFORD}/best`);
  const [first] = await board.json();
  expect(first).toMatchObject({ userName: 'Theo Okafor', lapTimeMs: Math.min(...serverMs) });

  await page.goto(`${url}/drive`);
  await expect(page.getByText('Waterford Hills, Uploaded')).toBeVisible();
});

test(
  'a driver with a Qstarz sees laps, and a guest keeps the file until the sign-in',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openPreparedPhone(browser, pitboard(), { device: QSTARZ });
    await connectBluetooth(page);
    await expect(page.getByRole('main').getByRole('link', { name: 'Sign In' })).toHaveAttribute(
      'href',
      '/login?returnTo=%2Fdrive',
    );
    const drive = driveWaterford(8, 2, 5);
    const chunks = toChunks(drive, 'qstarz');
    await notify(page, chunks.slice(0, 60), () => QSTARZ_TX);
    await expect(page.getByRole('button', { name: /^Waterford Hills/ })).toBeVisible();
    await start(page);
    await notify(page, chunks.slice(60), () => QSTARZ_TX);
    await holdToEnd(page);
    await expect(page.getByText('Waits for your sign-in')).toBeVisible();
    await expectTimes(page, drive.trueLaps);
    await expect(page.getByRole('link', { name: 'Sign in to upload' })).toHaveAttribute(
      'href',
      '/login?returnTo=%2Fupload',
    );
  },
);

test(
  'a network that reaches nothing is said to be missing, and the drive is timed once it reaches the server',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = pitboard();
    const page = await openPhone(browser, pitboard(), { name: 'Theo Okafor', device: RACEBOX_CLONE });
    await prepareAtHome(page, url);
    await page.context().route('**/api/**', (route) => route.abort());
    await page.goto(`${url}/drive`);
    await connectBluetooth(page);
    const chunks = toChunks(driveWaterford(11, 2), 'racebox');
    await notify(page, chunks.slice(0, 120), () => UART_TX);
    await start(page);
    await notify(page, chunks.slice(120), () => UART_TX);
    await holdToEnd(page);
    await expect(page.getByText('Waits for a network')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Sign in to upload' })).toHaveCount(0);
    await page.context().unroute('**/api/**');
    await expect(page.getByText('Timed by the server')).toBeVisible();
  },
);

test('a driver with an NMEA receiver on a serial port sees laps', { tag: '@all' }, async ({ browser }) => {
  const page = await openPreparedPhone(browser, pitboard());
  await page.getByRole('button', { name: 'Connect receiver on a serial port' }).tap();
  const drive = driveWaterford(9, 2, 10);
  const chunks = toChunks(drive, 'serial-nmea');
  await sendSerial(page, chunks.slice(0, 60));
  await expect(page.getByRole('button', { name: /^Waterford Hills/ })).toBeVisible();
  await start(page);
  await sendSerial(page, chunks.slice(60));
  await holdToEnd(page);
  await expectTimes(page, drive.trueLaps);
});

for (const { what, device, kind, characteristicOf } of [
  {
    what: 'a RaceChrono DIY device',
    device: RACECHRONO_DIY,
    kind: 'racechrono-diy' as const,
    characteristicOf: raceChronoCharacteristic,
  },
  {
    what: 'an NMEA receiver of any name',
    device: NMEA_RECEIVER,
    kind: 'serial-nmea' as const,
    characteristicOf: () => UART_TX,
  },
])
  test(`a driver with ${what} by Bluetooth sees laps`, { tag: '@all' }, async ({ browser }) => {
    const page = await openPreparedPhone(browser, pitboard(), { device });
    await connectBluetooth(page);
    const drive = driveWaterford(10, 1, 10);
    const chunks = toChunks(drive, kind);
    await notify(page, chunks.slice(0, 60), characteristicOf);
    await expect(page.getByRole('button', { name: /^Waterford Hills/ })).toBeVisible();
    await start(page);
    await notify(page, chunks.slice(60), characteristicOf);
    await holdToEnd(page);
    await expectTimes(page, drive.trueLaps);
  });

test(
  'the positions of the phone itself are recorded, with their accuracy before the start',
  { tag: '@all' },
  async ({ browser }) => {
    const { url } = pitboard();
    const page = await openPhone(browser, pitboard(), {});
    await page.context().grantPermissions(['geolocation']);
    const [line] = driveWaterford(9, 1, 1).fixes;
    if (line === undefined) throw new Error('The drive has no fix.');
    await page.context().setGeolocation({ latitude: line.lat, longitude: line.lon, accuracy: 6 });
    await prepareAtHome(page, url);
    await page.getByRole('button', { name: 'Use this phone' }).tap();
    await expect(page.getByRole('region', { name: 'Receiver' })).toContainText('±6.0');
    await expect(page.getByRole('region', { name: 'Receiver' })).toContainText(
      'lap times are good to about ±0.06 s',
    );
    await expect(page.getByRole('button', { name: /Waterford Hills.*Found/ })).toBeVisible();
    await expectAccessible(page);
    await start(page);
    await expectAccessible(page);
    await page.context().setGeolocation({ latitude: line.lat + 0.0001, longitude: line.lon, accuracy: 5 });
    await expect(page.getByText('Recording, ±5.0 m')).toBeVisible();
    await holdToEnd(page);
    await expect(page.getByText('The line was not passed twice.')).toBeVisible();
    await expectAccessible(page);
  },
);

const MEMORY = raceBoxMemory([driveWaterford(12, 1, 10), driveWaterford(13, 1, 10)]);
const MEMORY_CHUNKS = cutIntoNotifications(MEMORY, 1).map((bytes) => ({ bytes, arrivalMs: 0 }));

/** Asks a RaceBox for its memory, and lets half of it come. */
async function downloadHalf(page: Page): Promise<void> {
  await page.goto(`${pitboard().url}/drive`);
  await page.getByRole('button', { name: 'Read the memory of a receiver' }).tap();
  await untilWritten(page, RACEBOX_STATUS_REQUEST);
  await notify(page, [{ bytes: raceBoxStatus(MEMORY.length - 2), arrivalMs: 0 }], () => UART_TX);
  await page.getByRole('button', { name: 'Download RaceBox Mini S memory' }).tap();
  await untilWritten(page, RACEBOX_DOWNLOAD_REQUEST);
  await notify(page, MEMORY_CHUNKS.slice(0, MEMORY_CHUNKS.length / 2), () => UART_TX);
  await expect(page.getByRole('dialog')).toContainText(/[\d,]+ of [\d,]+/);
}

async function expectTwoLapFiles(page: Page): Promise<void> {
  await expect(page.getByText('2 lap files of the receiver')).toBeVisible();
  const kept = await page.evaluate(async () => (await (await caches.open('lap-files')).keys()).length);
  expect(kept).toBe(2);
}

test('the memory of a RaceBox is downloaded over a break, and each of its drives waits in the uploads', async ({
  browser,
}) => {
  const page = await openPhone(browser, pitboard(), { device: RACEBOX_MINI_S });
  await downloadHalf(page);
  await setReachable(page, false);
  await setReachable(page, true);
  await untilWritten(page, RACEBOX_DOWNLOAD_REQUEST, 2);
  await notify(page, MEMORY_CHUNKS, () => UART_TX);
  await expectTwoLapFiles(page);
});

test(
  'a tab that is closed during a download asks first, and the next one downloads from the beginning',
  { tag: '@all' },
  async ({ browser }) => {
    const page = await openPhone(browser, pitboard(), { device: RACEBOX_MINI_S });
    await downloadHalf(page);
    await expect(page.getByText('Keep this page open.', { exact: false })).toBeVisible();
    const asked = page.waitForEvent('dialog');
    void page.close({ runBeforeUnload: true });
    const closed = page.waitForEvent('close');
    await (await asked).accept();
    await closed;
    const next = await page.context().newPage();
    await addDevices(next, RACEBOX_MINI_S);
    await downloadHalf(next);
    await notify(next, MEMORY_CHUNKS.slice(MEMORY_CHUNKS.length / 2), () => UART_TX);
    await expectTwoLapFiles(next);
  },
);

async function expectTimes(page: Page, trueLaps: readonly { lapTimeMs: number }[]): Promise<void> {
  await expect(async () => {
    const shown = await readTimes(page);
    expect(shown).toHaveLength(trueLaps.length);
    for (const [index, { lapTimeMs }] of trueLaps.entries()) {
      expect(Math.abs((shown[index] ?? 0) - lapTimeMs)).toBeLessThan(10 * AGREES_MS);
    }
  }).toPass();
}

/** Reads the list of laps: those with a time. */
async function readTimes(page: Page): Promise<number[]> {
  const cells = page.getByRole('table').getByRole('row').locator('td:nth-child(2)');
  await expect(cells.first()).toBeVisible();
  return (await cells.allTextContents()).flatMap((text) => {
    const [, minutes, seconds] = /^(\d+):(\d\d\.\d{3})$/.exec(text) ?? [];
    return minutes === undefined ? [] : [60_000 * Number(minutes) + Math.round(1000 * Number(seconds))];
  });
}

test('a receiver that does not answer, and a position that is refused, are said in a sentence', async ({
  browser,
}) => {
  const page = await openPhone(browser, pitboard(), {});
  await page.goto(`${pitboard().url}/drive`);
  await setReachable(page, false);
  const problem = page.getByRole('region', { name: 'Receiver' }).getByRole('alert');
  await connectBluetooth(page);
  await expect(problem).toContainText('The receiver does not answer. Switch it off and on');
  await page.getByRole('button', { name: 'Connect receiver on a serial port' }).tap();
  await expect(problem).toContainText('The receiver does not answer. Pair it in the settings first');
  const session = await page.context().newCDPSession(page);
  await session.send('Browser.setPermission', { permission: { name: 'geolocation' }, setting: 'denied' });
  await page.getByRole('button', { name: 'Use this phone' }).tap();
  await expect(problem).toContainText('Your browser may not use the position.');
  await setReachable(page, true);
  await connectBluetooth(page);
  await expect(page.getByText('Connected, waiting for data…')).toBeVisible();
  await expect(problem).toHaveCount(0);
  await page.getByRole('button', { name: 'Change' }).tap();
  await page.getByRole('button', { name: 'Keep RaceBox Mini' }).tap();
  await expect(page.getByText('Connected, waiting for data…')).toBeVisible();
});

test('a track that is removed while it is fetched again stays removed', async ({ browser }) => {
  const page = await openPreparedPhone(browser, pitboard());
  const removeFirst = async (route: Route) => {
    await page.getByRole('button', { name: 'Remove Waterford Hills' }).tap();
    await expect(page.getByText('None yet.')).toBeVisible();
    await expect(page.locator(':focus')).toContainText('Tracks taken along');
    await route.continue();
  };
  await page.route(`**/api/tracks/${WATERFORD}`, removeFirst, { times: 1 });
  const lastAnswer = page.waitForResponse(/\/best\?/);
  await page.reload();
  await lastAnswer;
  await page.waitForLoadState('networkidle');
  await page.reload();
  await expect(page.getByText('None yet.')).toBeVisible();
});
