import { callApi } from './call-api.ts';
import { sendWithProgress } from './send-with-progress.ts';

/** How much of an image has been sent, from 0 to 1; null while the server works on it. */
export type ShareSent = number | null;

export type SendImageOptions = { signal: AbortSignal; onShareSent: (share: ShareSent) => void };

/**
 * Sends an image to where the server takes images. Gives the address that it went to, which a second call makes
 * somebody's picture. Throws as `sendWithProgress` does.
 */
export async function sendImage(file: File, { signal, onShareSent }: SendImageOptions): Promise<string> {
  const { uploadURL } = await callApi('POST /api/objects/upload');
  await sendWithProgress(
    { method: 'PUT', url: uploadURL, body: file },
    { signal, onProgress: ({ loadedBytes, totalBytes }) => onShareSent(loadedBytes / totalBytes) },
  );
  onShareSent(null);
  return uploadURL;
}
