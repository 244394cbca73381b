import { ApiError, LostConnectionError } from './api-error.ts';
import { reportFailure, reportResponseStatus } from './session-expired.ts';
import type { Send } from './refresh.ts';

/** The bytes of a request that have left the browser, including the other parts of a form. */
export type SentBytes = { loadedBytes: number; totalBytes: number };

export type SendOptions = { signal: AbortSignal; onProgress: (sent: SentBytes) => void };

/**
 * Sends a form or a file and reports its progress, which fetch cannot do. Returns the text of the answer; throws an
 * ApiError for a failed call, a LostConnectionError without an answer, and an AbortError after `signal` aborts. Cookies
 * go to this site's own URLs only: a signed upload URL on another host needs none.
 */
export function sendWithProgress(
  { method, url, body }: { method: 'POST' | 'PUT'; url: string; body: FormData | Blob },
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
      reportResponseStatus(url, status);
      if (status >= 200 && status < 300) return resolve(responseText);
      const error = new ApiError(status, statusText, responseText);
      reportFailure(error);
      return reject(error);
    });
    request.addEventListener('error', () => reject(new LostConnectionError()));
    request.addEventListener('abort', () => reject(new DOMException('Stopped.', 'AbortError')));
    signal.throwIfAborted();
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}

/** The sent share of an image, from 0 to 1; null while the server processes it. */
export type SentShare = number | null;

export type UploadImageOptions = { signal: AbortSignal; onProgress: (share: SentShare) => void };

/** Uploads an image to a signed URL and returns it, to make it a user's or a car's. Throws as `sendWithProgress`. */
export async function uploadImage(
  send: Send,
  file: File,
  { signal, onProgress }: UploadImageOptions,
): Promise<string> {
  const { uploadURL } = await send('POST /api/objects/upload');
  await sendWithProgress(
    { method: 'PUT', url: uploadURL, body: file },
    { signal, onProgress: ({ loadedBytes, totalBytes }) => onProgress(loadedBytes / totalBytes) },
  );
  onProgress(null);
  return uploadURL;
}
