import { ApiError } from '#web/api/api-error.ts';

/** How much of a request has left the browser; the form's own bytes are included. */
export type SentBytes = { loadedBytes: number; totalBytes: number };

type SendOptions = { signal: AbortSignal; onProgress: (sent: SentBytes) => void };

/**
 * Posts a form and tells how far it is on its way, which fetch cannot do. Gives the JSON answer; throws an
 * ApiError where it is not a success, and an AbortError when `signal` stops it.
 */
export function sendForm(url: string, form: FormData, { signal, onProgress }: SendOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    request.withCredentials = true;
    request.upload.addEventListener('progress', (event) => {
      onProgress({ loadedBytes: event.loaded, totalBytes: event.total });
    });
    request.addEventListener('load', () => {
      try {
        resolve(readAnswer(request));
      } catch (error) {
        reject(error);
      }
    });
    request.addEventListener('error', () => reject(new TypeError('The connection was lost.')));
    request.addEventListener('abort', () => reject(new DOMException('Stopped.', 'AbortError')));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

function readAnswer(request: XMLHttpRequest): unknown {
  if (request.status >= 200 && request.status < 300) return JSON.parse(request.responseText);
  throw new ApiError(request.status, request.statusText, request.responseText);
}
