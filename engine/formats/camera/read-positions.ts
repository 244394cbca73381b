import { isOnEarth } from '../../geo.ts';
import { UnreadableLapFileError } from '../../lap-file.ts';
import { median } from '../../statistics.ts';
import { cammTimeToUtc, mayHoldPosition, readCammSample } from './camm.ts';
import { findDjiCamera, readDjiMetadata, readDjiSubtitle, type DjiPosition } from './dji.ts';
import type { CameraSample } from './gpmf.ts';
import { findSamples, type MediaSample, type RangeReading } from './mp4-samples.ts';
import {
  PAYLOAD_BYTES_MAX,
  readGoPro,
  TELEMETRY_BYTES_MAX,
  type CameraRecording,
} from './read-camera-video.ts';

/** A receiver measures no more often than this, though each frame has a sample. */
const FRAME_STEP_MS = 100;
/** Fewer positions are no path. */
const POSITIONS_MIN = 2;

type OpenedVideo = { index: Uint8Array; sizeBytes: number; creationMs: number | null };

/**
 * Reads the positions in a video of any camera whose way of writing them is known: GoPro, CAMM, and DJI's subtitles and metadata. Null where
 * there are none. Metadata that are damaged count as none, because the video can be watched without them.
 */
export function* readPositions(video: OpenedVideo): RangeReading<CameraRecording | null> {
  for (const read of [readGoProPositions, readCamm, readDjiFrames, readDjiSubtitles]) {
    const recording = yield* read(video);
    if (recording !== null && recording.samples.length >= POSITIONS_MIN) return recording;
  }
  return null;
}

function* readGoProPositions({ index, sizeBytes }: OpenedVideo): RangeReading<CameraRecording | null> {
  try {
    return yield* readGoPro(index, sizeBytes);
  } catch (error) {
    if (error instanceof UnreadableLapFileError) return null;
    throw error;
  }
}

type TimedSample = CameraSample & { mediaMs: number };

function* readCamm({ index, sizeBytes, creationMs }: OpenedVideo): RangeReading<CameraRecording | null> {
  const ranges = findSamples(index, 'camm', mayHoldPosition);
  if (ranges === null) return null;
  const samples: TimedSample[] = [];
  yield* readEach(ranges, sizeBytes, (bytes, { startMs }) => {
    for (const { clockSeconds, ...fix } of readCammSample(bytes)) {
      const timeMs = cammTimeToUtc(clockSeconds, creationMs);
      if (isOnEarth(fix.lat, fix.lon))
        samples.push({ ...fix, timeMs, precision: Number.NaN, mediaMs: startMs });
    }
  });
  // A camera that writes both kinds repeats its positions.
  const measured = samples.filter(({ speedMetersPerSecond }) => !Number.isNaN(speedMetersPerSecond));
  return { ...toRecording('CAMM', measured.length > 0 ? measured : samples), isExact: true };
}

function* readDjiFrames({ index, sizeBytes }: OpenedVideo): RangeReading<CameraRecording | null> {
  let nextMs = 0;
  const ranges = findSamples(index, 'djmd', (_, startMs) => {
    if (startMs < nextMs) return false;
    nextMs = startMs + FRAME_STEP_MS;
    return true;
  });
  if (ranges === null) return null;
  let camera: string | null | undefined;
  const samples: TimedSample[] = [];
  yield* readEach(ranges, sizeBytes, (bytes, { startMs }) => {
    camera ??= findDjiCamera(bytes);
    addChanged(samples, camera === null ? null : readDjiMetadata(bytes), startMs);
    return camera !== null;
  });
  return toRecording(camera ?? '', samples);
}

function* readDjiSubtitles({ index, sizeBytes }: OpenedVideo): RangeReading<CameraRecording | null> {
  const ranges = findSamples(index, 'tx3g') ?? findSamples(index, 'text');
  if (ranges === null) return null;
  const samples: TimedSample[] = [];
  yield* readEach(ranges, sizeBytes, (bytes, { startMs }, count) => {
    addChanged(samples, readDjiSubtitle(bytes), startMs);
    // Subtitles of another kind have none in the first ones either.
    return count < SUBTITLES_TRIED || samples.length > 0;
  });
  return toRecording('DJI', samples);
}

const SUBTITLES_TRIED = 100;

/** Reads samples one after the other until the caller has enough, which it says by false. */
function* readEach(
  ranges: readonly MediaSample[],
  sizeBytes: number,
  take: (bytes: Uint8Array, range: MediaSample, count: number) => unknown,
): RangeReading<void> {
  let bytesLeft = TELEMETRY_BYTES_MAX;
  for (const [count, range] of ranges.entries()) {
    bytesLeft -= range.length;
    if (range.length > PAYLOAD_BYTES_MAX || range.offset + range.length > sizeBytes) continue;
    if (bytesLeft < 0 || take(yield range, range, count) === false) return;
  }
}

/** Adds a position unless it is the one before: samples come more often than the receiver measures. */
function addChanged(samples: TimedSample[], position: DjiPosition | null, mediaMs: number): void {
  if (position === null) return;
  const { lat, lon, utcMs } = position;
  const before = samples.at(-1);
  if (before?.lat === lat && before.lon === lon) return;
  const unknown = { speedMetersPerSecond: Number.NaN, precision: Number.NaN };
  samples.push({ timeMs: utcMs, lat, lon, ...unknown, fixKind: 3, mediaMs });
}

/** Puts all samples on one clock: their own times may be whole seconds, but the video counts evenly. */
function toRecording(camera: string, samples: readonly TimedSample[]): CameraRecording {
  const moments = samples.flatMap(({ mediaMs, timeMs, fixKind }) =>
    Number.isNaN(timeMs) || fixKind < 2 ? [] : [{ mediaMs, utcMs: timeMs }],
  );
  const offsetMs = median(moments.map(({ mediaMs, utcMs }) => utcMs - mediaMs));
  return {
    camera,
    isExact: false,
    isUtc: offsetMs !== null,
    mediaTimesMs: samples.map(({ mediaMs }) => mediaMs),
    samples: samples.map(({ mediaMs, ...sample }) => ({ ...sample, timeMs: mediaMs + (offsetMs ?? 0) })),
    moments,
  };
}
