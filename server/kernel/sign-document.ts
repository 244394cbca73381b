import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import { canonicalJson } from '#contract/canonical-json.ts';
import type { Signature } from '#contract/signature.ts';

/** Signs documents with the key of the server: proofs of laps, and the official results of events. */
export type DocumentSigner = {
  /** SPKI, DER, in Base64. */
  publicKey: string;
  /** Adds the signature of `canonicalJson` of the document with the head of the signature in it. */
  sign: <Document extends object>(document: Document) => Document & { signature: Signature };
};

// RFC 8410 defines this head of the 32 bytes of an Ed25519 key in PKCS #8.
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const SEED_BYTES = 32;

/** Derives the key pair from the server's only secret, so that all copies and restarts sign with the same key. */
export function openDocumentSigner(secret: string): DocumentSigner {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'pitboard proofs of laps', SEED_BYTES));
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
  const head = { algorithm: 'Ed25519', publicKey } as const;
  return {
    publicKey,
    sign: (document) => {
      const signed = canonicalJson({ ...document, signature: head });
      return {
        ...document,
        signature: { ...head, value: sign(null, Buffer.from(signed), key).toString('base64') },
      };
    },
  };
}
