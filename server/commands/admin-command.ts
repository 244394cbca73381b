import { listAdministrators, setAdministrator } from '#server/model/people/role-store.ts';
import { LOCAL_ACCOUNTS } from '#server/features/sign-in/local/local-accounts.ts';
import { withDatabase } from './with-database.ts';
import { readConfig, type Config } from '#server/kernel/config/config.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError, StartError } from '#server/kernel/errors.ts';
import { fail, print } from '#server/kernel/process/terminal.ts';

/** `npm run admin` changes the roles of administrators. It works with and without a running server. */

const USAGE = `Use one of:
  npm run admin -- list
  npm run admin -- grant EMAIL
  npm run admin -- revoke EMAIL`;

type Command = { name: 'list' } | { name: 'grant' | 'revoke'; email: string };

function parseCommand([name, email, ...rest]: readonly string[]): Command {
  if (name === 'list' && email === undefined) return { name };
  if ((name === 'grant' || name === 'revoke') && email !== undefined && rest.length === 0)
    return { name, email };
  throw new StartError(USAGE);
}

async function runCommand(db: Database, config: Config, command: Command): Promise<string> {
  if (command.name === 'list') return describeAdministrators(await listAdministrators(db), config);
  const { name, email } = command;
  const count = await setAdministrator(db, email, name === 'grant').catch((error: unknown) => {
    throw error instanceof AppError ? new StartError(error.message) : error;
  });
  if (name === 'revoke') {
    if (count > 0) return `${email} is no administrator any more.${stillListed(email, config)}`;
    throw new StartError(`No user with the address ${email} has signed in.${stillListed(email, config)}`);
  }
  if (count > 0) return `${email} is an administrator now.`;
  throw new StartError(
    `No user with the verified address ${email} has signed in yet. Let them sign in once, or put the address into ADMIN_EMAILS.`,
  );
}

function stillListed(email: string, { adminEmails }: Config): string {
  return adminEmails.includes(email.toLowerCase()) ? ' ADMIN_EMAILS still names this address.' : '';
}

function describeAdministrators(
  granted: readonly string[],
  { adminEmails, oidc, hasOwnAccounts }: Config,
): string {
  const isLocal = oidc === null && !hasOwnAccounts;
  const local = isLocal ? LOCAL_ACCOUNTS.filter((account) => account.isAdministrator) : [];
  const lines = [
    ...granted,
    ...adminEmails.map((email) => `${email} (by ADMIN_EMAILS)`),
    ...local.map(({ email }) => `${email} (local account)`),
  ];
  return lines.length > 0 ? lines.join('\n') : 'There are no administrators yet.';
}

try {
  const config = readConfig();
  const command = parseCommand(process.argv.slice(2));
  print(await withDatabase(config, ({ db }) => runCommand(db, config, command)));
} catch (error) {
  fail(error);
}
