import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import { canonicalJson } from '#contract/canonical-json.ts';
import type { CurrentProofBundle } from '#contract/lap-view/proof.ts';

type UnsignedBundle = Omit<CurrentProofBundle, 'signature'>;

export type ProofSigner = { publicKey: string; sign: (bundle: UnsignedBundle) => CurrentProofBundle };

// RFC 8410 defines this head of the 32 bytes of an Ed25519 key in PKCS #8.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/** Derives the key pair from the server's only secret, so that all copies and restarts sign with the same key. */
export function openProofSigner(secret: string): ProofSigner {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'pitboard proofs of laps', SEED_BYTES));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
  const head = { algorithm: 'Ed25519', publicKey } as const;
  return {
    publicKey,
    sign: (bundle) => {
      const signed = canonicalJson({ ...bundle, signature: head });
      return {
        ...bundle,
        signature: { ...head, value: sign(null, Buffer.from(signed), key).toString('base64') },
      };
    },
  };
}
