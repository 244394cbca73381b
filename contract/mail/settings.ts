import { z } from 'zod';
import { MAIL_SECURITY_NAMES } from './labels.ts';

const NO_INVISIBLE = /^[^\p{Cc}]*$/u;

/** The sender of all mails: an e-mail address, or a name and an e-mail address in angle brackets. */
export const MAIL_SENDER = /^(?:[^<>\p{Cc}]+ <[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u;

/** Returns true for a host that is this computer: data sent to it passes through no network. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.[\d.]+$/.test(host);
}

function isHost(host: string): boolean {
  return z.hostname().safeParse(host).success || z.ipv6().safeParse(host).success;
}

const mailServerFields = {
  host: z
    .string()
    .trim()
    .toLowerCase()
    .max(253)
    .refine(isHost, 'Enter the name of the mail server alone, such as mail.example.org.')
    .meta({ examples: ['mail.example.org'] }),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .meta({ examples: [587] }),
  security: z.enum(MAIL_SECURITY_NAMES),
  userName: z
    .string()
    .trim()
    .max(254)
    .regex(NO_INVISIBLE, 'The user name must not hold invisible characters.')
    .meta({ description: 'Empty: the mail server wants no sign-in.', examples: ['laps@example.org'] }),
  from: z
    .string()
    .trim()
    .max(320)
    .regex(MAIL_SENDER, 'Enter an e-mail address, such as Kart Club <laps@example.org>.')
    .meta({ examples: ['Kart Club <laps@example.org>'] }),
};

export const mailSettingsSchema = z
  .object({
    ...mailServerFields,
    password: z
      .string()
      .min(1, 'Enter the password.')
      .max(512)
      .regex(NO_INVISIBLE, 'The password must not hold invisible characters.')
      .optional()
      .meta({
        description: 'Left out: the stored one, for the same server, port, encryption and user name.',
      }),
  })
  .superRefine(({ host, security, userName, password }, context) => {
    if (userName !== '' && security === 'none' && !isLoopbackHost(host))
      context.addIssue({
        code: 'custom',
        path: ['security'],
        message: 'Choose TLS or STARTTLS: a password is not sent unencrypted.',
      });
    if (userName === '' && password !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['userName'],
        message: 'Enter the user name of this password.',
      });
  });

export type MailSettingsInput = z.output<typeof mailSettingsSchema>;

export const mailStatusSchema = z.object({
  mail: z
    .object({
      host: z.string(),
      port: z.int(),
      security: z.enum(MAIL_SECURITY_NAMES),
      userName: z.string(),
      from: z.string(),
      password: z.enum(['none', 'set', 'unreadable']).meta({
        description: 'The password itself is never answered. `unreadable`: COOKIE_SECRET has changed since.',
      }),
    })
    .nullable()
    .meta({ description: 'Null: no mail is sent.' }),
  isFixed: z.boolean().meta({
    description: 'True if SMTP_URL and MAIL_FROM of the server set it; they override the stored settings.',
  }),
});

export type MailStatus = z.infer<typeof mailStatusSchema>;
