import { UnreadableLapFileError } from '../../lap-file.ts';
import { median } from '../../statistics.ts';
import { readPayload, type CameraPayload, type CameraSample } from './gpmf.ts';
import { findSamples, listBoxes, readIndex, type MediaSample, type RangeReading } from './mp4-samples.ts';

export type CameraRecording = {
  /** The model, as the camera names itself: `HERO9 Black`. */
  camera: string;
  /** True where times are UTC; otherwise they count from the beginning of the video. */
  isUtc: boolean;
  samples: CameraSample[];
  /** When each sample was taken, counted from the beginning of the video. */
  mediaTimesMs: number[];
  /** True where each position has its own moment in the video; false where it may be as old as the receiver's last measurement. */
  isExact: boolean;
  /** Says what UTC the camera had from its satellites at moments of the video; empty where it had none. */
  moments: CameraMoment[];
};

export type CameraMoment = { mediaMs: number; utcMs: number };

/** A camera records more than eleven hours with so many samples. */
const SAMPLES_MAX = 1_000_000;
/** Payloads have a second of all sensors, some kilobytes. */
export const PAYLOAD_BYTES_MAX = 1024 * 1024;
export const TELEMETRY_BYTES_MAX = 64 * 1024 * 1024;

/** Reads the positions in a GoPro video by its index and metadata alone. Throws UnreadableLapFileError for none. */
export function* readCameraVideo(sizeBytes: number): RangeReading<CameraRecording> {
  const recording = yield* readGoPro(yield* readIndex(sizeBytes), sizeBytes);
  if (recording !== null) return recording;
  throw new UnreadableLapFileError(
    'This video holds no positions of a GoPro, and only those become a lap file. Choose the file of your logger instead.',
  );
}

/** Reads the positions in a GoPro video whose index this is; null for another camera. Throws UnreadableLapFileError for none. */
export function* readGoPro(index: Uint8Array, sizeBytes: number): RangeReading<CameraRecording | null> {
  const ranges = findSamples(index, 'gpmd');
  if (ranges === null) return null;
  const payloads: TimedPayload[] = [];
  let sampleCount = 0;
  let bytesLeft = TELEMETRY_BYTES_MAX;
  for (const range of ranges) {
    bytesLeft -= range.length;
    if (range.length > PAYLOAD_BYTES_MAX || range.offset + range.length > sizeBytes) continue;
    if (bytesLeft < 0 || sampleCount > SAMPLES_MAX) break;
    const payload = readPayload(yield range);
    sampleCount += payload.samples.length;
    payloads.push({ payload, range });
  }
  const camera = findModel(
    index,
    payloads.find(({ payload }) => payload.device !== '')?.payload.device ?? '',
  );
  if (sampleCount === 0) throw new UnreadableLapFileError(describeMissingGps(camera));
  const counted = withoutRepeats(payloads);
  if (!counted.some(({ payload }) => payload.samples.some(({ fixKind }) => !(fixKind < 2)))) {
    throw new UnreadableLapFileError(
      'This video has no GPS fix; give the camera a clear view of the sky before the drive, until it shows that it knows where it is.',
    );
  }
  return { camera, isExact: true, ...timeSamples(counted) };
}

/** Leaves out the positions without times of their own where a HERO11 has written the same drive with them as well. */
function withoutRepeats(payloads: readonly TimedPayload[]): readonly TimedPayload[] {
  if (!payloads.some(({ payload }) => payload.samples.some(isTimed))) return payloads;
  return payloads.map(({ payload, range }) => ({
    payload: { ...payload, samples: payload.samples.filter(isTimed) },
    range,
  }));
}

function isTimed({ timeMs }: CameraSample): boolean {
  return !Number.isNaN(timeMs);
}

function describeMissingGps(camera: string): string {
  if (camera.startsWith('HERO12')) {
    return 'This video comes from a HERO12, which has no GPS; choose the file of your logger instead.';
  }
  return `This video of a ${camera} holds no positions; switch on GPS in the camera, or choose the file of your logger.`;
}

/** Maps the letters that the firmware of each model begins with to the model. */
const MODELS: Readonly<Record<string, string>> = {
  HD5: 'HERO5',
  HD6: 'HERO6',
  HD7: 'HERO7',
  HD8: 'HERO8',
  HD9: 'HERO9',
  H19: 'MAX',
  H21: 'HERO10',
  H22: 'HERO11',
  H23: 'HERO12',
  H24: 'HERO13',
};

