import { z } from 'zod';
import { emailSchema, tokenSchema } from '#contract/sign-in/credential-fields.ts';
import { endpoint, NOT_RECENT } from '#contract/endpoint.ts';
import { MAIL_KINDS } from './labels.ts';
import { mailSettingsSchema, mailStatusSchema } from './settings.ts';

const sent = z.object({
  sent: z.literal(true).meta({ description: 'Says nothing about whether there is such an account.' }),
});
const NO_MAIL = { conflict: 'No mail server is set.' };
// The mail server sees the password links of everybody: an administrator who chose it could become an owner.
const CHANGES = {
  not_allowed: 'The caller is no owner.',
  ...NOT_RECENT,
  conflict: 'SMTP_URL is set, which goes before what is stored.',
};
const CHANGE_SENTENCE = 'Sign in again to change how mail is sent.';
const NOT_TAKEN = { unavailable: 'The mail server did not take it; the message says why.' };
const testSent = z.object({ sentTo: z.string() });
const UNSUBSCRIBE_QUERY = z.object({
  token: z.string().max(200).meta({ description: 'The token that signs the link of the mail.' }),
});

export const mailEndpoints = {
  sendReset: endpoint({
    method: 'POST',
    path: '/api/auth/reset/mail',
    access: 'public',
    limit: 20,
    summary: 'Mails a link that sets a new password to an address, if there is an account with it.',
    body: z.object({ email: emailSchema }),
    response: sent,
    errors: NO_MAIL,
  }),
  sendSignInLink: endpoint({
    method: 'POST',
    path: '/api/auth/sign-in-link/mail',
    access: 'public',
    limit: 20,
    summary: 'Mails a link that signs in, if there is an account with the address.',
    body: z.object({ email: emailSchema }),
    response: sent,
    errors: NO_MAIL,
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
    limit: 20,
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
    summary: 'Whether this server sends mail, and through which mail server.',
    response: mailStatusSchema,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/admin/mail',
    access: 'owner',
    limit: 20,
    recentSignIn: CHANGE_SENTENCE,
    audit: 'change-mail',
    summary:
      'Sets the mail server of all copies of this server. For owners, with a sign-in of the last 15 minutes.',
    body: mailSettingsSchema,
    response: mailStatusSchema,
    errors: CHANGES,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/admin/mail',
    access: 'owner',
    limit: 20,
    recentSignIn: CHANGE_SENTENCE,
    audit: 'change-mail',
    summary:
      'Forgets the mail server: no mail is sent any more. For owners, with a sign-in of the last 15 minutes.',
    response: mailStatusSchema,
    errors: CHANGES,
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
    // Each call may connect to a server that the user chooses, and wait for its answer.
    limit: 20,
    audit: 'send-test-mail',
    summary: 'Sends a test mail to the address of the caller, and waits for the mail server.',
    response: testSent,
    errors: { conflict: 'No mail server is set, or the caller has no address.', ...NOT_TAKEN },
  }),
  testSettings: endpoint({
    method: 'POST',
    path: '/api/admin/mail/settings/test',
    access: 'owner',
    // Each call may connect to a server that the user chooses, and wait for its answer.
    limit: 20,
    recentSignIn: CHANGE_SENTENCE,
    audit: 'send-test-mail',
    summary:
      'Sends a test mail to the address of the caller with settings that are not stored. For owners, with a sign-in of the last 15 minutes.',
    body: mailSettingsSchema,
    response: testSent,
    errors: { ...CHANGES, conflict: 'SMTP_URL is set, or the caller has no address.', ...NOT_TAKEN },
  }),
};

/** The calls of the set-up, before there is an owner. */
export const setUpMailEndpoints = {
  testAtSetUp: endpoint({
    method: 'POST',
    path: '/api/auth/set-up/mail-test',
    access: 'public',
    // Each call may connect to a server that the user chooses, and wait for its answer.
    limit: 20,
    audit: 'send-test-mail',
    summary: 'Sends a test mail with the settings from the page of the set-up link; the link remains valid.',
    body: z.object({ token: tokenSchema, to: emailSchema, mail: mailSettingsSchema }),
    response: testSent,
    errors: {
      not_found: 'The link has been used, has expired or never was one.',
      conflict: 'SMTP_URL is set.',
      ...NOT_TAKEN,
    },
  }),
};
