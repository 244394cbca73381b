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

export const MAIL_LABELS: Record<MailKind, string> = {
  digest: 'Daily digest',
  invitation: 'Invitation',
  reset: 'New password',
  'sign-in': 'Link to sign in',
  'sign-in-changed': 'Sign-in changed',
  confirmation: 'Confirmation of an address',
  test: 'Test',
};

/** The kinds of encryption for the connection to a mail server, each with its label and usual port. */
export const MAIL_SECURITIES = {
  tls: { label: 'TLS', port: 465 },
  starttls: { label: 'STARTTLS', port: 587 },
  none: { label: 'None', port: 25 },
} as const;

export type MailSecurity = keyof typeof MAIL_SECURITIES;

export const MAIL_SECURITY_NAMES = ['tls', 'starttls', 'none'] as const satisfies readonly MailSecurity[];
