// The answer of a mail server helps an administrator most. The first bytes of another kind of server do not.
const ANSWER = /^\d{3}[ -]/;
const ANSWER_CHARACTERS_MAX = 300;

const CERTIFICATE = /certificate|cert_|_cert|altname|unable_to_verify|unable_to_get_issuer/i;
const NO_TLS = /wrong.version|packet.length|unexpected.message/i;

type Failure = { code: string; originalCode: string; command: string; response: string; message: string };

/** Explains to an administrator why a mail server did not accept a mail. */
export function explainMailFailure(error: unknown, serverName: string): string {
  const failure = readFailure(error);
  const reason = findReason(failure, serverName);
  const answer = ANSWER.test(failure.response)
    ? ` It says: “${failure.response
        .replaceAll(/\p{Cc}+/gu, ' ')
        .slice(0, ANSWER_CHARACTERS_MAX)
        .trim()}”`
    : '';
  return reason + answer;
}

function findReason({ code, originalCode, command, message }: Failure, serverName: string): string {
  const cause = `${originalCode} ${message}`;
  if (NO_TLS.test(cause)) return `${serverName} does not begin with TLS. Choose STARTTLS, or another port.`;
  if (CERTIFICATE.test(cause))
    return `The certificate of ${serverName} is not valid for this name: it has expired, is for another name, or is signed by the server itself.`;
  switch (code) {
    case 'EAUTH':
      return `${serverName} does not accept the user name and the password.`;
    case 'EDNS':
      return `There is no server with the name ${serverName}.`;
    case 'ETIMEDOUT':
      return `${serverName} does not answer in time. Look at the port and at the kind of encryption.`;
    case 'ETLS':
      return `${serverName} offers no STARTTLS, or it failed. Choose TLS, or another port.`;
    case 'EPROTOCOL':
      return `What answers at ${serverName} is not a mail server.`;
    case 'EENVELOPE':
      return explainEnvelope(command, serverName);
    case 'ECONNECTION':
    case 'ESOCKET':
      return explainConnection(cause, serverName);
    default:
      return `${serverName} did not take the mail.`;
  }
}

function explainEnvelope(command: string, serverName: string): string {
  if (command === 'MAIL FROM') return `${serverName} does not send mails of this sender.`;
  if (command === 'RCPT TO') return `${serverName} does not take mails for this address.`;
  return `${serverName} did not take the mail.`;
}

function explainConnection(cause: string, serverName: string): string {
  if (cause.includes('ENOTFOUND')) return `There is no server with the name ${serverName}.`;
  if (cause.includes('ECONNREFUSED')) return `Nothing listens at ${serverName}. Look at the port.`;
  return `The connection to ${serverName} failed. Look at the name, the port and the kind of encryption.`;
}

function readFailure(error: unknown): Failure {
  const read = (name: string): string => {
    const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, name) : '';
    return typeof value === 'string' ? value : '';
  };
  return {
    code: read('code'),
    originalCode: read('originalCode'),
    command: read('command'),
    response: read('response'),
    message: read('message'),
  };
}