/** Finds the model by the firmware; early cameras call themselves 'Camera'. */
function findModel(index: Uint8Array, device: string): string {
  const data = listBoxes(index, 0, index.length).find(({ type }) => type === 'udta');
  const firmware = data && listBoxes(index, data.start, data.end).find(({ type }) => type === 'FIRM');
  const prefix = firmware ? String.fromCharCode(...index.subarray(firmware.start, firmware.start + 3)) : '';
  const own = /^(?:camera|)$/i.test(device) ? '' : device.slice(0, LONGEST_NAME);
  return (MODELS[prefix] ?? own) || 'GoPro';
}

const LONGEST_NAME = 40;

type TimedPayload = { payload: CameraPayload; range: MediaSample };

type CameraTimes = Pick<CameraRecording, 'isUtc' | 'samples' | 'mediaTimesMs' | 'moments'>;

/** Samples with times of their own keep them; the others get those of an even rhythm, on the clock of the payloads. */
function timeSamples(payloads: readonly TimedPayload[]): CameraTimes {
  const all = payloads.flatMap(({ payload }) => payload.samples);
  const mediaTimesMs = mediaTimes(payloads);
  const moments = listMoments(payloads, mediaTimesMs);
  if (all.some(({ timeMs }) => !Number.isNaN(timeMs)))
    return { isUtc: true, samples: all, mediaTimesMs, moments };
  const offsetMs = median(moments.map(({ utcMs, mediaMs }) => utcMs - mediaMs));
  const samples = all.map((sample, index) => ({
    ...sample,
    timeMs: (mediaTimesMs[index] ?? 0) + (offsetMs ?? 0),
  }));
  return { isUtc: offsetMs !== null, samples, mediaTimesMs, moments };
}

/** Lists what UTC the payloads with a fix had: their own, or that of their first sample. */
function listMoments(payloads: readonly TimedPayload[], mediaTimesMs: readonly number[]): CameraMoment[] {
  let first = 0;
  return payloads.flatMap(({ payload: { samples, timeMs } }) => {
    const mediaMs = mediaTimesMs[first] ?? Number.NaN;
    first += samples.length;
    const ownMs = samples[0]?.timeMs ?? Number.NaN;
    const utcMs = Number.isNaN(ownMs) ? timeMs : ownMs;
    const hasFix = samples.some(({ fixKind }) => !(fixKind < 2));
    return hasFix && Number.isFinite(utcMs - mediaMs) ? [{ mediaMs, utcMs }] : [];
  });
}

/**
 * Payloads take 18 samples or 19, whichever have come when one ends, so that spreading each payload's own samples evenly would shift them by up to half a
 * step. The receiver measures evenly over the whole recording: a straight line through the beginnings of all payloads. Where that does not
 * fit, samples were lost, and those of each payload are spread over it.
 */
function mediaTimes(payloads: readonly TimedPayload[]): number[] {
  const points: { count: number; startMs: number }[] = [];
  let count = 0;
  for (const { payload, range } of payloads) {
    if (payload.samples.length > 0) points.push({ count, startMs: range.startMs });
    count += payload.samples.length;
  }
  const line = fitLine(points);
  const isEven = points.every((point) => Math.abs(line.at(point.count) - point.startMs) < UNEVEN_MS);
  if (isEven && points.length >= LEAST_PAYLOADS)
    return Array.from({ length: count }, (_, index) => line.at(index));
  return payloads.flatMap(({ payload: { samples }, range }) =>
    samples.map((_, index) => range.startMs + (range.durationMs * index) / samples.length),
  );
}

const LEAST_PAYLOADS = 4;
const UNEVEN_MS = 150;

function fitLine(points: readonly { count: number; startMs: number }[]): { at: (count: number) => number } {
  const meanCount = points.reduce((sum, { count }) => sum + count, 0) / points.length;
  const meanMs = points.reduce((sum, { startMs }) => sum + startMs, 0) / points.length;
  const squares = points.reduce((sum, { count }) => sum + (count - meanCount) ** 2, 0);
  const products = points.reduce(
    (sum, { count, startMs }) => sum + (count - meanCount) * (startMs - meanMs),
    0,
  );
  const stepMs = squares > 0 ? products / squares : 0;
  return { at: (count) => meanMs + stepMs * (count - meanCount) };
}
