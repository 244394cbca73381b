import { z } from 'zod';
import { emailSchema, tokenSchema } from './credential-fields.ts';
import { endpoint } from './endpoint.ts';
import { MAIL_KINDS } from './mail-labels.ts';

const sent = z.object({
  sent: z.literal(true).meta({ description: 'Says nothing about whether there is such an account.' }),
});
const NO_MAIL = { conflict: 'The setting SMTP_URL is missing.' };
const UNSUBSCRIBE_QUERY = z.object({
  token: z.string().max(200).meta({ description: 'What signs the link of the mail.' }),
});

export const mailEndpoints = {
  sendReset: endpoint({
    method: 'POST',
    path: '/api/auth/reset/mail',
    access: 'public',
    summary: 'Mails a link that sets a new password to an address, if there is an account with it.',
    body: z.object({ email: emailSchema }),
    response: sent,
    errors: NO_MAIL,
  }),
  sendSignInLink: endpoint({
    method: 'POST',
    path: '/api/auth/sign-in-link/mail',
    access: 'public',
    summary: 'Mails a link that signs in, if there is an account with the address.',
    body: z.object({ email: emailSchema }),
    response: sent,
    errors: NO_MAIL,
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/auth/confirmation',
    access: 'public',
    summary: 'Confirms, with the link of a mail, that the address of an account belongs to its owner.',
    body: z.object({ token: tokenSchema }),
    response: z.object({ confirmed: z.literal(true) }),
    errors: { not_found: 'The link has been used, has expired or never was one.' },
  }),
  unsubscribePage: endpoint({
    method: 'GET',
    path: '/api/mail/unsubscribe',
    access: 'public',
    summary: 'A page with a button that switches Email Updates off; without a sign-in.',
    query: UNSUBSCRIBE_QUERY,
    response: 'text/html',
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/api/mail/unsubscribe',
    access: 'public',
    summary:
      'Switches Email Updates off; mail programs call it by themselves (RFC 8058). Takes any form, or nothing.',
    query: UNSUBSCRIBE_QUERY,
    rawBody: { bytesMax: 1_000 },
    response: 'text/html',
  }),
};

export const mailAdministrationEndpoints = {
  status: endpoint({
    method: 'GET',
    path: '/api/admin/mail',
    access: 'admin',
    summary: 'Whether this server sends mail.',
    response: z.object({
      mail: z
        .object({ from: z.string(), server: z.string() })
        .nullable()
        .meta({ description: 'The sender and the mail server; null: the setting SMTP_URL is missing.' }),
    }),
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/admin/mail/previews/:kind',
    access: 'admin',
    summary: 'One of the mails with example data, as HTML or as the plain text next to it.',
    params: z.object({ kind: z.enum(MAIL_KINDS) }),
    query: z.object({ part: z.enum(['html', 'text']).default('html') }),
    response: 'text/html',
  }),
  sendTest: endpoint({
    method: 'POST',
    path: '/api/admin/mail/test',
    access: 'admin',
    summary: 'Sends a test mail to the address of the caller, and waits for the mail server.',
    response: z.object({ sentTo: z.string() }),
    errors: {
      conflict: 'The setting SMTP_URL is missing, or the caller has no address.',
      unavailable: 'The mail server did not take it; the message says why.',
    },
  }),
};
