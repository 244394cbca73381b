import type { CameraRecording } from '#engine/formats/camera/read-camera-video.ts';
import { UnreadableLapFileError } from '#engine/lap-file.ts';
import type { CameraPositions } from '#engine/video/match-positions.ts';
import { readVideoFile, type VideoFile } from '#engine/video/read-video-file.ts';

/** Holds what one file says: its index, where the camera was, and a fingerprint that is empty where the page has no HTTPS. */
export type ReadVideo = {
  info: VideoFile;
  camera: RecordedPositions | null;
  fingerprint: string;
};

/** Adds to the positions what makes them evidence: the model, and UTC and speed of each; no UTC where the satellites gave none. */
export type RecordedPositions = CameraPositions & {
  camera: string;
  isExact: boolean;
  utcTimesMs: number[];
  speedsMetersPerSecond: number[];
};

export type VideoFileMessage = { type: 'read'; video: ReadVideo } | { type: 'refused'; sentence: string };

// This file runs in a worker, because a video has gigabytes. It reads the ranges of index and metadata, and a megabyte at each end.
addEventListener('message', ({ data }: MessageEvent<File>) => void answer(data));

async function answer(file: File): Promise<void> {
  try {
    send({ type: 'read', video: await read(file) });
  } catch (error) {
    const isRefused = error instanceof UnreadableLapFileError;
    send({
      type: 'refused',
      sentence: isRefused ? error.message : 'This video could not be read; choose it again.',
    });
  }
}

async function read(file: File): Promise<ReadVideo> {
  const reading = readVideoFile(file.size);
  let step = reading.next();
  while (!step.done) {
    const { offset, length } = step.value;
    step = reading.next(new Uint8Array(await file.slice(offset, offset + length).arrayBuffer()));
  }
  const { info, recording } = step.value;
  return { info, camera: recording && listPositions(recording), fingerprint: await hashEnds(file) };
}

/** Lists where the camera was while it knew that. */
function listPositions({ samples, mediaTimesMs, ...recording }: CameraRecording): RecordedPositions {
  const isKnown = samples.map(({ fixKind }) => !(fixKind < 2));
  const known = samples.filter((_, index) => isKnown[index]);
  return {
    moments: recording.moments,
    mediaTimesMs: mediaTimesMs.filter((_, index) => isKnown[index]),
    lats: known.map(({ lat }) => lat),
    lons: known.map(({ lon }) => lon),
    camera: recording.camera,
    isExact: recording.isExact,
    utcTimesMs: recording.isUtc ? known.map(({ timeMs }) => timeMs) : [],
    speedsMetersPerSecond: known.map((sample) => sample.speedMetersPerSecond),
  };
}

const END_BYTES = 1024 * 1024;

/** Names a file by its size and the SHA-256 of its first and last megabyte. */
async function hashEnds(file: File): Promise<string> {
  if (!isSecureContext) return '';
  const ends = new Blob([file.slice(0, END_BYTES), file.slice(Math.max(0, file.size - END_BYTES))]);
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await ends.arrayBuffer()));
  const hex = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `file:${file.size}:${hex}`;
}

function send(message: VideoFileMessage): void {
  postMessage(message, { transfer: [] });
}
