import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type UserId, userIdSchema } from '#contract/ids.ts';
import { DAY_MS } from '#engine/durations.ts';
import { parseJson } from '#server/kernel/parse-json.ts';
import { cookieOptions, hashToken, hostCookieName, newToken } from '#server/model/people/auth-cookie.ts';

const COOKIE = 'pitboard_device';
const LASTS_MS = 365 * DAY_MS;
const ACCOUNTS_MAX = 5;
const TAG_CHARACTERS = 16;

/** Holds the accounts that have signed in on the device, the last one first, each with a tag of its password. */
const deviceSchema = z.object({
  id: z.string(),
  accounts: z.array(z.object({ userId: userIdSchema, tag: z.string() })),
});

type KnownDevice = z.infer<typeof deviceSchema>;

type Account = { userId: UserId; hash: string | null };

/** The tag changes with every new password, so a device is known only to the password with which it signed in. */
function tagPassword(hash: string): string {
  return hashToken(hash).slice(0, TAG_CHARACTERS);
}

function readDevice(request: FastifyRequest, publicUrl: string): KnownDevice | null {
  const cookie = request.unsignCookie(request.cookies[hostCookieName(publicUrl, COOKIE)] ?? '');
  if (!cookie.valid) return null;
  // Another cookie of this server has such a signature too.
  return deviceSchema.safeParse(parseJson(cookie.value)).data ?? null;
}

/**
 * Finds the id of the device of a call, if it has signed in to this account before: wrong passwords of strangers do not
 * count against it.
 */
export function findKnownDevice(
  request: FastifyRequest,
  publicUrl: string,
  account: Account | undefined,
): string | null {
  const device = readDevice(request, publicUrl);
  if (!device || !account || account.hash === null) return null;
  const tag = tagPassword(account.hash);
  const isKnown = device.accounts.some((one) => one.userId === account.userId && one.tag === tag);
  return isKnown ? device.id : null;
}

/** Leaves a signed cookie with which the device is known at its next sign-in to this account. */
export function rememberDevice(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  publicUrl: string,
  { userId, hash }: Account,
): void {
  if (hash === null) return;
  const device = readDevice(request, publicUrl) ?? { id: newToken(), accounts: [] };
  const others = device.accounts.filter((one) => one.userId !== userId);
  const accounts = [{ userId, tag: tagPassword(hash) }, ...others].slice(0, ACCOUNTS_MAX);
  const options = { ...cookieOptions(publicUrl, LASTS_MS), signed: true };
  reply.setCookie(hostCookieName(publicUrl, COOKIE), JSON.stringify({ ...device, accounts }), options);
}
