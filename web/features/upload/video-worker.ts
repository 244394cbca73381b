import { readCameraVideo } from '#engine/formats/camera/read-camera-video.ts';
import { writeCameraCsv } from '#engine/formats/camera/write-camera-csv.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';

/** The progress of the worker with its video, or the result. */
export type VideoMessage =
  | { type: 'progress'; share: number; bytesRead: number }
  | { type: 'read'; csv: string; bytesRead: number }
  | { type: 'refused'; sentence: string };

// This file runs in a worker, because a video has gigabytes. It reads only the ranges of the metadata.
addEventListener('message', ({ data }: MessageEvent<File>) => void readVideo(data));

async function readVideo(file: File): Promise<void> {
  try {
    send(await readPositions(file));
  } catch (error) {
    const isRefused = error instanceof UnreadableLapFileError;
    send({
      type: 'refused',
      sentence: isRefused ? error.message : 'This video could not be read; choose it again.',
    });
  }
}

async function readPositions(file: File): Promise<VideoMessage> {
  const reading = readCameraVideo(file.size);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytesRead = 0;
  let step = reading.next();
  while (!step.done) {
    const { offset, length } = step.value;
    const bytes = new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
    pieces.push(bytes);
    bytesRead += bytes.length;
    step = reading.next(bytes);
    // The index is at one of the ends, and the metadata are in order between them.
    if (pieces.length % PIECES_PER_MESSAGE === 0)
      send({ type: 'progress', share: offset / file.size, bytesRead });
  }
  const fingerprint = await hashBytes(pieces);
  return { type: 'read', csv: writeCameraCsv(step.value, { name: file.name, fingerprint }), bytesRead };
}

const PIECES_PER_MESSAGE = 20;

/** Gives the SHA-256 of everything that was read; it is empty where the page does not come over HTTPS, so that the browser has none. */
async function hashBytes(pieces: Uint8Array<ArrayBuffer>[]): Promise<string> {
  if (!isSecureContext) return '';
  const hash = await crypto.subtle.digest('SHA-256', await new Blob(pieces).arrayBuffer());
  const hex = Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0'));
  return `sha256:${hex.join('')}`;
}

function send(message: VideoMessage): void {
  postMessage(message, { transfer: [] });
}
