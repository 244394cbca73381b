import { linkPath } from '#contract/sign-in/labels.ts';
import { hasOwner } from '#server/model/people/role-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { insertOneTimeToken } from '#server/model/people/one-time-token-store.ts';

const LASTS_MS = 24 * 60 * 60_000;

/** Makes a link for the person who runs this server, with which to make the owner's account; null where an owner exists. */
export async function offerSetUp(db: Database, publicUrl: string): Promise<string | null> {
  if (await hasOwner(db)) return null;
  const { token } = await insertOneTimeToken(db, { purpose: 'set-up', lastsMs: LASTS_MS });
  return publicUrl + linkPath('set-up', token);
}
