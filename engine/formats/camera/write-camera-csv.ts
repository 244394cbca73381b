import type { CameraRecording } from './read-camera-video.ts';

/** Begins the lap file of a camera. */
export const CAMERA_CSV_MARK = '# Pitboard camera positions 1';

/** Holds the name of the video, and a hash of its index and metadata; empty where that is unknown. */
export type VideoSource = { name: string; fingerprint: string };

/** Writes the positions of a video as a lap file, which is sent instead of it. */
export function writeCameraCsv(
  { camera, isUtc, samples }: Pick<CameraRecording, 'camera' | 'isUtc' | 'samples'>,
  source: VideoSource,
): string {
  const rows = samples.map(({ timeMs, lat, lon, speedMetersPerSecond, fixKind, precision }) =>
    [
      isUtc ? timeMs.toFixed(1) : (timeMs / 1000).toFixed(4),
      lat.toFixed(7),
      lon.toFixed(7),
      speedMetersPerSecond.toFixed(3),
      blank(fixKind),
      blank(precision),
    ].join(','),
  );
  return [
    CAMERA_CSV_MARK,
    `# camera: ${plain(camera)}`,
    `# video: ${plain(source.name)}`,
    `# fingerprint: ${plain(source.fingerprint)}`,
    `${isUtc ? 'unix time (ms)' : 'elapsed time (s)'},latitude,longitude,speed (m/s),fix,precision`,
    ...rows,
    '',
  ].join('\n');
}

/** Returns the text in ASCII, on one line. */
function plain(text: string): string {
  return text.replaceAll(/[^ -~]/g, '?');
}

function blank(value: number): string {
  return Number.isNaN(value) ? '' : String(value);
}
