import { hash, verify } from '@node-rs/argon2';

// The cost is the second of the settings that the OWASP cheat sheet on storing passwords recommends for argon2id: 19
// MiB, two passes. The package's default is argon2id; its name for it is a constant that TypeScript cannot import here.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let hashOfNoPassword: Promise<string> | null = null;

/** Returns the hash of a password. Letters that are the same on every keyboard hash the same (NFC). */
export async function hashPassword(password: string): Promise<string> {
  return await hash(password.normalize('NFC'), COST);
}

/**
 * Checks a password against the stored hash. Without `kept` it does the same work and returns false, so that the
 * response time does not reveal whether an email address has an account.
 */
export async function verifyPassword(kept: string | null, password: string): Promise<boolean> {
  hashOfNoPassword ??= hashPassword('no account has this password');
  const isRight = await verify(kept ?? (await hashOfNoPassword), password.normalize('NFC'));
  return isRight && kept !== null;
}
