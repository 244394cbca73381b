import {
  BlobSource,
  BufferTarget,
  CanvasSink,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  StreamTarget,
} from 'mediabunny';
import type { LapMap } from '../shown-laps.ts';
import { planClip, type ClipFrame, type ClipSide } from './clip-plan.ts';
import { copySound, findSound, type Sound } from './clip-sound.ts';
import { drawOverlay } from './draw-overlay.ts';

// This file brings mediabunny, so it loads when a reader exports a clip.

export type ClipOptions = {
  sides: readonly ClipSide[];
  map: LapMap;
  framesPerSecond: number;
  /** Takes the clip while it is made, and stays as it was unless that succeeds; null keeps the clip in memory. */
  file: FileSystemWritableFileStream | null;
  /** Copies the sound of the first video. */
  hasSound: boolean;
  signal: AbortSignal;
  onProgress: (share: number) => void;
};

const SINGLE = { width: 1_280, height: 720 };
const HALF = { width: 960, height: 540 };
const BITS_PER_PIXEL = 0.12;
/** A clip in memory is kept twice for a moment, so a longer one has to go to the disk. */
const MEMORY_BYTES_MAX = 250 * 1024 * 1024;

/** Makes a clip of a lap, or of two laps as halves. Returns it, or null where it was written to the file. */
export async function makeClip(options: ClipOptions): Promise<Blob | null> {
  const { file } = options;
  try {
    const memory = await writeClip(options);
    await file?.close();
    return file || !memory.buffer ? null : new Blob([memory.buffer], { type: 'video/mp4' });
  } catch (error) {
    // Closed, half a clip would take the place of what the file held before.
    await file?.abort().catch(() => undefined);
    throw error;
  }
}

async function writeClip(options: ClipOptions): Promise<BufferTarget> {
  const { sides, file, framesPerSecond } = options;
  const size = sides.length > 1 ? HALF : SINGLE;
  const canvas = new OffscreenCanvas(size.width * sides.length, size.height);
  const drawing = canvas.getContext('2d', { alpha: false });
  const codec = await getFirstEncodableVideoCodec(['avc', 'vp9', 'av1'], canvas);
  if (!drawing || codec === null) throw new Error('This browser has no encoder for a clip of this size.');
  const memory = new BufferTarget();
  // The library closes what it is given also where it is cancelled, so it is not given the file itself.
  const target = file
    ? new StreamTarget(new WritableStream({ write: (chunk) => file.write(chunk) }))
    : memory;
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target });
  const bitrate = Math.round(canvas.width * canvas.height * framesPerSecond * BITS_PER_PIXEL);
  // Firefox encodes VP9 on one core; this mode takes it 13 to 28 % less time and leaves no frame out. Chromium makes the same file in both.
  const latencyMode = codec === 'avc' ? 'quality' : 'realtime';
  const source = new CanvasSource(canvas, { codec, bitrate, latencyMode });
  output.addVideoTrack(source, { frameRate: framesPerSecond });
  const frames = planClip(sides, framesPerSecond);
  const sound = await addSound(output, options);
  if (!file) checkFitsMemory((bitrate / 8) * (frames.length / framesPerSecond));
  try {
    await output.start();
    await Promise.all([
      drawFrames(frames, { ...options, canvas, drawing, size, source }),
      sound && copySound(sound, listSeconds(frames), options.signal),
    ]);
    await output.finalize();
  } catch (error) {
    await output.cancel().catch(() => undefined);
    throw error;
  }
  return memory;
}

/** Gives the clip a track for the sound of the first video, where it is wanted. */
async function addSound(output: Output, { hasSound, sides: [side] }: ClipOptions): Promise<Sound | null> {
  if (!hasSound || !side) return null;
  const sound = await findSound(side);
  output.addAudioTrack(sound.source);
  return sound;
}

/** @throws a sentence as an Error */
function checkFitsMemory(bytes: number): void {
  if (bytes > MEMORY_BYTES_MAX)
    throw new Error(
      'This clip is too large for the memory of this browser. Use one that writes files, such as Chrome or Edge.',
    );
}

/** Lists the seconds of the first video, without those before its beginning. */
function listSeconds(frames: readonly ClipFrame[]): { from: number; to: number } {
  const [first, last] = [frames[0]?.sides[0], frames.at(-1)?.sides[0]];
  return { from: first?.seconds ?? 0, to: last?.seconds ?? 0 };
}

type Drawn = ClipOptions & {
  canvas: OffscreenCanvas;
  drawing: OffscreenCanvasRenderingContext2D;
  size: typeof SINGLE;
  source: CanvasSource;
};

async function drawFrames(
  frames: readonly ClipFrame[],
  { sides, map, framesPerSecond, signal, onProgress, canvas, drawing, size, source }: Drawn,
): Promise<void> {
  const pictures = sides.map((side, index) =>
    listPictures(
      side,
      frames.map((frame) => frame.sides[index]?.seconds ?? -1),
      size,
    ),
  );
  const boxes = sides.map((_, index) => ({ x: index * size.width, y: 0, ...size }));
  try {
    for (const [index, frame] of frames.entries()) {
      signal.throwIfAborted();
      drawing.fillStyle = '#000';
      drawing.fillRect(0, 0, canvas.width, canvas.height);
      for (const [side, picture] of pictures.entries()) {
        const { value } = await picture.next();
        if (value) drawing.drawImage(value, side * size.width, 0);
      }
      drawOverlay(drawing, { map, sides, frame, boxes });
      // The encoder takes a few frames and then makes this wait.
      await source.add(index / framesPerSecond, 1 / framesPerSecond);
      onProgress((index + 1) / frames.length);
    }
  } finally {
    for (const picture of pictures) await picture.return(null);
  }
}

type Picture = HTMLCanvasElement | OffscreenCanvas | null;

/** Decodes the pictures of these rising seconds of a recording, file by file; null where it has none. */
async function* listPictures(
  { chapters }: ClipSide,
  seconds: readonly number[],
  size: typeof SINGLE,
): AsyncGenerator<Picture, null> {
  const last = chapters.length - 1;
  for (const second of seconds) if (second < 0) yield null;
  for (const [index, { file, startSeconds, durationSeconds }] of chapters.entries()) {
    const end = index < last ? startSeconds + durationSeconds : Number.POSITIVE_INFINITY;
    const own = seconds.filter((second) => second >= startSeconds && second < end);
    if (own.length > 0)
      yield* decodeFile(
        file,
        own.map((second) => second - startSeconds),
        size,
      );
  }
  return null;
}

async function* decodeFile(
  file: File,
  seconds: readonly number[],
  size: typeof SINGLE,
): AsyncGenerator<Picture> {
  const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF] });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track || !(await track.canDecode()))
      throw new Error('This browser cannot decode the picture of this video.');
    const sink = new CanvasSink(track, { ...size, fit: 'contain', poolSize: 2 });
    for await (const wrapped of sink.canvasesAtTimestamps(seconds)) yield wrapped?.canvas ?? null;
  } finally {
    input.dispose();
  }
}
