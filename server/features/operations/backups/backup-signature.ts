import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '#contract/canonical-json.ts';
import type { BackupSignature } from '#contract/operations/backups.ts';
import { StartError } from '#server/kernel/errors.ts';
import type { Manifest, UnsignedManifest } from './manifest.ts';

// An account that can write the folder of the backups could otherwise make one with an owner of its own.

/** A key of this server that signs manifests; a manifest has the hashes of all tables and files. */
export type BackupKey = { id: string; secret: Buffer };

const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;

/** Derives the key from the server's own secret, as the keys of lap proofs and of the mail password are. */
export function deriveBackupKey(cookieSecret: string): BackupKey {
  const derive = (use: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', cookieSecret, '', use, bytes));
  return {
    id: derive('id of the key of backups', KEY_ID_BYTES).toString('hex'),
    secret: derive('signature of backups', KEY_BYTES),
  };
}

export function signManifest(manifest: UnsignedManifest, key: BackupKey): Manifest {
  return { ...manifest, signature: { keyId: key.id, value: hashManifest(manifest, key).toString('hex') } };
}

function hashManifest(manifest: UnsignedManifest, { secret }: BackupKey): Buffer {
  return createHmac('sha256', secret).update(canonicalJson(manifest)).digest();
}

/** Checks who signed the manifest of the backup `name`, and that nothing in it was changed afterwards. */
export function checkSignature(
  { signature, ...manifest }: Manifest,
  name: string,
  key: BackupKey,
): BackupSignature {
  if (signature === undefined) return 'missing';
  if (signature.keyId !== key.id) return 'other-key';
  const found = Buffer.from(signature.value, 'hex');
  const expected = hashManifest(manifest, key);
  const isGenuine = found.length === expected.length && timingSafeEqual(found, expected);
  return isGenuine && manifest.name === name ? 'valid' : 'wrong';
}

const DOUBTS: Record<Exclude<BackupSignature, 'valid'>, string> = {
  missing: 'This backup is not signed: an earlier version or somebody else made it.',
  'other-key': 'This backup is signed with another COOKIE_SECRET than that of this server.',
  wrong: 'This backup was changed after it was signed.',
};

/**
 * Refuses a backup without a valid signature, unless the caller has said that it is to be restored all the same; `how` is the
 * sentence about that.
 * @throws StartError
 */
export function requireSignature(
  { manifest, name }: { manifest: Manifest; name: string },
  key: BackupKey,
  { isAccepted, how }: { isAccepted: boolean; how: string },
): void {
  const signature = checkSignature(manifest, name, key);
  if (signature !== 'valid' && !isAccepted) throw new StartError(`${DOUBTS[signature]} ${how}`);
}
