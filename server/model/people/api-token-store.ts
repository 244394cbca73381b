import { and, desc, eq, gt, sql } from 'drizzle-orm';
import type { Pool } from 'pg';
import { type ApiTokenId, apiTokenIdSchema, type UserId, userIdSchema } from '#contract/ids.ts';
import type { ApiToken } from '#contract/sign-in/api-tokens.ts';
import { z } from 'zod';
import { ROLES } from '#contract/people/labels.ts';
import { TOKEN_SCOPES } from '#contract/sign-in/labels.ts';
import { apiTokens } from './schema.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';

const tokenUserRow = z.object({
  id: userIdSchema,
  role: z.enum(ROLES),
  email: z.string().nullable(),
  emailVerified: z.boolean(),
  replayPosition: z.string().nullable(),
  tokenId: apiTokenIdSchema,
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  isUsedLongAgo: z.boolean(),
});

/** Holds the user of an API token, and the rights of the token. */
export type TokenUser = z.infer<typeof tokenUserRow>;

const FIND_TOKEN_USER = {
  name: 'find-token-user',
  text: `
    SELECT users.id, users.role, users.email, users.email_verified AS "emailVerified",
      replay_positions.position::text AS "replayPosition", api_tokens.id AS "tokenId", api_tokens.scopes,
      coalesce(api_tokens.last_used_at < now() - interval '1 minute', true) AS "isUsedLongAgo"
    FROM api_tokens JOIN users ON users.id = api_tokens.user_id
      LEFT JOIN replay_positions ON replay_positions.user_id = users.id
    WHERE api_tokens.token_sha256 = $1 AND api_tokens.expires_at > now() AND users.suspended_at IS NULL
      AND users.deletion_due_at IS NULL
      AND ($2 OR users.issuer <> 'local')`,
};

/** Finds the user of a token, as long as it is valid. */
export async function findTokenUser(
  pool: Pool,
  tokenSha256: string,
  acceptsLocalAccounts: boolean,
): Promise<TokenUser | undefined> {
  const [user] = await queryRows(pool, tokenUserRow, {
    ...FIND_TOKEN_USER,
    values: [tokenSha256, acceptsLocalAccounts],
  });
  return user;
}

export async function recordTokenUse(db: Database, tokenId: ApiTokenId): Promise<void> {
  await db
    .update(apiTokens)
    .set({ lastUsedAt: sql`now()` })
    .where(eq(apiTokens.id, tokenId));
}

type NewToken = Pick<typeof apiTokens.$inferInsert, 'userId' | 'tokenSha256' | 'name' | 'ending' | 'scopes'>;

export async function insertToken(db: Database, token: NewToken, days: number): Promise<ApiToken> {
  const expiresAt = sql`now() + ${days}::int * interval '1 day'`;
  const [row] = await db
    .insert(apiTokens)
    .values({ ...token, expiresAt })
    .returning();
  if (!row) throw new Error('The token was not inserted.');
  return toAnswer(row);
}

/** Lists the tokens of a user that have not expired, newest first. */
export async function listTokens(db: Database, userId: UserId): Promise<ApiToken[]> {
  const rows = await db
    .select()
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), gt(apiTokens.expiresAt, sql`now()`)))
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id));
  return rows.map(toAnswer);
}

/** Finds the owner of a token; undefined where there is none. */
export async function findTokenOwner(db: Database, tokenId: ApiTokenId): Promise<UserId | undefined> {
  const [row] = await db
    .select({ userId: apiTokens.userId })
    .from(apiTokens)
    .where(eq(apiTokens.id, tokenId));
  return row?.userId;
}

function toAnswer({
  id,
  name,
  ending,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
}: typeof apiTokens.$inferSelect): ApiToken {
  return {
    id,
    name,
    ending,
    scopes,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}

/** Lists the hashes of all API tokens. */
export async function listTokenHashes(tx: Database): Promise<string[]> {
  return (await tx.select({ hash: apiTokens.tokenSha256 }).from(apiTokens)).map(({ hash }) => hash);
}

/** Deletes all API tokens but those with the given hashes. */
export async function deleteTokensExcept(tx: Database, hashes: readonly string[]): Promise<void> {
  await tx.delete(apiTokens).where(sql`${apiTokens.tokenSha256} <> ALL (${sql.param(hashes)}::text[])`);
}
