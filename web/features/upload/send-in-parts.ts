import { ApiError } from '#web/api/api-error.ts';
// oxlint-disable-next-line no-restricted-imports -- It sends parts of a file, of which nothing is shown yet.
import { fetchJson, sendCall } from '#web/api/call-api.ts';
import type { PendingFile } from '#contract/upload/pending-files.ts';
import { CONNECTION_LOST, untilConnected } from './until-connected.ts';

/** Smaller files are sent in one form, which takes a second even on a paddock network. */
export const PARTS_FROM_BYTES = 8 * 1024 * 1024;

const PART_BYTES = 2 * 1024 * 1024;

/**
 * Sends a large file in parts and gives its token. A part that is lost with the connection is sent again once it is back. Gives
 * undefined where the server has no room for them: the file then goes in a form.
 */
export async function sendInParts(
  file: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (message: string) => void },
): Promise<string | undefined> {
  const options = {
    signal,
    onWaiting: () => onProgress(CONNECTION_LOST),
  };
  try {
    let pending = await untilConnected(
      () => sendCall('POST /api/pending-files', { body: { fileName: file.name, byteCount: file.size } }),
      options,
    );
    const url = `/api/pending-files/${pending.fileToken}`;
    while (pending.receivedBytes < file.size) {
      const from = pending.receivedBytes;
      onProgress(`Sending, ${Math.floor((100 * from) / file.size)}%`);
      pending = await untilConnected(
        () =>
          fetchJson<PendingFile>(`${url}?offset=${from}`, {
            method: 'PUT',
            body: file.slice(from, from + PART_BYTES),
            headers: { 'Content-Type': 'application/octet-stream' },
            signal,
          }),
        options,
      );
    }
    return pending.fileToken;
  } catch (error) {
    if (error instanceof ApiError && [404, 413].includes(error.status)) return undefined;
    throw error;
  }
}
