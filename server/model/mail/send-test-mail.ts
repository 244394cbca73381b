import { AppError } from '#server/kernel/errors.ts';
import type { WriteAudit } from '#server/kernel/http/endpoint-hooks.ts';
import type { Services } from '#server/model/services.ts';
import { explainMailFailure } from './explain-mail-failure.ts';
import type { MailServer } from './mail-server.ts';
import { writeTest } from './mails.ts';
import { findSite } from './send-mail.ts';
import { sendMail } from './transport.ts';

/** Sends a test, with an audit entry. @throws AppError `unavailable` with the answer of the mail server */
export async function sendTestMail(
  { database: { db }, settings: { publicUrl } }: Pick<Services, 'database' | 'settings'>,
  { server, to, audit }: { server: MailServer; to: string; audit: WriteAudit },
): Promise<{ sentTo: string }> {
  const site = await findSite(db, publicUrl);
  const recordResult = (result: string): Promise<void> =>
    audit(db, { changes: { server: [null, server.name], result: [null, result] } });
  try {
    await sendMail(server, writeTest(site), { to, siteName: site.name });
  } catch (error) {
    await recordResult('refused');
    throw new AppError('unavailable', explainMailFailure(error, server.name), { cause: error });
  }
  await recordResult('taken');
  return { sentTo: to };
}
