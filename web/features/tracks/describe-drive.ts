import type { OutlinePoint, Track } from '#engine/track.ts';
import type { LineSource } from '#engine/proposal/propose-tracks.ts';
import { formatTrackLength } from '#web/ui/format.ts';

/** Describes a driven track: '1.230 km, clockwise', or '1.873 km, from start to finish'. */
export function describeDrive({ lengthMeters, outline, finishLine }: Track): string {
  const length = lengthMeters === null ? 'Length unknown' : formatTrackLength(lengthMeters);
  if (finishLine) return `${length}, from start to finish`;
  return outline === null ? length : `${length}, ${isClockwise(outline) ? 'clockwise' : 'counterclockwise'}`;
}

/** Returns true if a closed outline goes around its inside to the right: by the sign of its area. */
export function isClockwise(outline: readonly OutlinePoint[]): boolean {
  const doubleArea = outline.reduce((sum, [lat, lon], index) => {
    const [nextLat, nextLon] = outline[(index + 1) % outline.length] ?? [lat, lon];
    return sum + (nextLon - lon) * (nextLat + lat);
  }, 0);
  return doubleArea > 0;
}

/** Says how the start/finish line was found. */
export const LINE_SOURCES: Record<LineSource, string> = {
  file: 'The line is the one in your file.',
  logger_laps: "The line is where your logger's laps turn over.",
  drive: 'The line is on a straight that all your laps pass.',
};
