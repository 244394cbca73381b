import { z } from 'zod';
import { cleanName } from '#contract/names.ts';

/** Names the embedded provider on every host and port, so that its people stay the same when the port changes. */
export const LOCAL_ISSUER = 'local';

/** Names the issuer of users whose account is one of this server. */
export const OWN_ISSUER = 'own';

/**
 * Names the issuer of the drivers of the demo community. Only the local accounts, which work on this computer alone, sign
 * in as some of them.
 */
export const DEMO_ISSUER = 'demo';

/** Describes a driver of the demo community; `subject` stays the same for all seasons. */
export type DemoPerson = { subject: string; firstName: string; lastName: string };

/** Describes a person with the claims of the sign-in provider. */
export type Identity = {
  issuer: string;
  subject: string;
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
  email: string | null;
  emailVerified: boolean;
};

const NAME_CHARACTERS_MAX = 200;
const text = z
  .string()
  .transform((value) => cleanName(value).slice(0, NAME_CHARACTERS_MAX))
  .pipe(z.string().min(1))
  .optional()
  .catch(undefined);

// Providers send different claims, and some send empty texts: a claim that cannot be used counts as absent.
const claimsSchema = z.object({
  given_name: text,
  family_name: text,
  name: text,
  email: z.email().max(320).optional().catch(undefined),
  // Some providers send the text "true".
  email_verified: z.union([z.boolean(), z.literal('true').transform(() => true)]).catch(false),
});

/** Reads a person from the claims of an ID token or a user-info answer. */
export function identityFromClaims(
  issuer: string,
  subject: string,
  claims: Record<string, unknown>,
): Identity {
  const { name, email, email_verified, ...names } = claimsSchema.parse(claims);
  const isNamedInParts = names.given_name !== undefined || names.family_name !== undefined;
  const [firstName, lastName] = isNamedInParts ? [names.given_name, names.family_name] : splitName(name);
  const fullName = [firstName, lastName].filter((part) => part !== undefined).join(' ');
  return {
    issuer,
    subject,
    firstName: firstName ?? null,
    lastName: lastName ?? null,
    fullName: fullName === '' ? null : fullName,
    email: email ?? null,
    emailVerified: email !== undefined && email_verified,
  };
}

/** Splits a name into two parts that give the name again when joined. */
function splitName(name: string | undefined): [string | undefined, string | undefined] {
  const words = name?.split(/\s+/) ?? [];
  return words.length > 1 ? [words.slice(0, -1).join(' '), words.at(-1)] : [words[0], undefined];
}
