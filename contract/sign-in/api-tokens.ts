import { z } from 'zod';
import { apiTokenIdSchema } from '#contract/ids.ts';
import { endpoint, NOT_RECENT } from '#contract/endpoint.ts';
import { momentSchema } from '#contract/values.ts';
import { TOKEN_DAYS, TOKEN_NAME_CHARACTERS_MAX, TOKEN_SCOPES, TOKENS_MAX } from './labels.ts';

const apiTokenSchema = z.object({
  id: apiTokenIdSchema,
  name: z.string().meta({ examples: ['Laptop in the van'] }),
  ending: z.string().meta({ description: 'The last four characters, to tell tokens apart.' }),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  createdAt: momentSchema,
  expiresAt: momentSchema,
  lastUsedAt: momentSchema.nullable().meta({ description: 'To the minute.' }),
});

export type ApiToken = z.infer<typeof apiTokenSchema>;

export const apiTokenEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/account/tokens',
    access: 'signed_in',
    summary: 'The API tokens of the signed-in user, newest first.',
    response: z.array(apiTokenSchema),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/account/tokens',
    access: 'signed_in',
    // Most of these calls may be refused while the user corrects the input.
    limit: 60,
    // A token remains valid for up to a year after the device is signed out.
    recentSignIn: 'Sign in again to make an API token.',
    audit: 'add-api-token',
    summary: 'Makes an API token. It is answered this once; only its hash is kept.',
    body: z.object({
      name: z
        .string()
        .trim()
        .min(1, 'Please enter a name.')
        .max(TOKEN_NAME_CHARACTERS_MAX)
        .regex(/^\P{C}*$/u, 'The name must not hold invisible characters.'),
      scopes: z.array(z.enum(TOKEN_SCOPES)).min(1, 'Please choose what it may do.').max(TOKEN_SCOPES.length),
      days: z.union(TOKEN_DAYS.map((days) => z.literal(days))),
    }),
    response: z.object({
      token: z.string().meta({ examples: ['pb_4fRk2vXw8LqN0sYt6ZcBmE1uHaJdPoGi7nKrQxWyVzU'] }),
      apiToken: apiTokenSchema,
    }),
    errors: {
      conflict: `The user has ${TOKENS_MAX} tokens already.`,
      not_allowed: 'The scope `admin` is for administrators.',
      ...NOT_RECENT,
    },
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/account/tokens/:tokenId',
    access: 'signed_in',
    audit: 'revoke-api-token',
    summary: 'Revokes an own API token at once.',
    params: z.object({ tokenId: apiTokenIdSchema }),
    response: z.object({ revoked: z.literal(true) }),
  }),
};
