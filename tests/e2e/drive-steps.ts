import {
  expect,
  type Browser,
  type Page,
  type PlaywrightTestArgs,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
} from '@playwright/test';
import { streamDrive, type StreamOptions } from '#engine/testing/write-streams.ts';
import type { StreamChunk } from '#engine/receivers/live-fix.ts';
import { RACECHRONO_TIME } from '#engine/receivers/racechrono-decoder.ts';
import { readRecording } from '#engine/recording/read-recording.ts';
import { simulateDrive, type SimulatedDrive } from '#engine/simulation/drive.ts';
import type { Pitboard } from '../pitboard.ts';
import { libraryTrack } from '../library.ts';
import { signInByCalls } from './sign-in.ts';
import { addDevices, type SimulatedDevice } from './simulated-devices.ts';
import { waitUntilHydrated } from './test.ts';

// Steps of a driver who records a drive on a phone, with a simulated receiver.

export const WATERFORD = 'waterford-hills-full';

const UART = '6e400001-b5a3-f393-e0a9-e50e24dcca9e';
export const UART_TX = '6e400003-b5a3-f393-e0a9-e50e24dcca9e';
const UART_RX = '6e400002-b5a3-f393-e0a9-e50e24dcca9e';
export const QSTARZ_TX = '6e400004-b5a3-f393-e0a9-e50e24dcca9e';

/** A clone as its makers build it: the service and the name, and nothing about the device. */
export const RACEBOX_CLONE: SimulatedDevice = {
  name: 'RaceBox Mini 0000000042',
  services: { [UART]: { [UART_TX]: ['notify'], [UART_RX]: ['write'] } },
};

export const QSTARZ: SimulatedDevice = {
  name: 'QSTARZ_BL818GT',
  services: { [UART]: { [QSTARZ_TX]: ['notify'], [UART_RX]: ['write'] } },
};

export const RACECHRONO_DIY: SimulatedDevice = {
  name: 'RC DIY #1',
  services: { '1ff8': { '0003': ['notify'], '0004': ['notify', 'read'] } },
};

/** Sends sentences, under a name that no list knows. */
export const NMEA_RECEIVER: SimulatedDevice = {
  name: 'Field GPS',
  services: { [UART]: { [UART_TX]: ['notify'], [UART_RX]: ['write'] } },
};

/** A characteristic of a RaceChrono DIY device, by the channel of its bytes. */
export const raceChronoCharacteristic = (channel: number): string =>
  channel === RACECHRONO_TIME ? '0004' : '0003';

export function driveWaterford(
  seed: number,
  laps: number,
  rateHz = 25,
  startTimeMs = Date.UTC(2026, 5, 6, 13),
): SimulatedDrive {
  const receiver = { rateHz, noiseMeters: 0.05, coordinateDecimals: 7 };
  return simulateDrive(libraryTrack(WATERFORD), { seed, laps, receiver, startTimeMs });
}

/** Returns what arrives of a drive, each chunk with the time of its fix in `arrivalMs`. */
export function toChunks(drive: SimulatedDrive, kind: StreamOptions['kind']): StreamChunk[] {
  return streamDrive(drive, { kind, seed: 1, delayMs: 0 });
}

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'en' };

/** Opens a blank page of a phone of 390 by 844 pixels with touch, where `name` is signed in and the devices are near. */
export async function openPhone(
  browser: Browser,
  { url }: Pitboard,
  { name, device = RACEBOX_CLONE }: { name?: string; device?: SimulatedDevice },
): Promise<Page> {
  const context = await browser.newContext(PHONE);
  if (name !== undefined) await signInByCalls(context.request, url, name);
  const page = await context.newPage();
  await addDevices(page, device);
  return page;
}

type Launch = Pick<
  PlaywrightTestArgs & PlaywrightWorkerArgs & PlaywrightWorkerOptions,
  'playwright' | 'launchOptions'
>;

/** Opens a phone whose browser keeps its files in a folder, as a real one does, so that they outlive the browser. */
export async function openPhoneWithDisk(
  { playwright, launchOptions }: Launch,
  folder: string,
): Promise<Page> {
  const context = await playwright.chromium.launchPersistentContext(folder, { ...launchOptions, ...PHONE });
  context.on('page', waitUntilHydrated);
  const page = await context.newPage();
  await addDevices(page, RACEBOX_CLONE);
  return page;
}

/** Takes a track along, and opens the page of drives until it opens without a network. */
export async function prepareAtHome(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/track/${WATERFORD}`);
  await page.getByRole('button', { name: 'Take this track along' }).tap();
  await expect(page.getByText('Taken along.')).toBeVisible();
  await page.goto(`${url}/drive`);
  await expect(page.getByText('Works offline')).toBeVisible();
}

/** Opens a phone on which everything of home is done. */
export async function openPreparedPhone(
  browser: Browser,
  pitboard: Pitboard,
  options: Parameters<typeof openPhone>[2] = {},
): Promise<Page> {
  const page = await openPhone(browser, pitboard, options);
  await prepareAtHome(page, pitboard.url);
  return page;
}

export async function connectBluetooth(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect bluetooth receiver' }).tap();
}

/** Shares the drive live with those who have its link; the switch shows it once the server has said so. */
export async function shareLive(page: Page): Promise<void> {
  const share = page.getByRole('switch', { name: 'Share live' });
  await expect(share).not.toBeChecked();
  await share.click();
  await page.getByRole('button', { name: 'Share This Drive' }).tap();
  await expect(share).toBeChecked();
}

export async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start', exact: true }).tap();
  await expect(page.getByRole('button', { name: 'Hold to end' })).toBeVisible();
}

/** Holds the button until the drive has ended. */
export async function holdToEnd(page: Page): Promise<void> {
  const box = await page.getByRole('button', { name: 'Hold to end' }).boundingBox();
  if (box === null) throw new Error('There is nothing to hold.');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await expect(page.getByRole('heading', { name: 'Session' })).toBeInViewport();
  await page.mouse.up();
}

/** Reads the recordings of this browser from its private file system, as the bytes of a receiver that each holds. */
export async function readRecordings(
  page: Page,
): Promise<{ bytes: number[]; isEnded: boolean; holes: number }[]> {
  const files = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle('drive-recordings', { create: true });
    const found: string[] = [];
    for await (const name of folder.keys()) {
      const file = await (await folder.getFileHandle(name)).getFile();
      const bytes = new Uint8Array(await file.arrayBuffer());
      found.push(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    }
    return found.map((text) => btoa(text));
  });
  return files.map((base64) => {
    const bytes: number[] = [];
    const read = readRecording(Buffer.from(base64, 'base64'), {
      chunk: ({ bytes: chunk }) => bytes.push(...chunk),
    });
    return { bytes, isEnded: read?.isEnded ?? false, holes: read?.holeCount ?? 0 };
  });
}

/** Counts the bytes of chunks. */
export function countBytes(chunks: readonly StreamChunk[]): number {
  return chunks.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
