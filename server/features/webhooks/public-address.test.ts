import { expect, test } from 'vitest';
import { postWebhook } from './post-webhook.ts';
import { isPublicAddress } from '#server/kernel/http/public-address.ts';

const STRICT = { allowsLoopback: false };

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '198.18.0.1',
  '::',
  '::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '2001:db8::1',
  'not-an-address',
])('%s is no public address', (address) => {
  expect(isPublicAddress(address, STRICT)).toBe(false);
});

test.each(['8.8.8.8', '93.184.216.34', '2606:4700:4700::1111'])('%s is a public address', (address) => {
  expect(isPublicAddress(address, STRICT)).toBe(true);
});

test.each([
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://017700000001/',
  'http://127.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost/',
])('%s is refused in whatever way it is written', async (url) => {
  const call = { url, body: '{}', secret: 'secret' };
  await expect(postWebhook(call, { ...STRICT, version: '1.2.3' })).rejects.toThrow('private network');
});
