import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { type AddressRules, type Resolve, resolvePublicAddress } from '#server/kernel/http/public-address.ts';

const ANSWER_WITHIN_MS = 10_000;
const HEADER_BYTES_MAX = 8_192;

export type WebhookCall = { url: string; body: string; secret: string };

export type PostOptions = AddressRules & {
  version: string;
  resolve?: Resolve;
  answerWithinMs?: number;
};

/** Sends a message, without redirects; returns the status. @throws BlockedAddressError, or what prevented it */
export async function postWebhook(call: WebhookCall, options: PostOptions): Promise<number> {
  const url = new URL(call.url);
  const { address, family } = await resolvePublicAddress(url.hostname, options, options.resolve);
  // The connection uses the checked IP address; the name is for TLS and the Host header only.
  const lookup: LookupFunction = (_host, { all }, done) =>
    all ? done(null, [{ address, family }]) : done(null, address, family);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return await new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(options.answerWithinMs ?? ANSWER_WITHIN_MS);
    const sent = request(url, {
      method: 'POST',
      lookup,
      signal,
      agent: false,
      maxHeaderSize: HEADER_BYTES_MAX,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(call.body),
        'user-agent': `Pitboard/${options.version}`,
        'pitboard-signature': signWebhook(call, Math.floor(Date.now() / 1000)),
      },
    });
    sent.once('response', (response) => {
      response.destroy();
      resolve(response.statusCode ?? 0);
    });
    sent.once('error', (error) =>
      reject(signal.aborted ? new Error('There was no answer in time.', { cause: error }) : error),
    );
    sent.end(call.body);
  });
}

/** Signs a message: `t=` is the second of sending, `v1=` is HMAC-SHA256 of that second, a full stop and the body, in hex. */
function signWebhook({ body, secret }: Omit<WebhookCall, 'url'>, timestampSeconds: number): string {
  const signature = createHmac('sha256', secret).update(`${timestampSeconds}.${body}`).digest('hex');
  return `t=${timestampSeconds},v1=${signature}`;
}
