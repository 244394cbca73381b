import { expect, test } from 'vitest';
import { ubxFrame } from '#engine/testing/write-ubx.ts';
import { UbxFrameReader } from './ubx-frames.ts';

const KINDS = [{ code: 0xff01, leastBytes: 4, mostBytes: 8 }];
const first = ubxFrame(0xff01, Uint8Array.of(1, 2, 3, 4));
const second = ubxFrame(0xff01, Uint8Array.of(5, 6, 7, 8, 0xb5));
const other = ubxFrame(0xff02, Uint8Array.of(9, 9, 9, 9));

/** Feeds the pieces and returns the payloads of the frames. */
function read(...pieces: Uint8Array[]): number[][] {
  const payloads: number[][] = [];
  const reader = new UbxFrameReader(KINDS, ({ payload }) =>
    payloads.push(Array.from({ length: payload.byteLength }, (_, index) => payload.getUint8(index))),
  );
  for (const piece of pieces) reader.feed(piece);
  return payloads;
}

function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

test('frames are found wherever the stream is cut into pieces', () => {
  const stream = join(first, other, second, first);
  const whole = read(stream);
  expect(whole).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7, 8, 0xb5],
    [1, 2, 3, 4],
  ]);
  for (let cut = 0; cut <= stream.length; cut += 1)
    expect(read(stream.subarray(0, cut), stream.subarray(cut))).toEqual(whole);
  expect(read(...Array.from(stream, (byte) => Uint8Array.of(byte)))).toEqual(whole);
});

test('a buffer that the caller fills again does not change what was kept', () => {
  const buffer = first.slice(0, 5);
  const payloads: number[] = [];
  const reader = new UbxFrameReader(KINDS, ({ payload }) => payloads.push(payload.getUint8(0)));
  reader.feed(buffer);
  buffer.fill(0);
  reader.feed(first.subarray(5));
  expect(payloads).toEqual([1]);
});

test('a frame with a wrong sum is passed over, and the next is found', () => {
  const damaged = first.slice();
  damaged[7] = 99;
  expect(read(join(damaged, second))).toEqual([[5, 6, 7, 8, 0xb5]]);
  expect(read(join(first.subarray(0, 7), second))).toEqual([[5, 6, 7, 8, 0xb5]]);
});

test('a damaged length does not hold up the stream', () => {
  const damaged = first.slice();
  damaged[4] = 0xff;
  damaged[5] = 0xff;
  expect(read(damaged, second)).toEqual([[5, 6, 7, 8, 0xb5]]);
});

test('text between frames is passed over', () => {
  expect(read(join(new TextEncoder().encode('$GPTXT,b*12\r\nµb'), first))).toEqual([[1, 2, 3, 4]]);
});
