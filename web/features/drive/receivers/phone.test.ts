import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDecoder } from '#engine/receivers/decode-stream.ts';
import { PHONE } from './phone.ts';

type Watch = { give: (position: object) => void; fail: (error: object) => void };

let watches: Map<number, Watch>;

beforeEach(() => {
  watches = new Map();
  vi.stubGlobal('navigator', {
    geolocation: {
      watchPosition: (give: Watch['give'], fail: Watch['fail']) => {
        watches.set(7, { give, fail });
        return 7;
      },
      clearWatch: (id: number) => watches.delete(id),
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const error = (code: number) => ({ code, PERMISSION_DENIED: 1 });
const POSITION = {
  coords: { latitude: 42.6, longitude: -83.3, accuracy: 5, speed: 20, heading: 90, altitude: null },
  timestamp: Date.UTC(2026, 5, 6, 13),
};

test('positions of the phone come as bytes, a lost signal is said, and leaving ends them', async () => {
  const receiver = await PHONE.open();
  const states: string[] = [];
  const chunks: Uint8Array[] = [];
  const started = receiver?.start({
    onChunk: ({ bytes }) => chunks.push(bytes),
    onConnection: (state) => states.push(state),
  });
  watches.get(7)?.give(POSITION);
  await started;
  watches.get(7)?.fail(error(2));
  watches.get(7)?.give(POSITION);
  expect(states).toEqual(['connected', 'lost', 'connected']);
  const decoder = createDecoder('phone');
  const fixes = chunks.flatMap((bytes) => decoder.feed({ bytes, arrivalMs: 0 }));
  expect(fixes.at(-1)).toMatchObject({ latitude: 42.6, longitude: -83.3, accuracyMeters: 5 });
  await receiver?.stop();
  expect(watches.size).toBe(0);
});

test('a driver who refuses the position reads where to allow it', async () => {
  const receiver = await PHONE.open();
  const started = receiver?.start({ onChunk: () => undefined, onConnection: () => undefined });
  watches.get(7)?.fail(error(1));
  await expect(started).rejects.toThrow('Allow it in the settings of this page');
  expect(watches.size).toBe(0);
});
