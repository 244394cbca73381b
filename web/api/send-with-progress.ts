import { ApiError } from './api-error.ts';
import { noteAnswer } from './lost-sign-in.ts';

/** How much of a request has left the browser; what surrounds the files in a form is included. */
export type SentBytes = { loadedBytes: number; totalBytes: number };

export type SendOptions = { signal: AbortSignal; onProgress: (sent: SentBytes) => void };

/** The request has not reached the server, or its answer has not come back. */
export class LostConnectionError extends Error {
  override readonly name = 'LostConnectionError';
}

type Sending = { method: 'POST' | 'PUT'; url: string; body: FormData | Blob };

/**
 * Sends a form or a file and tells how far it is on its way, which fetch cannot do. Gives the text of the answer; throws
 * an ApiError where it is not a success, a LostConnectionError where there is none, and an AbortError when `signal`
 * stops it. Cookies go to our own addresses only: one elsewhere carries its permission in itself.
 */
export function sendWithProgress(
  { method, url, body }: Sending,
  { signal, onProgress }: SendOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.upload.addEventListener('progress', (event) => {
      onProgress({ loadedBytes: event.loaded, totalBytes: event.total });
    });
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request;
      noteAnswer(url, status);
      if (status >= 200 && status < 300) resolve(responseText);
      else reject(new ApiError(status, statusText, responseText));
    });
    request.addEventListener('error', () => {
      reject(new LostConnectionError('The connection was lost. Please try again.'));
    });
    request.addEventListener('abort', () => reject(new DOMException('Stopped.', 'AbortError')));
    signal.throwIfAborted();
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
