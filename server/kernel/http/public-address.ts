import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

// IANA registers these as special-purpose addresses (RFC 6890 and later): none is a server on the internet.
const BLOCKED_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;

// These are blocked within 2000::/3, the only allocated block of IPv6; 2002::/16 and 2001::/32 lead to IPv4 addresses.
const BLOCKED_IPV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

const blocked = new BlockList();
for (const [network, bits] of BLOCKED_IPV4) blocked.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of BLOCKED_IPV6) blocked.addSubnet(network, bits, 'ipv6');
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

export const BLOCKED_SENTENCE = 'The address leads into a private network, where webhooks do not go.';

export class BlockedAddressError extends Error {
  override name = 'BlockedAddressError';
}

export type AddressRules = { allowsLoopback: boolean };

/** Tests if a server on the internet can have this IP address. No public server needs IPv4 within IPv6. */
export function isPublicAddress(address: string, { allowsLoopback }: AddressRules): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (allowsLoopback && !address.startsWith('::ffff:') && loopback.check(address, type)) return true;
  if (type === 'ipv6' && !global.check(address, type)) return false;
  return !blocked.check(address, type);
}

/** Tests if a host is itself an IP address that is blocked; a name has to be resolved first. */
export function isBlockedHost(host: string, rules: AddressRules): boolean {
  const bare = stripBrackets(host);
  return isIP(bare) !== 0 && !isPublicAddress(bare, rules);
}

const stripBrackets = (host: string): string => host.replace(/^\[(.*)\]$/, '$1');

export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>;

const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/**
 * Resolves the one IP address to connect to. The name is resolved only once, so a different answer a moment later has no
 * effect. A name with any address that is not public is refused as a whole.
 * @throws BlockedAddressError
 */
export async function resolvePublicAddress(
  host: string,
  rules: AddressRules,
  resolve: Resolve = resolveByDns,
): Promise<{ address: string; family: number }> {
  const bare = stripBrackets(host);
  const family = isIP(bare);
  const addresses = family === 0 ? await resolve(bare) : [{ address: bare, family }];
  const [first] = addresses;
  if (!first || !addresses.every(({ address }) => isPublicAddress(address, rules)))
    throw new BlockedAddressError(BLOCKED_SENTENCE);
  return first;
}
