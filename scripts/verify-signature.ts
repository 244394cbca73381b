import { verify as verifySignature } from 'node:crypto';
import { canonicalJson } from '#contract/canonical-json.ts';
import { hostOf, type KnownKeys, normalizeKey, readKey } from './proof-keys.ts';
import { plainText } from './untrusted-text.ts';

/** A document that a server has signed, from outside. */
type Signed = { site: string; signature: { publicKey: string; value: string } };

/** The key of the server, or the keys that are known by host. */
export type GivenKey = { key?: string | undefined; knownKeys?: KnownKeys | undefined };

/** Finds what is wrong with the signature of a document. */
export function findSignatureProblems(json: unknown, { signature }: Pick<Signed, 'signature'>): string[] {
  const { value, ...head } = signature;
  // The signature covers the bundle as received, including unknown fields.
  const signed = canonicalJson({ ...Object(json), signature: head });
  const publicKey = readKey(signature.publicKey);
  if (publicKey === null) return ['Its public key is no Ed25519 key that only one server can sign with.'];
  const isGenuine = verifySignature(null, Buffer.from(signed), publicKey, Buffer.from(value, 'base64'));
  return isGenuine ? [] : ['The signature does not fit: the bundle was changed after it was signed.'];
}

/** Holds what shows that a document is false, and what leaves that open. It holds if there is neither. */
export type Found = { problems: string[]; unknowns: string[] };

export const problem = (sentence: string): Found => ({ problems: [sentence], unknowns: [] });
export const unknown = (sentence: string): Found => ({ problems: [], unknowns: [sentence] });
export const GOOD: Found = { problems: [], unknowns: [] };

/** Checks that the key is one that was not taken from the bundle alone: anybody can sign with a key of their own. */
export function checkKey({ site, signature }: Signed, { key, knownKeys }: GivenKey): Found {
  const signedWith = normalizeKey(signature.publicKey);
  if (key !== undefined)
    return normalizeKey(key) === signedWith
      ? GOOD
      : problem('The bundle was signed with another key than the one given.');
  const host = hostOf(site);
  const known = host === null ? undefined : knownKeys?.byHost.get(host);
  if (host === null || known === undefined)
    return unknown(
      'It is signed by a key that this machine does not know. Get the key from the server itself (GET /api/proof-key), and give it with --key or keep it in the file of known keys.',
    );
  return signedWith !== null && known.includes(signedWith)
    ? GOOD
    : problem(`The bundle was signed with another key than the one that is known for ${plainText(host)}.`);
}

/** Says whether a document holds, and why, or what is wrong. */
export function describeVerdict({ problems, unknowns }: Found, why: string): string[] {
  if (problems.length > 0) return problems.map((sentence) => `It does not hold. ${sentence}`);
  if (unknowns.length === 0) return [`It holds: ${why}.`];
  return unknowns.map((sentence) => `It is not known whether it holds. ${sentence}`);
}
