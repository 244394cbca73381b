import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { hasAscii } from '#engine/formats/binary/binary-format.ts';
import { readCameraVideo } from '#engine/formats/camera/read-camera-video.ts';
import { writeCameraCsv } from '#engine/formats/camera/write-camera-csv.ts';

/** Tests by its first bytes if an open file is an MP4 video. */
export function isVideoFile(file: number): boolean {
  return hasAscii(readRange(file, 0, 8), 4, 'ftyp');
}

/** Builds the lap file that the browser extracts from a video. @throws UnreadableLapFileError */
export function readVideoPositions(file: number, sizeBytes: number, name: string): Uint8Array {
  const hash = createHash('sha256');
  const reading = readCameraVideo(sizeBytes);
  let step = reading.next();
  while (!step.done) {
    const bytes = readRange(file, step.value.offset, step.value.length);
    hash.update(bytes);
    step = reading.next(bytes);
  }
  const fingerprint = `sha256:${hash.digest('hex')}`;
  return new TextEncoder().encode(writeCameraCsv(step.value, { name, fingerprint }));
}

function readRange(file: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}
