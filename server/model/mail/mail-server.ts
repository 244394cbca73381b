import { onlyChanged } from '#server/model/audit/only-changed.ts';
import { unescape } from 'node:querystring';
import type { UserId } from '#contract/ids.ts';
import { isLoopbackHost, type MailSettingsInput, type MailStatus } from '#contract/mail/settings.ts';
import { MAIL_SECURITIES } from '#contract/mail/labels.ts';
import { type AuditEntry, insertAuditEntry } from '#server/model/audit/audit-store.ts';
import type { MailSettings } from '#server/kernel/config/config.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  findStoredMailSettings,
  deleteMailSettingsRow,
  type StoredMailSettings,
  storeMailSettings,
} from './mail-settings-store.ts';
import { openPassword, sealPassword } from './seal-password.ts';

/** Holds the mail settings of the environment, which override those that an owner has entered. */
export type MailEnvironment = { mail: MailSettings | null; cookieSecret: string };

export type MailServer = {
  from: string;
  /** The name of the server in messages. */
  name: string;
  connection:
    | { url: string; requireTLS: boolean }
    | {
        host: string;
        port: number;
        secure: boolean;
        requireTLS: boolean;
        ignoreTLS: boolean;
        auth?: { user: string; pass: string };
      };
};

const NOT_SET = 'This server sends no mail: no mail server is set.';
const UNREADABLE =
  'The password of the mail server cannot be read: COOKIE_SECRET has changed. An owner must enter it again on the page Operations.';

type MailState = { server: MailServer } | { server: null; problem: string; mayComeBack: boolean };

/** Finds the current mail server. Every mail looks it up, so that all copies of the server use a change at once. */
export async function findMailState(
  db: Database,
  { mail, cookieSecret }: MailEnvironment,
): Promise<MailState> {
  if (mail !== null) return { server: fromEnvironment(mail) };
  const stored = await findStoredMailSettings(db);
  if (stored === undefined) return { server: null, problem: NOT_SET, mayComeBack: false };
  const password = openStored(stored, stored, cookieSecret);
  if (stored.sealedPassword !== null && password === null)
    return { server: null, problem: UNREADABLE, mayComeBack: true };
  return { server: toServer(stored, password) };
}

export async function sendsMail(db: Database, environment: MailEnvironment): Promise<boolean> {
  return (await findMailState(db, environment)).server !== null;
}

/** @throws AppError `conflict` where the server cannot send mail */
export async function requireMailServer(db: Database, environment: MailEnvironment): Promise<MailServer> {
  const state = await findMailState(db, environment);
  if (state.server) return state.server;
  throw new AppError('conflict', state.problem);
}

/** Returns the fields that pages show: all except the password. */
export async function describeMail(
  db: Database,
  { mail, cookieSecret }: MailEnvironment,
): Promise<MailStatus> {
  if (mail !== null) return { mail: describeEnvironment(mail), isFixed: true };
  const stored = await findStoredMailSettings(db);
  if (stored === undefined) return { mail: null, isFixed: false };
  const { sealedPassword, ...shown } = stored;
  if (sealedPassword === null) return { mail: { ...shown, password: 'none' }, isFixed: false };
  const isReadable = openStored(stored, stored, cookieSecret) !== null;
  return { mail: { ...shown, password: isReadable ? 'set' : 'unreadable' }, isFixed: false };
}

/** Reads an entered mail server; the stored password stays without a new one. @throws AppError with the field */
export async function readTypedServer(
  db: Database,
  environment: MailEnvironment,
  typed: MailSettingsInput,
): Promise<MailServer> {
  return toServer(typed, await findTypedPassword(db, environment, typed));
}

