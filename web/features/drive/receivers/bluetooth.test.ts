import { afterEach, expect, test, vi } from 'vitest';
import { createDecoder } from '#engine/receivers/decode-stream.ts';
import type { LiveFix } from '#engine/receivers/live-fix.ts';
import { RACECHRONO_TIME } from '#engine/receivers/racechrono-decoder.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { streamDrive } from '#engine/testing/write-streams.ts';
import { FakeDevice } from '#web/testing/fake-bluetooth.ts';
import { BLUETOOTH } from './bluetooth.ts';

const whole = simulateDrive(KART_TRACK, { seed: 1, laps: 1, receiver: { rateHz: 25, timeStampStepMs: 2 } });
const drive = { ...whole, fixes: whole.fixes.slice(0, 100) };

afterEach(() => {
  vi.unstubAllGlobals();
});

async function open(device: FakeDevice) {
  vi.stubGlobal('navigator', { bluetooth: { requestDevice: () => Promise.resolve(device) } });
  const receiver = await BLUETOOTH.open();
  if (receiver === null) throw new Error('A device was chosen.');
  return receiver;
}

test('a RaceChrono device that notifies only positions is asked for date and hour', async () => {
  const device = new FakeDevice('RC DIY #1');
  const chunks = streamDrive(drive, { kind: 'racechrono-diy', seed: 1 });
  const time = device.characteristic(0x0004);
  time.properties = { notify: false };
  time.stored = chunks.find(({ channel }) => channel === RACECHRONO_TIME)?.bytes ?? null;
  const receiver = await open(device);
  expect(receiver.kind).toBe('racechrono-diy');
  const decoder = createDecoder(receiver.kind, receiver.name);
  const fixes: LiveFix[] = [];
  await receiver.start({
    onChunk: (chunk) => fixes.push(...decoder.feed(chunk)),
    onConnection: () => undefined,
  });
  for (const { bytes, channel } of chunks)
    if (channel !== RACECHRONO_TIME) device.characteristic(0x0003).notify(bytes);
  await receiver.stop();
  expect(fixes.map(({ timeMs }) => timeMs)).toEqual(drive.fixes.map(({ timeMs }) => timeMs));
});

test('a receiver that was lost is there again by itself, and its bytes are its own', async () => {
  const device = new FakeDevice('RaceBox Mini 0123456789');
  const receiver = await open(device);
  expect(receiver.name).toBe('RaceBox Mini');
  const states: string[] = [];
  const received: number[] = [];
  await receiver.start({
    onChunk: ({ bytes }) => received.push(...bytes),
    onConnection: (state) => states.push(state),
  });
  device.characteristic(TX).notify(Uint8Array.of(1, 2));
  device.gatt.disconnect();
  await vi.waitFor(() => expect(states).toContain('connected'), { timeout: 20_000 });
  device.characteristic(TX).notify(Uint8Array.of(3));
  await receiver.stop();
  expect(states).toEqual(['lost', 'connected']);
  expect(received).toEqual([1, 2, 3]);
});

/** Lets the connection of a device be made when the test says so. */
function holdConnection(device: FakeDevice) {
  const connect = device.gatt.connect;
  const waiting: (() => void)[] = [];
  const isHeld = new Promise<void>((resolve) => waiting.push(resolve));
  const asked = vi.spyOn(device.gatt, 'connect').mockImplementation(() => isHeld.then(connect));
  return { asked, make: () => waiting.forEach((go) => go()) };
}

const EVENTS = { onChunk: () => undefined, onConnection: () => undefined };

test('a receiver that is left while its connection is made again does not stay connected', async () => {
  const device = new FakeDevice('RaceBox Mini 0123456789');
  const receiver = await open(device);
  await receiver.start(EVENTS);
  const { asked, make } = holdConnection(device);
  device.gatt.disconnect();
  await vi.waitFor(() => expect(asked).toHaveBeenCalled());
  await receiver.stop();
  const disconnected = vi.spyOn(device.gatt, 'disconnect');
  make();
  await vi.waitFor(() => expect(disconnected).toHaveBeenCalled(), { timeout: 20_000 });
  expect(device.gatt.connected).toBe(false);
});

test('a receiver that was left takes no connection from the one that has its device now', async () => {
  const device = new FakeDevice('RaceBox Mini 0123456789');
  const receiver = await open(device);
  await receiver.start(EVENTS);
  const next = await open(device);
  await receiver.stop();
  expect(device.gatt.connected).toBe(true);
  await next.stop();
  expect(device.gatt.connected).toBe(false);
});

test('a receiver tells its model and firmware, without what cannot be shown; a clone tells nothing', async () => {
  const device = new FakeDevice('RaceBox Mini S 0123456789');
  device.characteristic(MODEL).stored = new TextEncoder().encode('RaceBox Mini S\u0000\u202E');
  device.characteristic(FIRMWARE).stored = new TextEncoder().encode('3.3');
  const receiver = await open(device);
  expect(receiver.description()).toBeNull();
  await receiver.start(EVENTS);
  expect(receiver.description()).toBe('RaceBox Mini S, firmware 3.3');
  await receiver.stop();
  const clone = await open(new FakeDevice('RaceBox Mini 0000000042'));
  await clone.start(EVENTS);
  expect(clone.description()).toBeNull();
  await clone.stop();
});

const MODEL = 0x2a24;
const FIRMWARE = 0x2a26;
const TX = '6e400003-b5a3-f393-e0a9-e50e24dcca9e';
