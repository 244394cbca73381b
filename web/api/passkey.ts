import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { ApiError } from './api-error.ts';
import type { Send } from './refresh.ts';

type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Signs in with a passkey of this device or of a nearby one; throws an ApiError with a sentence for people. */
export async function signWithPasskey(send: Send): Promise<void> {
  const { options } = await send('POST /api/auth/passkey/options');
  // The library wants absent fields to be absent, not undefined.
  const optionsJSON: RequestOptions = JSON.parse(JSON.stringify(options));
  const credential = await explain(() => startAuthentication({ optionsJSON }));
  const { id, rawId, response } = credential;
  await send('POST /api/auth/passkey', {
    body: { credential: { id, rawId, type: 'public-key', response } },
  });
}

/** Adds a passkey to the account of the signed-in user; throws an ApiError. */
export async function createPasskey(send: Send, name: string): Promise<void> {
  const { options } = await send('POST /api/account/passkeys/options');
  const optionsJSON: CreationOptions = JSON.parse(JSON.stringify(options));
  const { id, rawId, response } = await explain(() => startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject } = response;
  await send('POST /api/account/passkeys', {
    body: {
      name,
      credential: { id, rawId, type: 'public-key', response: { clientDataJSON, attestationObject } },
    },
  });
}

/** Replaces an error of the browser, which is written for programmers, by a sentence. */
async function explain<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    const message = 'No passkey was used. Try again, or choose another way.';
    throw new ApiError(400, 'Bad Request', JSON.stringify({ message }));
  }
}