/** Stores the entered settings, with an audit entry. @throws AppError `conflict`, `invalid_input` for the field */
export async function saveMailSettings(
  tx: Database,
  environment: MailEnvironment,
  { typed, userId }: { typed: MailSettingsInput; userId: UserId },
): Promise<void> {
  const password = await findTypedPassword(tx, environment, typed);
  const before = await findStoredMailSettings(tx);
  const { host, port, security, userName, from } = typed;
  const account = { host, port, security, userName };
  const sealedPassword =
    password === null ? null : sealPassword(environment.cookieSecret, password, nameAccount(account));
  await storeMailSettings(tx, { ...account, from, sealedPassword });
  const changes = {
    server: [before ? nameServer(before) : null, nameServer(account)],
    userName: [before?.userName || null, userName || null],
    sender: [before?.from ?? null, from],
    password: [before?.sealedPassword ? 'set' : null, namePassword(password, typed)],
  } satisfies AuditEntry['changes'];
  await insertAuditEntry(tx, { userId, action: 'change-mail', counts: {}, changes: onlyChanged(changes) });
}

/** Deletes the stored mail server, with an audit entry. @throws AppError `conflict` where there is none */
export async function deleteMailSettings(
  tx: Database,
  { mail }: MailEnvironment,
  userId: UserId,
): Promise<void> {
  const before = await findStoredMailSettings(tx);
  if (mail !== null || before === undefined) throw new AppError('conflict', mail ? FIXED : NOT_SET);
  await deleteMailSettingsRow(tx);
  const changes = { server: [nameServer(before), null] } satisfies AuditEntry['changes'];
  await insertAuditEntry(tx, { userId, action: 'change-mail', counts: {}, changes });
}

const FIXED = 'The settings SMTP_URL and MAIL_FROM of the server say how mail is sent. Change it there.';

type Account = Pick<StoredMailSettings, 'host' | 'port' | 'security' | 'userName'>;

/** Returns the name of a mail server in the audit log. */
export function nameServer({ host, port, security }: Pick<Account, 'host' | 'port' | 'security'>): string {
  return `${host}:${port} (${security === 'none' ? 'unencrypted' : MAIL_SECURITIES[security].label})`;
}

function namePassword(password: string | null, typed: MailSettingsInput): string | null {
  if (password === null) return null;
  return typed.password === undefined ? 'set' : 'replaced';
}

// The stored password belongs to one account, so that no administrator can send it to another mail server.
const nameAccount = ({ host, port, security, userName }: Account): string =>
  JSON.stringify([host, port, security, userName]);

function openStored(stored: StoredMailSettings, account: Account, cookieSecret: string): string | null {
  if (stored.sealedPassword === null) return null;
  return openPassword(cookieSecret, stored.sealedPassword, nameAccount(account));
}

async function findTypedPassword(
  db: Database,
  { mail, cookieSecret }: MailEnvironment,
  typed: MailSettingsInput,
): Promise<string | null> {
  if (mail !== null) throw new AppError('conflict', FIXED);
  if (typed.userName === '') return null;
  if (typed.password !== undefined) return typed.password;
  const stored = await findStoredMailSettings(db);
  const password = stored && openStored(stored, typed, cookieSecret);
  if (password) return password;
  const problem = stored?.sealedPassword
    ? 'Enter the password again: the stored one is for another server or user name, or can no longer be read.'
    : 'Enter the password.';
  throw new AppError('invalid_input', problem, { fields: { password: problem } });
}

function toServer(
  { host, port, security, userName, from }: Account & { from: string },
  password: string | null,
): MailServer {
  return {
    from,
    name: `${host}:${port}`,
    connection: {
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(password !== null && { auth: { user: userName, pass: password } }),
    },
  };
}

function fromEnvironment({ smtpUrl, from }: MailSettings): MailServer {
  const { host, hostname, username } = new URL(smtpUrl);
  return {
    from,
    name: host,
    // Credentials are sent only over TLS, except within this computer.
    connection: { url: smtpUrl, requireTLS: username !== '' && !isLoopbackHost(hostname) },
  };
}

function describeEnvironment({ smtpUrl, from }: MailSettings): NonNullable<MailStatus['mail']> {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const security = protocol === 'smtps:' ? 'tls' : 'starttls';
  return {
    host: hostname,
    port: port === '' ? MAIL_SECURITIES[security].port : Number(port),
    security,
    userName: unescape(username),
    from,
    password: password === '' ? 'none' : 'set',
  };
}
