import type { Services } from '#server/model/services.ts';
import type { FastifyInstance } from 'fastify';
import { apiTokenEndpoints } from '#contract/sign-in/api-tokens.ts';
import { TOKENS_MAX } from '#contract/sign-in/labels.ts';
import { recordSignInChange } from '#server/model/people/record-sign-in-change.ts';
import { hashToken, newToken } from '#server/model/people/auth-cookie.ts';
import { holdAuthSession } from '#server/model/people/recent-sign-in.ts';
import { AppError } from '#server/kernel/errors.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { findTokenOwner, insertToken, listTokens } from '#server/model/people/api-token-store.ts';
import { endByEvent } from '#server/model/people/ending-store.ts';

// The prefix identifies a token to people and to scanners of leaked secrets.
const PREFIX = 'pb_';
const ENDING_CHARACTERS = 4;

/** Serves the API tokens of the signed-in user. */
export function mountApiTokenRoutes(app: FastifyInstance, services: Services): void {
  const { db } = services.database;
  serve(app, apiTokenEndpoints.list, ({ viewer }) => listTokens(db, viewer.id));

  serve(app, apiTokenEndpoints.create, async ({ viewer, request, body: { name, scopes, days } }) => {
    if (scopes.includes('admin') && !viewer.isAdmin)
      throw new AppError('not_allowed', 'Only administrators can make a token that administers.');
    const token = PREFIX + newToken();
    const kept = { tokenSha256: hashToken(token), ending: token.slice(-ENDING_CHARACTERS) };
    const added = { userId: viewer.id, name, scopes: [...new Set(scopes)], ...kept };
    const apiToken = await db.transaction(async (tx) => {
      await holdAuthSession(tx, services, request);
      if ((await listTokens(tx, viewer.id)).length >= TOKENS_MAX)
        throw new AppError('conflict', `You have ${TOKENS_MAX} tokens already. Revoke one first.`);
      await recordSignInChange(tx, viewer.id, 'add-api-token');
      return await insertToken(tx, added, days);
    });
    return { token, apiToken };
  });

  serve(app, apiTokenEndpoints.revoke, async ({ viewer, params: { tokenId }, audit }) => {
    const owner = await findTokenOwner(db, tokenId);
    if (owner === undefined) throw new AppError('not_found', 'There is no such token.');
    if (owner !== viewer.id) throw new AppError('not_allowed', 'This token is not yours.');
    await db.transaction(async (tx) => {
      await endByEvent(tx, 'apiTokenRevoked', { userId: owner, one: { apiTokens: tokenId } });
      await audit(tx, { subject: viewer.id });
    });
    return { revoked: true as const };
  });
}
