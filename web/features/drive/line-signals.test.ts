import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { allowTones, signalLine } from './line-signals.ts';

let tones: number[];
let vibrations: number[][];

/** Notes the tones that are played. */
class FakeAudio {
  currentTime = 0;
  destination = {};

  resume(): Promise<void> {
    return Promise.resolve();
  }

  createOscillator() {
    const frequency = { value: 0 };
    return {
      frequency,
      connect: (next: object) => next,
      start: () => void tones.push(frequency.value),
      stop: () => undefined,
    };
  }

  createGain() {
    const gain = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
    return { gain, connect: (next: object) => next };
  }
}

beforeAll(() => {
  vi.stubGlobal('AudioContext', FakeAudio);
  vi.stubGlobal('navigator', { vibrate: (pattern: number[]) => vibrations.push(pattern) });
  allowTones();
});

beforeEach(() => {
  [tones, vibrations] = [[], []];
});

afterAll(() => {
  vi.unstubAllGlobals();
});

test('the tone at a line is high ahead, low behind, and between them without a gap', () => {
  for (const gapMs of [-120, 80, null]) signalLine(gapMs, { hasTone: true, hasVibration: false });
  const [ahead = 0, behind = 0, unknown = 0] = tones;
  expect(ahead).toBeGreaterThan(unknown);
  expect(unknown).toBeGreaterThan(behind);
  expect(vibrations).toEqual([]);
});

test('the phone vibrates once ahead and twice behind', () => {
  for (const gapMs of [-120, 80, null]) signalLine(gapMs, { hasTone: false, hasVibration: true });
  // Every second number is a pause.
  expect(vibrations.map((pattern) => (pattern.length + 1) / 2)).toEqual([1, 2, 1]);
  expect(tones).toEqual([]);
});

test('without the driver’s wish nothing is heard or felt', () => {
  signalLine(-120, { hasTone: false, hasVibration: false });
  expect([tones, vibrations]).toEqual([[], []]);
});
