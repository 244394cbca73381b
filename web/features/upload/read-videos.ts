import { refuseVideo, showVideo } from './upload-state.ts';
import type { Upload } from './upload-store.ts';
import type { VideoMessage } from './video-worker.ts';

/** Returns true if a file is a video that may hold positions, by the suffix of its name. GoPro's round videos end in .360. */
export function isVideo({ name }: File): boolean {
  return /\.(mp4|360)$/i.test(name);
}

/** Replaces videos by lap files. The videos stay on the device; one without positions is left out, with a sentence. */
export async function readVideos(upload: Upload, files: readonly File[]): Promise<File[]> {
  const lapFiles: File[] = [];
  for (const file of files) {
    const read = isVideo(file) ? await readVideo(upload, file) : file;
    if (read !== null) lapFiles.push(read);
  }
  return lapFiles;
}

function readVideo(upload: Upload, file: File): Promise<File | null> {
  const worker = new Worker(new URL('video-worker.ts', import.meta.url), { type: 'module' });
  const { name, size: sizeBytes } = file;
  const show = (share: number, bytesRead: number) =>
    upload.change(showVideo({ name, sizeBytes, share, bytesRead }));
  return new Promise((resolve) => {
    const finish = (lapFile: File | null) => {
      worker.terminate();
      resolve(lapFile);
    };
    const refuse = (sentence: string) => {
      upload.change(refuseVideo(name, `${name} was left out: ${uncapitalize(sentence)}`));
      finish(null);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<VideoMessage>) => {
      if (data.type === 'progress') show(data.share, data.bytesRead);
      else if (data.type === 'refused') refuse(data.sentence);
      else {
        show(1, data.bytesRead);
        finish(new File([data.csv], `${name}.csv`, { lastModified: file.lastModified, type: 'text/csv' }));
      }
    });
    worker.addEventListener('error', () => refuse('This video could not be read; choose it again.'));
    show(0, 0);
    // The message is a reference to the file: none of its bytes is copied.
    worker.postMessage(file, []);
  });
}

function uncapitalize(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
