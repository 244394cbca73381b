import type { LapVideos } from '#contract/lap-view/videos.ts';
import type { LapTrace } from '#contract/lap-view/schemas.ts';
import { fromDegreeSteps } from '#engine/comparison/integer-columns.ts';
import { guessByCreation } from '#engine/video/guess-by-creation.ts';
import { matchPositions } from '#engine/video/match-positions.ts';
import { fitVideoClock, type Anchor, type VideoClock } from '#engine/video/video-clock.ts';
import type { Recording } from './open-recording.ts';
import type { PublicVideo } from './public-video.ts';

/** Says what puts a video in step with its lap, and how sure that is. */
export type Step = { clock: VideoClock | null; anchors: readonly Anchor[]; sentence: string };

type LapTimes = Pick<LapVideos, 'lapStartMs' | 'sessionStartMs' | 'utcOffsetMinutes' | 'videos'>;

const HOW_TO = 'Find the moment when the car is on the line, and say so.';

/** Describes anchors that a person has set. */
export function describeAnchors(anchors: readonly Anchor[], by: 'driver' | 'reader'): string {
  const who = by === 'driver' ? 'its driver' : 'you';
  return anchors.length > 1
    ? `In step by two moments that ${who} set.`
    : `In step by a moment that ${who} set.`;
}

/** Returns the step that anchors give, of the reader before those of the driver; null where there are none. */
export function findAnchored(key: string, { videos }: LapTimes, own: readonly Anchor[]): Step | null {
  const saved = videos.find((video) => key !== '' && video.key === key)?.anchors ?? [];
  for (const [anchors, by] of [
    [own, 'reader'],
    [saved, 'driver'],
  ] as const) {
    const clock = fitVideoClock(anchors);
    if (clock) return { clock, anchors, sentence: describeAnchors(anchors, by) };
  }
  return null;
}

/** Puts a recording in step: by anchors, by the positions in it, or by its time of creation. */
export function findStep(
  { key, info, camera }: Recording,
  {
    times,
    trace,
    lapTimeMs,
    own,
  }: { times: LapTimes; trace: LapTrace | null; lapTimeMs: number; own: readonly Anchor[] },
): Step {
  const anchored = findAnchored(key, times, own);
  if (anchored) return anchored;
  const unknown = (sentence: string): Step => ({
    clock: null,
    anchors: [],
    sentence: `${sentence} ${HOW_TO}`,
  });
  if (camera && trace) {
    const match = matchPositions(camera, {
      startMs: times.lapStartMs,
      timesMs: trace.timesMs,
      lats: fromDegreeSteps(trace.latSteps),
      lons: fromDegreeSteps(trace.lonSteps),
    });
    if (match.kind === 'one')
      return { clock: match.clock, anchors: [], sentence: camera.isExact ? BY_GPS : ABOUT_BY_GPS };
    if (match.kind === 'several')
      return unknown('The GPS of the camera fits several laps, so nothing was guessed.');
    return unknown('The GPS of the camera was not where this lap was driven.');
  }
  if (info.creationMs === null) return unknown('Nothing in the file says when it was recorded.');
  const lap = { startMs: times.lapStartMs, lapTimeMs, utcOffsetMinutes: times.utcOffsetMinutes };
  const guess = guessByCreation({ creationMs: info.creationMs, durationSeconds: info.durationSeconds }, lap);
  if (guess.kind === 'one')
    return { clock: guess.clock, anchors: [], sentence: `Guessed by the clock of the camera. ${HOW_TO}` };
  if (guess.kind === 'several')
    return unknown('The clock of the camera fits several moments, so nothing was guessed.');
  return unknown('By the clock of the camera it shows another time.');
}

const BY_GPS = 'In step by the GPS of the camera, to a frame.';
const ABOUT_BY_GPS =
  'In step by the GPS of the camera, which it writes late. Move the picture by frames until it shows the line.';

/** Puts a public video in step: by anchors, or by the moment in its link, at which the session begins. */
export function findPublicStep(
  { startSeconds }: PublicVideo,
  key: string,
  { times, own }: { times: LapTimes; own: readonly Anchor[] },
): Step {
  const anchored = findAnchored(key, times, own);
  if (anchored) return { ...anchored, sentence: `${anchored.sentence} ${ABOUT}` };
  if (startSeconds === null)
    return { clock: null, anchors: [], sentence: `Its link does not say when the session begins. ${HOW_TO}` };
  const anchor = { videoSeconds: startSeconds, timeMs: times.sessionStartMs };
  return {
    clock: fitVideoClock([anchor]),
    anchors: [anchor],
    sentence: `In step by the moment in its link. ${ABOUT}`,
  };
}

const ABOUT = 'A player of another site is in step to about a second.';
