import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodePhonePosition } from '#engine/receivers/phone-positions.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { recordDrive } from '#engine/testing/write-streams.ts';
import { DriveSession } from './drive-session.ts';
import type { KeptRecording } from './drive-state.ts';
import { PHONE } from './receivers/phone.ts';
import { ReceiverError, type Receiver, type ReceiverEvents } from './receivers/receiver.ts';
import type { StorageCall } from './storage/recording-calls.ts';

let calls: StorageCall[];

/** Takes what is to be written. */
class FakeWorker extends EventTarget {
  postMessage(call: StorageCall): void {
    calls.push(call);
  }
}

type Watch = { give: (position: object) => void; fail: (error: object) => void };

let watch: Watch | null;

const drive = simulateDrive(KART_TRACK, { seed: 1, laps: 1, receiver: { rateHz: 5 } });
const RECORDED = recordDrive(drive, { kind: 'racebox', seed: 1 });

beforeEach(() => {
  calls = [];
  watch = null;
  const file = { arrayBuffer: () => Promise.resolve(RECORDED.slice().buffer) };
  const folder = {
    getDirectoryHandle: () => Promise.resolve(folder),
    getFileHandle: () => Promise.resolve({ getFile: () => Promise.resolve(file) }),
  };
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
  vi.stubGlobal('caches', { open: () => Promise.resolve({ put: () => Promise.resolve() }) });
  vi.stubGlobal('navigator', {
    storage: { getDirectory: () => Promise.resolve(folder) },
    geolocation: {
      watchPosition: (give: Watch['give'], fail: Watch['fail']) => {
        watch = { give, fail };
        return 1;
      },
      clearWatch: () => (watch = null),
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Simulates a receiver whose connection is made, or fails, when the test says so. */
function slowReceiver(name: string) {
  let [answer, fail] = [(): void => undefined, (_error: Error): void => undefined];
  let events: ReceiverEvents | null = null;
  const receiver: Receiver = {
    transport: 'bluetooth',
    name,
    kind: 'ubx',
    batteryPercent: () => null,
    description: () => `${name}, firmware 1`,
    start: (given) => {
      events = given;
      return new Promise((resolve, reject) => ([answer, fail] = [resolve, reject]));
    },
    stop: () => Promise.resolve(),
  };
  return {
    receiver,
    answer: () => answer(),
    fail: () => fail(new ReceiverError('It does not answer.')),
    send: (bytes: Uint8Array) => events?.onChunk({ bytes, arrivalMs: 1 }),
  };
}

async function connect(session: DriveSession, name = 'RaceBox Mini') {
  const slow = slowReceiver(name);
  const used = session.use(slow.receiver);
  await vi.waitFor(() => expect(session.state.source?.name).toBe(name));
  return { ...slow, used };
}

const POSITION = {
  coords: {
    latitude: 42.6,
    longitude: -83.3,
    accuracy: 5,
    speed: 20,
    heading: 90,
    altitude: null,
    altitudeAccuracy: null,
  },
  timestamp: Date.UTC(2026, 5, 6, 13),
};

test('a drive that starts before the phone has a position is recorded from the first one on', async () => {
  const session = new DriveSession();
  const phone = await PHONE.open();
  if (phone === null) throw new Error('There is a phone.');
  const used = session.use(phone);
  await vi.waitFor(() => expect(watch).not.toBeNull());
  session.start();
  watch?.fail({ code: 3, PERMISSION_DENIED: 1 });
  await used;
  expect(session.state.source).toMatchObject({ name: 'This phone', connection: 'lost' });
  watch?.give(POSITION);
  expect(session.state.source?.connection).toBe('connected');
  const written = calls.flatMap((call) => (call.type === 'chunk' ? [call.chunk.bytes] : []));
  expect(written).toEqual([encodePhonePosition(POSITION)]);
});

test('a receiver that fails after another one was chosen changes nothing', async () => {
  const session = new DriveSession();
  const first = await connect(session, 'RaceBox Mini');
  const second = await connect(session, 'Field GPS');
  second.answer();
  await second.used;
  first.fail();
  await first.used;
  expect(session.state.source).toMatchObject({ name: 'Field GPS', description: 'Field GPS, firmware 1' });
});

test('a receiver that answers after another one was chosen does not describe that one', async () => {
  const session = new DriveSession();
  const first = await connect(session, 'RaceBox Mini');
  await connect(session, 'Field GPS');
  first.answer();
  await first.used;
  expect(session.state.source).toMatchObject({ name: 'Field GPS', description: null });
});

test('a receiver that does not answer is left, with its reason', async () => {
  const session = new DriveSession();
  const { fail, used } = await connect(session);
  fail();
  await expect(used).rejects.toThrow('It does not answer.');
  expect(session.state.source).toBeNull();
});

const CUT: KeptRecording = {
  id: 'cut',
  startedAtMs: 1,
  endedAtMs: 2,
  trackId: null,
  trackName: null,
  sourceName: 'RaceBox Mini',
  kind: 'ubx',
  state: 'cut',
  laps: [],
};

test('a second tap on Continue changes nothing: one recorder gets every byte', async () => {
  const session = new DriveSession();
  const { send } = await connect(session);
  await Promise.all([session.resume(CUT), session.resume(CUT)]);
  send(Uint8Array.of(1, 2));
  expect(calls.map(({ type }) => type)).toEqual(['resume', 'chunk']);
  expect(session.state.phase).toBe('driving');
});
