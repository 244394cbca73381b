import { open } from 'node:fs/promises';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { writeGoProVideo } from '#engine/testing/write-gopro-mp4.ts';
import type { GoProOptions } from '#engine/testing/write-gopro-mp4.ts';

const GIGABYTES_4 = 4 * 1024 ** 3;

/** Writes a video of more than 4 GB, of which only index and metadata take room on the disk; gives its size. */
export async function writeSparseVideo(
  path: string,
  drive: SimulatedDrive,
  options: GoProOptions = {},
): Promise<number> {
  const payloads = writeGoProVideo(drive, { ...options, pictureBytes: 0 }).pieces.length - 2;
  const video = writeGoProVideo(drive, { ...options, pictureBytes: Math.ceil(GIGABYTES_4 / payloads) });
  const file = await open(path, 'w');
  try {
    for (const { offset, bytes } of video.pieces) await file.write(bytes, 0, bytes.length, offset);
  } finally {
    await file.close();
  }
  return video.sizeBytes;
}
