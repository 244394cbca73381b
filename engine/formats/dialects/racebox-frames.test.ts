import { expect, test } from 'vitest';
import { simulateDrive } from '../../simulation/drive.ts';
import { ubxFrame, writeRaceBoxFrames } from '#engine/testing/write-ubx.ts';
import { KART_TRACK } from '../../testing/kart-track.ts';
import { readLapFile } from '../recognise.ts';

/** The maker's example: 10 January 2022 in Sofia. */
const EXAMPLE =
  'B562FF015000A0E70C07E607010A08330837190000002AAD4D0E0301EA0BC693E10D3B376F19618C09000F0109009C0300002C070000' +
  '2300000000000000D000000088A9DD002C010059FDFF7100CE032FFF5600FCFF06DB';

function example(): Uint8Array {
  return new Uint8Array(Buffer.from(EXAMPLE, 'hex'));
}

/** Returns the example with other bytes in its payload. */
function changed(...changes: [offset: number, value: number][]): Uint8Array {
  const payload = example().slice(6, -2);
  for (const [offset, value] of changes) payload[offset] = value;
  return ubxFrame(0xff01, payload);
}

function join(...frames: Uint8Array[]): Uint8Array {
  return Uint8Array.from(frames.flatMap((frame) => [...frame]));
}

test("the maker's example is read as the maker says", () => {
  const { format, clock, fixes, accuracy } = readLapFile(example());
  expect({ format, clock, length: fixes.length }).toEqual({
    format: 'racebox-frames',
    clock: 'utc',
    length: 1,
  });
  expect(fixes.timesMs[0]).toBeCloseTo(Date.UTC(2022, 0, 10, 8, 51, 8) + 239.971_626, 3);
  expect(fixes.lats[0]).toBeCloseTo(42.671_903_5, 7);
  expect(fixes.lons[0]).toBeCloseTo(23.288_723_8, 7);
  expect(fixes.speedsMetersPerSecond[0]).toBeCloseTo(0.035, 6);
  expect(accuracy?.meters[0]).toBeCloseTo(0.924, 6);
});

test('frames from the memory have the same content', () => {
  const stored = ubxFrame(0xff21, example().subarray(6, -2));
  expect(readLapFile(stored).fixes).toEqual(readLapFile(example()).fixes);
});

test('nanoseconds below zero are those before the second', () => {
  const second = Date.UTC(2022, 0, 10, 8, 51, 8);
  const { fixes } = readLapFile(changed([16, 0x00], [17, 0x36], [18, 0x65], [19, 0xc4]));
  expect(fixes.timesMs[0]).toBeCloseTo(second - 1000, 3);
});

test('frames without a fix, a time or a valid position are counted', () => {
  const [noFix, invalid, noTime] = [changed([20, 0]), changed([66, 1]), changed([11, 1])];
  const { fixes, dropped } = readLapFile(join(example(), noFix, invalid, noTime));
  expect({ length: fixes.length, dropped }).toEqual({ length: 1, dropped: { no_position: 2, no_time: 1 } });
});

test('a recording without any fix is refused in words', () => {
  expect(() => readLapFile(changed([20, 0]))).toThrow('This RaceBox recording holds no position with a time');
});

test('damage costs the frames that it hits, and no others', () => {
  const drive = simulateDrive(KART_TRACK, { seed: 5, laps: 2, receiver: { rateHz: 25 } });
  const bytes = writeRaceBoxFrames(drive);
  const damaged = join(bytes.subarray(0, 1000), bytes.subarray(1010));
  damaged[5000] = (damaged[5000] ?? 0) ^ 0xff;
  expect(readLapFile(bytes).fixes.length).toBe(drive.fixes.length);
  expect(readLapFile(damaged).fixes.length).toBe(drive.fixes.length - 2);
});
