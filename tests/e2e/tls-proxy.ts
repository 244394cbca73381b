import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import { generate } from 'selfsigned';

/** A public name, which the browser of the story looks up on this computer. */
export const PUBLIC_HOST = 'laps.example';

const { private: key, cert } = await generate([{ name: 'commonName', value: PUBLIC_HOST }], {
  keyType: 'ec',
  extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: PUBLIC_HOST }] }],
});

const publicKey = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });

/**
 * Chromium trusts this one certificate as if it came from an authority. Accepting any certificate would not do: on a page with an error
 * of its certificate, browsers make no passkeys.
 */
export const TRUST_PROXY_ARGUMENTS = [
  `--host-resolver-rules=MAP ${PUBLIC_HOST} 127.0.0.1`,
  `--ignore-certificate-errors-spki-list=${createHash('sha256').update(publicKey).digest('base64')}`,
];

/** Ends TLS in front of a server on this computer, as Caddy or nginx does. */
export async function startTlsProxy(proxyPort: number, serverPort: number): Promise<() => Promise<void>> {
  const proxy = createServer({ key, cert }, (incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': incoming.socket.remoteAddress,
      'x-forwarded-proto': 'https',
    };
    const { url: path, method } = incoming;
    const passed = request({ host: '127.0.0.1', port: serverPort, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  proxy.listen(proxyPort, '127.0.0.1');
  await once(proxy, 'listening');
  return async () => {
    proxy.close();
    proxy.closeAllConnections();
    await once(proxy, 'close');
  };
}
