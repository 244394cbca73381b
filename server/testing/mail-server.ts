import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';

/** One mail, as a mailbox gets it; the body is decoded from quoted-printable, with all its parts. */
export type ReceivedMail = { from: string; to: string[]; headers: string; body: string };

export type MailServer = {
  port: number;
  url: string;
  /** The mails in the order in which they arrived. */
  received: ReceivedMail[];
  /** Refuses recipients with this status from now on; null ends that. */
  refuse: (responseCode: number | null) => void;
  /** Forgets what arrived, and refuses nothing. */
  reset: () => void;
  close: () => Promise<void>;
};

type MailServerOptions = {
  /** The only account; without it, anybody may send. */
  account?: { user: string; password: string };
  /** The only sender; without it, any. */
  sender?: string;
  /** With a certificate that it has signed itself. */
  encryption?: 'tls' | 'starttls';
};

/** A real mail server on this computer. */
export async function startMailServer({
  account,
  sender,
  encryption,
}: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    authOptional: account === undefined,
    allowInsecureAuth: true,
    secure: encryption === 'tls',
    disabledCommands: encryption === 'starttls' ? [] : ['STARTTLS'],
    onAuth: ({ username, password }, _session, callback) =>
      account && username === account.user && password === account.password
        ? callback(null, { user: username })
        : callback(Object.assign(new Error('Wrong user name or password.'), { responseCode: 535 })),
    onMailFrom: ({ address }, _session, callback) =>
      callback(
        sender === undefined || address === sender
          ? null
          : Object.assign(new Error('Not your address.'), { responseCode: 553 }),
      ),
    onRcptTo: (_address, _session, callback) =>
      callback(refusal === null ? null : Object.assign(new Error('Not now.'), { responseCode: refusal })),
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('end', () => {
        const [headers = '', ...body] = Buffer.concat(chunks).toString().split('\r\n\r\n');
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          headers,
          body: decode(body.join('\n\n')),
        });
        callback();
      });
    },
  });
  // A client that does not like the certificate hangs up.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The mail server has no port.');
  return {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    refuse: (responseCode) => {
      refusal = responseCode;
    },
    reset: () => {
      received.length = 0;
      refusal = null;
    },
    close: () => new Promise((done) => server.close(done)),
  };
}

function decode(quotedPrintable: string): string {
  const bytes = quotedPrintable
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
