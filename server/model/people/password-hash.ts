import { hash, verify } from '@node-rs/argon2';

// The second of the settings that the OWASP cheat sheet on storing passwords recommends for argon2id: 19 MiB, two passes.
// The package's default is argon2id; its name for it is a constant that TypeScript cannot import here.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let hashOfNoPassword: Promise<string> | null = null;

/** The hash to keep of a password. Letters that look the same on every keyboard hash the same (NFC). */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password.normalize('NFC'), COST);
}

/**
 * Whether `password` is the one that `kept` was made of. Without `kept` it does the same work and says no, so that the time of the
 * answer does not tell whether an address is known.
 */
export async function verifyPassword(kept: string | null, password: string): Promise<boolean> {
  hashOfNoPassword ??= hashPassword('no account has this password');
  const isRight = await verify(kept ?? (await hashOfNoPassword), password.normalize('NFC'));
  return isRight && kept !== null;
}
