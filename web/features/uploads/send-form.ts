import { ApiError } from '#web/api/api-error.ts';

/** How much of a request has left the browser; the form's own bytes are included. */
export type SentBytes = { loadedBytes: number; totalBytes: number };

/** The request has not reached the server, or its answer has not come back. */
export class LostConnectionError extends Error {
  override readonly name = 'LostConnectionError';
}

type SendOptions = { signal: AbortSignal; onProgress: (sent: SentBytes) => void };

/**
 * Posts a form and tells how far it is on its way, which fetch cannot do. Gives the text of the answer; throws an
 * ApiError where it is not a success, a LostConnectionError where there is none, and an AbortError when `signal`
 * stops it.
 */
export function sendForm(url: string, form: FormData, { signal, onProgress }: SendOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.withCredentials = true;
    request.upload.addEventListener('progress', (event) => {
      onProgress({ loadedBytes: event.loaded, totalBytes: event.total });
    });
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request;
      if (status >= 200 && status < 300) resolve(responseText);
      else reject(new ApiError(status, statusText, responseText));
    });
    request.addEventListener('error', () => {
      reject(new LostConnectionError('The connection was lost. Please try again.'));
    });
    request.addEventListener('abort', () => reject(new DOMException('Stopped.', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}
