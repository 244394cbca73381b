import { z } from 'zod';

const base64 = z.base64().max(1_000);

/** The signature of a document by the server: a proof of a lap, or the results of an event. */
export const signatureSchema = z.strictObject({
  algorithm: z.literal('Ed25519'),
  publicKey: base64.meta({ description: 'SPKI, DER, in Base64; compare it with `GET /api/proof-key`.' }),
  value: base64.meta({
    description: 'Of `canonicalJson` of the document without this field, in Base64.',
  }),
});

export type Signature = z.infer<typeof signatureSchema>;
