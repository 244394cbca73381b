import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { joinParts, packPart } from './packed-parts.ts';

test('parts that were compressed by themselves are one gzip stream in any order', async () => {
  const texts = ['[', 'ü′'.repeat(40_000), '', ',"a"'.repeat(5), ']'];
  const parts = await Promise.all(texts.map(packPart));
  for (const order of [parts, parts.toReversed(), []]) {
    const { joinPlain, plainByteCount, gzipped } = joinParts(order);
    const plain = joinPlain();
    expect(plainByteCount).toBe(plain.length);
    expect(plain.equals(Buffer.concat(order.map((part) => part.plain)))).toBe(true);
    expect(gunzipSync(gzipped).equals(plain)).toBe(true);
  }
  expect(joinParts(parts).joinPlain().toString()).toBe(texts.join(''));
  expect(joinParts(parts).gzipped.length).toBeLessThan(1_000);
});
