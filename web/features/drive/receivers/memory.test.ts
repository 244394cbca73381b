import { afterEach, expect, test, vi } from 'vitest';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { cutIntoNotifications, raceBoxMemory, raceBoxStatus } from '#engine/testing/fake-memory.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { ubxFrame } from '#engine/testing/write-ubx.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { FakeDevice } from '#web/testing/fake-bluetooth.ts';
import { openMemory } from './memory.ts';

const TX = '6e400003-b5a3-f393-e0a9-e50e24dcca9e';
const receiver = { rateHz: 5, timeStampStepMs: 1 };
const drives = [1, 2].map((seed) =>
  simulateDrive(KART_TRACK, { seed, laps: 2, receiver, startTimeMs: Date.UTC(2026, 4, 16 + seed, 8) }),
);
const memory = raceBoxMemory(drives);

afterEach(() => {
  vi.unstubAllGlobals();
});

async function open(device: FakeDevice) {
  vi.stubGlobal('navigator', { bluetooth: { requestDevice: () => Promise.resolve(device) } });
  const opened = await openMemory();
  if (opened === null) throw new Error('A device was chosen.');
  return opened;
}

/** Answers as a RaceBox whose connection breaks in the first downloads. */
function raceBox({ breaks = 0, code = 0 } = {}): FakeDevice {
  let [isUnlocked, downloads] = [code === 0, 0];
  return new FakeDevice('RaceBox Mini S 1234567890', (request) => {
    const id = request[3];
    if (id === 0x22) return [[TX, raceBoxStatus(memory.length - 2, { isLocked: !isUnlocked })]];
    if (id === 0x30) {
      isUnlocked = request[6] === code;
      return [[TX, ubxFrame(isUnlocked ? 0xff02 : 0xff03, Uint8Array.of(0xff, 0x30))]];
    }
    if (id !== 0x23 || request.length > 8) return [];
    downloads += 1;
    const pieces = cutIntoNotifications(memory, downloads, 240).map((piece): [string, Uint8Array] => [
      TX,
      piece,
    ]);
    return downloads <= breaks ? [...pieces.slice(0, (downloads * pieces.length) / 4), null] : pieces;
  });
}

test.each([0, 2])(
  'the memory of a RaceBox becomes a lap file for every drive, over %i breaks',
  async (breaks) => {
    const device = raceBox({ breaks });
    const opened = await open(device);
    expect(opened.name).toBe('RaceBox Mini S');
    const [item] = await opened.list();
    if (item === undefined) throw new Error('The memory holds records.');
    expect(item.records).toBe(memory.length - 2);
    const shares: number[] = [];
    const onBreak = vi.fn<() => void>();
    const files = await opened.download(item, {
      onProgress: ({ received, total }) => shares.push(received / (total ?? Infinity)),
      onBreak,
    });
    expect(onBreak).toHaveBeenCalledTimes(breaks);
    expect(
      files.map(({ bytes }) => timeLaps(openLapFile(bytes), KART_TRACK).laps.filter(isRanking).length),
    ).toEqual([2, 2]);
    expect(shares.at(-1)).toBe(1);
    // Nothing is ever erased.
    expect(device.written.every((request) => request[3] !== 0x24)).toBe(true);
  },
);

test('a clone, which knows no memory, ends in a sentence that says so', async () => {
  const opened = await open(new FakeDevice('RaceBox Mini 0000000042'));
  vi.useFakeTimers();
  const listed = expect(opened.list()).rejects.toThrow('a Mini and most clones have none');
  await vi.advanceTimersByTimeAsync(10_000);
  await listed;
  vi.useRealTimers();
});

const away = () => Promise.reject(new DOMException('GATT Server is disconnected.', 'NetworkError'));

test('a receiver that is away is said in a sentence, and its memory is read once it is back', async () => {
  const device = raceBox({ code: 77 });
  const opened = await open(device);
  device.gatt.disconnect();
  const connect = vi.spyOn(device.gatt, 'connect').mockImplementation(away);
  await expect(opened.list()).rejects.toThrow('The receiver does not answer.');
  await expect(opened.unlock(77)).rejects.toThrow('The receiver does not answer.');
  connect.mockRestore();
  expect(await opened.unlock(77)).toBe(true);
});

test('a download that begins while the receiver is away goes on once it is back', async () => {
  const device = raceBox();
  const opened = await open(device);
  const [item] = await opened.list();
  if (item === undefined) throw new Error('The memory holds records.');
  device.gatt.disconnect();
  const connect = vi.spyOn(device.gatt, 'connect').mockImplementation(away);
  const onBreak = vi.fn<() => void>(() => connect.mockRestore());
  expect(await opened.download(item, { onBreak })).toHaveLength(2);
  expect(onBreak).toHaveBeenCalledTimes(1);
});

test('a device without the service of a memory does not stay connected', async () => {
  const device = raceBox();
  vi.spyOn(device.gatt, 'getPrimaryService').mockRejectedValue(new DOMException('', 'NotFoundError'));
  await expect(open(device)).rejects.toThrow('The receiver does not answer.');
  expect(device.gatt.connected).toBe(false);
});

test('a download that the driver ends is ended on the device as well', async () => {
  const stop = new AbortController();
  const device = raceBox();
  const opened = await open(device);
  const [item] = await opened.list();
  if (item === undefined) throw new Error('The memory holds records.');
  const given = opened.download(item, {
    signal: stop.signal,
    onProgress: ({ received }) => received > 0 && stop.abort(new Error('The driver has stopped.')),
  });
  await expect(given).rejects.toThrow('The driver has stopped.');
  expect(Buffer.from(device.written.at(-1) ?? []).toString('hex')).toBe('b562ff23010000238a');
});

test('a locked memory opens with its code', async () => {
  const opened = await open(raceBox({ code: 77 }));
  await opened.list();
  expect(opened.isLocked()).toBe(true);
  expect(await opened.unlock(5)).toBe(false);
  expect(await opened.unlock(77)).toBe(true);
  expect(opened.isLocked()).toBe(false);
});

function status(line: string): [number, Uint8Array] {
  return [0x2a40, new TextEncoder().encode(line)];
}

test('files of a DovesDataLogger, over a break', async () => {
  const file = new Uint8Array(9000).map((_, index) => (7 * index) % 256);
  let gets = 0;
  const device = new FakeDevice('Fledgling', (request) => {
    const text = new TextDecoder().decode(request);
    if (text === 'LIST')
      return ['kart.dovex:9000|', 'SETTINGS.json:9|END'].map((piece) => [
        0x2a3d,
        new TextEncoder().encode(piece),
      ]);
    if (text !== 'GET:kart.dovex') return [status('ERROR')];
    gets += 1;
    const data = cutIntoNotifications([file], gets).map((piece): [number, Uint8Array] => [0x2a3f, piece]);
    return gets === 1
      ? [status('SIZE:9000'), ...data.slice(0, 20), null]
      : [status('SIZE:9000'), ...data, status('DONE')];
  });
  const opened = await open(device);
  const [item, ...others] = await opened.list();
  if (item === undefined) throw new Error('There is a file.');
  expect(others).toEqual([]);
  const [downloaded] = await opened.download(item);
  expect(downloaded?.name).toBe('kart.dovex');
  expect([...(downloaded?.bytes ?? [])]).toEqual([...file]);
  await expect(opened.download({ ...item, name: 'gone.dove' })).rejects.toThrow(/cannot open this file/);
});
