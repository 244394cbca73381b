/** One network that an IP address is counted as, and how many times the calls of a single address it may make. */
export type CountedNetwork = { name: string; factor: number };

// A line at home or a phone has a /64 of its own, a customer of a data centre a /48.
const COUNTED_PREFIXES = [
  { groups: 4, name: '/64', factor: 1 },
  { groups: 3, name: '/48', factor: 10 },
];

/**
 * Lists the networks that an IP address is counted as: an IPv4 address by itself, also where it is written as an IPv6
 * address; an IPv6 address by its /64, and by its /48 with ten times as many calls.
 */
export function listCountedNetworks(address: string): [CountedNetwork, ...CountedNetwork[]] {
  const groups = readIpv6(address);
  if (groups === null) return [{ name: address, factor: 1 }];
  if (groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff')
    return [{ name: groups.slice(6).flatMap(toBytes).join('.'), factor: 1 }];
  const [first, ...others] = COUNTED_PREFIXES.map(({ groups: count, name, factor }) => ({
    name: `${groups.slice(0, count).join(':')}::${name}`,
    factor,
  }));
  return first ? [first, ...others] : [{ name: address, factor: 1 }];
}

/** Reads the eight groups of an IPv6 address in plain hexadecimal; null for any other text. */
function readIpv6(address: string): string[] | null {
  const [withoutZone = ''] = address.split('%');
  const url = `http://[${withoutZone}]`;
  if (!withoutZone.includes(':') || !URL.canParse(url)) return null;
  const canonical = new URL(url).hostname.slice(1, -1);
  const [start = '', end] = canonical.split('::');
  const [before, after] = [start, end ?? ''].map((part) => part.split(':').filter(Boolean));
  if (!before || !after) return null;
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}

function toBytes(group: string): [number, number] {
  const value = Number.parseInt(group, 16);
  return [Math.floor(value / 256), value % 256];
}
