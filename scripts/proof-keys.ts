import { createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { CommandError } from './lap-file-command.ts';

/** The public keys of servers that this machine knows, by host: a line of the file is a host, a space and a key. */
export type KnownKeys = { path: string; byHost: ReadonlyMap<string, readonly string[]> };

const DEFAULT_FILE = '.pitboard-known-keys';

/**
 * Reads the known keys from `path`, else from `.pitboard-known-keys` of the home folder, which may be missing.
 * @throws CommandError
 */
export function readKnownKeys(path: string | undefined): KnownKeys {
  const file =
    path === undefined ? join(homedir(), DEFAULT_FILE) : resolve(process.env['INIT_CWD'] ?? '.', path);
  const byHost = new Map<string, string[]>();
  for (const [index, line] of readLines(file, path === undefined).entries()) {
    const [host, text, ...more] = line.trim().split(/\s+/);
    if (host === undefined || host === '' || host.startsWith('#')) continue;
    const key = more.length > 0 ? null : normalizeKey(text ?? '');
    if (key === null) throw new CommandError(`Line ${index + 1} of ${file} is no host with an Ed25519 key.`);
    byHost.set(host.toLowerCase(), [...(byHost.get(host.toLowerCase()) ?? []), key]);
  }
  return { path: file, byHost };
}

function readLines(file: string, mayBeMissing: boolean): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'ENOENT' && mayBeMissing) return [];
    throw new CommandError(`The known keys in ${file} cannot be read (${String(code)}).`, { cause: error });
  }
}

/** Finds the host of a bundle's site as it is in the file of known keys; null where it is no URL. */
export function hostOf(site: string): string | null {
  return URL.canParse(site) && new URL(site).host !== '' ? new URL(site).host : null;
}

/** Writes a key in the one way in which servers write it; null where it is no Ed25519 key that only its owner can sign with. */
export function normalizeKey(text: string): string | null {
  return readKey(text)?.export({ format: 'der', type: 'spki' }).toString('base64') ?? null;
}

/** Reads an Ed25519 key from SPKI in Base64; null for anything else, and for a key of small order. */
export function readKey(text: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
    const { x } = key.export({ format: 'jwk' });
    const isGood = key.asymmetricKeyType === 'ed25519' && !hasSmallOrder(Buffer.from(x ?? '', 'base64url'));
    return isGood ? key : null;
  } catch {
    return null;
  }
}

// A key of small order has signatures that fit any text. The list holds all such points of Ed25519, as libsodium lists
// them, without the sign bit.
const SMALL_ORDER = [
  `00${'00'.repeat(31)}`,
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
];

function hasSmallOrder(point: Buffer): boolean {
  const unsigned = Buffer.from(point);
  unsigned[31] = (point[31] ?? 0) & 0x7f;
  return SMALL_ORDER.includes(unsigned.toString('hex'));
}
