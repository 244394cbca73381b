import { expect, test } from 'vitest';
import { listCountedNetworks } from './address-networks.ts';

test('an IPv4 address is counted by itself, however it is written', () => {
  const expected = [{ name: '203.0.113.7', factor: 1 }];
  for (const address of [
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '::FFFF:cb00:7107',
    '0:0:0:0:0:ffff:203.0.113.7',
  ])
    expect(listCountedNetworks(address), address).toEqual(expected);
});

test('an IPv6 address is counted by its /64, and by its /48 with ten times as many calls', () => {
  const expected = [
    { name: '2001:db8:1:2::/64', factor: 1 },
    { name: '2001:db8:1::/48', factor: 10 },
  ];
  for (const address of ['2001:db8:1:2::7', '2001:0DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2:3:4:5:6'])
    expect(listCountedNetworks(address), address).toEqual(expected);
  expect(listCountedNetworks('fe80::1%eth0')[0].name).toBe('fe80:0:0:0::/64');
  expect(listCountedNetworks('::1')[0].name).toBe('0:0:0:0::/64');
});

test('a text that is no address is counted as it is', () => {
  for (const address of ['', 'unix', 'a:b', '2001:db8::1::2'])
    expect(listCountedNetworks(address)).toEqual([{ name: address, factor: 1 }]);
});
