// SQLSTATE classes 08 (connection) and 57P (shut down, starting up), 53300 (too many connections), 25006 (it can only be read:
// another one is about to take over), and the words of sockets and of the search for a name.
const UNAVAILABLE =
  /^(?:08\w{3}|57P\d{2}|53300|25006|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

const UNAVAILABLE_SENTENCES =
  /timeout exceeded when trying to connect|Connection terminated|Client (?:was closed|has encountered a connection error) and is not queryable/;

/** SQLSTATE of a change that was refused because the server can only be read. */
export const READ_ONLY = '25006';

/** The server at the address of the primary is a replica. */
export class ReadOnlyError extends Error {
  override readonly name = 'ReadOnlyError';
  readonly code = READ_ONLY;
  readonly severity = 'FATAL';

  constructor() {
    super('The server at the address of the database is a replica, which takes no changes.');
  }
}

/** Whether the error, or what caused it, says that the database cannot be reached or takes no changes. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (isFromDatabase(error) && UNAVAILABLE.test(findErrorCode(error) ?? '')) return true;
  return UNAVAILABLE_SENTENCES.test(error.message) || isDatabaseUnavailable(error.cause);
}

/** The code of the error or of what caused it; undefined where there is none. */
export function findErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : findErrorCode(error.cause);
}

// Errors of files and of other services have the same codes.
const fromConnections = new WeakSet<Error>();

/** Must be called with every error of a database connection: a socket's error does not say whose socket it was. */
export function recordConnectionError(error: unknown): void {
  if (error instanceof Error) fromConnections.add(error);
}

function isFromDatabase(error: Error): boolean {
  if ('severity' in error || fromConnections.has(error)) return true;
  return 'syscall' in error && ['connect', 'getaddrinfo'].includes(String(error.syscall));
}
