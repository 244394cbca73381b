// No schema in this file: the browser takes the words without taking the validator with them.

/** Every mail that the server sends. */
export const MAIL_KINDS = [
  'digest',
  'invitation',
  'reset',
  'sign-in',
  'sign-in-changed',
  'confirmation',
  'test',
] as const;

export type MailKind = (typeof MAIL_KINDS)[number];

/** What administrators call each. */
export const MAIL_LABELS: Record<MailKind, string> = {
  digest: 'Daily digest',
  invitation: 'Invitation',
  reset: 'New password',
  'sign-in': 'Link to sign in',
  'sign-in-changed': 'Sign-in changed',
  confirmation: 'Confirmation of an address',
  test: 'Test',
};
