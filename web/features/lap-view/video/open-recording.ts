import type { VideoFile } from '#engine/video/read-video-file.ts';
import type { Chapter } from './file-player.ts';
import type { ReadVideo, RecordedPositions, VideoFileMessage } from './video-file-worker.ts';

/** The files of one recording, in order, as if they were one. */
export type Recording = {
  name: string;
  /** Names the first file; empty where that is unknown. */
  key: string;
  info: VideoFile;
  chapters: Chapter[];
  camera: RecordedPositions | null;
  /** Says what was left out, or what may go wrong. */
  warnings: string[];
};

const CHAPTERS_MAX = 40;

/** Opens the files of a recording. Throws a sentence as an Error where the first one cannot be read. */
export async function openRecording(files: readonly File[]): Promise<Recording> {
  const [first, ...others] = orderChapters(files);
  if (!first) throw new Error('Choose a video.');
  const opened = { file: first, video: await readFile(first) };
  const chapters = [opened];
  const warnings: string[] = [];
  let before = first;
  for (const file of others.slice(0, CHAPTERS_MAX - 1)) {
    try {
      if (!mayFollow(before.name, file.name)) throw new Error('A chapter before it is missing.');
      chapters.push({ file, video: await readFile(file) });
      before = file;
    } catch (error) {
      // The chapters after a missing one would be shown at a wrong moment.
      warnings.push(`${file.name} and what follows were left out: ${describe(error)}`);
      break;
    }
  }
  for (const { file, video } of chapters) {
    if (video.info.isCut) warnings.push(`${file.name} was cut off, so its end is missing. Copy it again.`);
  }
  return { ...joinChapters(chapters), name: first.name, key: opened.video.fingerprint, warnings };
}

function describe(error: unknown): string {
  const sentence = error instanceof Error ? error.message : '';
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

function readFile(file: File): Promise<ReadVideo> {
  const worker = new Worker(new URL('video-file-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<ReadVideo>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<VideoFileMessage>) => {
      if (data.type === 'read') resolve(data.video);
      else reject(new Error(data.sentence));
    });
    worker.addEventListener('error', () =>
      reject(new Error('This video could not be read; choose it again.')),
    );
    worker.postMessage(file, []);
  }).finally(() => worker.terminate());
}

type OpenedFile = { file: File; video: ReadVideo };

function joinChapters(opened: readonly OpenedFile[]) {
  let startSeconds = 0;
  const chapters = opened.map(({ file, video: { info } }): Chapter => {
    const chapter = { file, startSeconds, durationSeconds: info.durationSeconds };
    startSeconds += info.durationSeconds;
    return chapter;
  });
  const [first] = opened;
  if (!first) throw new Error('Choose a video.');
  return {
    chapters,
    info: { ...first.video.info, durationSeconds: startSeconds },
    camera: joinPositions(opened, chapters),
  };
}

function joinPositions(
  opened: readonly OpenedFile[],
  chapters: readonly Chapter[],
): RecordedPositions | null {
  const parts = opened.flatMap(({ video: { camera } }, index) => {
    const startMs = 1_000 * (chapters[index]?.startSeconds ?? 0);
    return camera ? [{ ...camera, startMs }] : [];
  });
  const [first] = parts;
  if (!first) return null;
  const hasUtc = parts.every(({ utcTimesMs }) => utcTimesMs.length > 0);
  return {
    camera: first.camera,
    isExact: first.isExact,
    utcTimesMs: hasUtc ? parts.flatMap(({ utcTimesMs }) => utcTimesMs) : [],
    speedsMetersPerSecond: parts.flatMap(({ speedsMetersPerSecond }) => speedsMetersPerSecond),
    mediaTimesMs: parts.flatMap(({ mediaTimesMs, startMs }) =>
      mediaTimesMs.map((timeMs) => timeMs + startMs),
    ),
    lats: parts.flatMap(({ lats }) => lats),
    lons: parts.flatMap(({ lons }) => lons),
    moments: parts.flatMap(({ moments, startMs }) =>
      moments.map(({ mediaMs, utcMs }) => ({ mediaMs: mediaMs + startMs, utcMs })),
    ),
  };
}

/** Sorts by the names that cameras give: GoPro counts chapters before the number of the recording (`GX020123`), or after `GOPR`. */
export function orderChapters(files: readonly File[]): File[] {
  return files.toSorted((a, b) => compareKeys(sortKey(a.name), sortKey(b.name)));
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortKey(name: string): string {
  const chapter = readChapter(name);
  return chapter ? `${chapter.recording} ${String(chapter.number).padStart(2, '0')}` : name;
}

/** Returns false where both names are those of GoPro chapters, and the second is not the next of the same recording. */
export function mayFollow(before: string, name: string): boolean {
  const [first, second] = [readChapter(before), readChapter(name)];
  if (!first || !second) return true;
  return first.recording === second.recording && second.number === first.number + 1;
}

/** Reads the name of a GoPro chapter; null for other names. */
function readChapter(name: string): { recording: string; number: number } | null {
  const [, number, recording] = /^G[HXP](\d\d)(\d{4})\./i.exec(name) ?? [];
  if (number !== undefined && recording !== undefined) return { recording, number: Number(number) };
  const [, first] = /^GOPR(\d{4})\./i.exec(name) ?? [];
  return first === undefined ? null : { recording: first, number: 0 };
}

/** Returns a sentence where this browser lacks what it takes to play a picture of this kind. */
export function findMissingCodec({ codec }: Pick<VideoFile, 'codec'>): string | null {
  const [, name, type] = CODECS.find(([letters]) => letters.test(codec)) ?? [];
  if (name === undefined || type === undefined) return null;
  const canPlay = document.createElement('video').canPlayType(`video/mp4; codecs="${type}"`) !== '';
  if (canPlay) return null;
  return `This browser cannot play ${name}; ${ADVICE[name] ?? 'try another one.'}`;
}

const CODECS: readonly (readonly [letters: RegExp, name: string, type: string])[] = [
  [/^(?:hvc1|hev1|dvh1|dvhe)$/, 'HEVC', 'hvc1.1.6.L120.90'],
  [/^avc[13]$/, 'H.264', 'avc1.640028'],
  [/^av01$/, 'AV1', 'av01.0.05M.08'],
  [/^ap(?:ch|cn|cs|co|4h)$/, 'ProRes', 'apch'],
];

const ADVICE: Readonly<Record<string, string>> = {
  HEVC: 'try Safari, Edge or Chrome on a device that decodes it, or let the camera record H.264.',
  'H.264': 'try another one.',
  ProRes: 'export the video as H.264 first.',
};
