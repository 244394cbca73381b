import { createTransport } from 'nodemailer';
import type { MailServer } from './mail-server.ts';
import { type Mail, renderMail } from './render-mail.ts';

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** Sends a mail to the mail server. @throws where the server does not accept it */
export async function sendMail(
  { connection, from }: MailServer,
  mail: Mail,
  { to, siteName, messageId }: { to: string; siteName: string; messageId?: string },
): Promise<void> {
  const { subject, text, html } = renderMail(mail, siteName);
  const transport = createTransport({
    ...connection,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      ...(messageId !== undefined && { messageId }),
      headers: { 'Auto-Submitted': 'auto-generated', ...listHeaders(mail) },
    });
  } finally {
    transport.close();
  }
}

/** Returns the headers for the unsubscribe button of mail programs, which sends one request (RFC 8058). */
function listHeaders({ unsubscribeUrl }: Mail): Record<string, string> {
  if (unsubscribeUrl === undefined) return {};
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

/** Tells whether the mail server refused a mail permanently, so that a retry is useless. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false;
  return error.code === 'EENVELOPE' && Number(error.responseCode) >= 500;
}
