import { DEMO_ISSUER, type DemoPerson, LOCAL_ISSUER } from '#server/model/people/identity.ts';
import type { AppSettings } from '#server/model/services.ts';

/** An account of the embedded provider; the people are invented. */
export type LocalAccount = {
  id: string;
  firstName: string;
  lastName: string;
  /** The value is null for drivers of the demo community. */
  email: string | null;
  isAdministrator: boolean;
};

const account = (
  id: string,
  firstName: string,
  lastName: string,
  isAdministrator = false,
): LocalAccount & { email: string } => ({
  id,
  firstName,
  lastName,
  email: `${id}@pitboard.example`,
  isAdministrator,
});

/** These accounts sign in without an outside provider. */
export const LOCAL_ACCOUNTS = [
  account('mara.lindqvist', 'Mara', 'Lindqvist', true),
  account('theo.okafor', 'Theo', 'Okafor'),
  account('priya.venkat', 'Priya', 'Venkat'),
  account('jonas.weidner', 'Jonas', 'Weidner'),
];

/** The addresses of those among them who run the site. */
export const LOCAL_ADMINISTRATORS = LOCAL_ACCOUNTS.flatMap(({ isAdministrator, email }) =>
  isAdministrator ? [email] : [],
);

/** Local accounts need no password, so they work on this computer only. */
export function hasLocalAccounts({
  oidc,
  hasOwnAccounts,
}: Pick<AppSettings, 'oidc' | 'hasOwnAccounts'>): boolean {
  return oidc === null && !hasOwnAccounts;
}

const DEMO_PREFIX = 'demo:';

/** Builds the account of a driver of the demo community. */
export function demoAccount({ subject, firstName, lastName }: DemoPerson): LocalAccount {
  return { id: DEMO_PREFIX + subject, firstName, lastName, email: null, isAdministrator: false };
}

/** Splits the id of a local account into issuer and subject. */
export function readAccountId(id: string): { issuer: string; subject: string } {
  return id.startsWith(DEMO_PREFIX)
    ? { issuer: DEMO_ISSUER, subject: id.slice(DEMO_PREFIX.length) }
    : { issuer: LOCAL_ISSUER, subject: id };
}
