import { isOnEarth } from '../geo.ts';

/** Lists the kinds of streams that receivers send; each has a decoder. */
export const STREAM_KINDS = ['ubx', 'racechrono-diy', 'qstarz', 'nmea', 'serial', 'phone'] as const;

/**
 * Names what a stream consists of: `ubx` frames of u-blox and RaceBox, `racechrono-diy` and `qstarz` notifications of these devices, `nmea`
 * sentences, `serial` any mix of sentences and frames, `phone` positions of the phone itself (see `encodePhonePosition`).
 */
export type StreamKind = (typeof STREAM_KINDS)[number];

/** Describes bytes of a stream as they came. A decoder copies what it keeps, so the caller may fill its buffer again. */
export type StreamChunk = {
  bytes: Uint8Array;
  /** Moment of arrival on the clock of the phone, epoch milliseconds. */
  arrivalMs: number;
  /** Says which of the stream's channels sent it; 0 where there is only one. RaceChrono DIY: `RACECHRONO_TIME`. */
  channel?: number;
};

export type FixKind = 'none' | '2d' | '3d';

/** Describes what a receiver says at one moment; null for what it does not say. */
export type LiveFix = {
  /** UTC, epoch milliseconds with fractions; null while the receiver does not know date and time. */
  timeMs: number | null;
  /** Arrival of the bytes that completed it, epoch milliseconds of the phone. */
  arrivalMs: number;
  /** Degrees, WGS 84; null without a fix. */
  latitude: number | null;
  longitude: number | null;
  altitudeMeters: number | null;
  speedMetersPerSecond: number | null;
  /** Direction of driving, clockwise from north. */
  headingDeg: number | null;
  /** Horizontal accuracy as the receiver states it. */
  accuracyMeters: number | null;
  speedAccuracyMetersPerSecond: number | null;
  /** Horizontal dilution of precision. */
  horizontalDilution: number | null;
  /** Satellites in use. */
  satellites: number | null;
  fixKind: FixKind | null;
  batteryPercent: number | null;
  batteryVolts: number | null;
  isCharging: boolean | null;
  /** Gaining speed is positive, so is a right-hand corner, as in the channels of lap files. */
  longitudinalMetersPerSecondSquared: number | null;
  lateralMetersPerSecondSquared: number | null;
};

/** Describes a decoder of one stream. It keeps a bounded number of bytes, whatever it is fed with. */
export type ReceiverDecoder = {
  /** Takes the next bytes; returns the fixes that are complete now, oldest first. */
  feed: (chunk: StreamChunk) => LiveFix[];
  /** Forgets incomplete bytes: the receiver was lost. */
  reset: () => void;
};

/** Returns a fix of which nothing is known yet. */
export function unknownFix(arrivalMs: number): LiveFix {
  return {
    timeMs: null,
    arrivalMs,
    latitude: null,
    longitude: null,
    altitudeMeters: null,
    speedMetersPerSecond: null,
    headingDeg: null,
    accuracyMeters: null,
    speedAccuracyMetersPerSecond: null,
    horizontalDilution: null,
    satellites: null,
    fixKind: null,
    batteryPercent: null,
    batteryVolts: null,
    isCharging: null,
    longitudinalMetersPerSecondSquared: null,
    lateralMetersPerSecondSquared: null,
  };
}

/** Returns a number, or null for one that is none. */
export function knownOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Returns an accuracy, or null for what receivers write where they know none: 0 and huge numbers. */
export function statedOrNull(accuracy: number): number | null {
  return accuracy > 0 && accuracy < 100_000 ? accuracy : null;
}

/** Reads the kind of fix as u-blox and Qstarz number it; u-blox's 4 is 3D with the help of the car's own sensors. */
export function readFixKind(code: number): FixKind {
  if (code === 2) return '2d';
  return code === 3 || code === 4 ? '3d' : 'none';
}

/** Takes a position over where both coordinates are possible. */
export function setPosition(fix: LiveFix, lat: number, lon: number): void {
  const isPossible = isOnEarth(lat, lon) && (lat !== 0 || lon !== 0);
  fix.latitude = isPossible ? lat : null;
  fix.longitude = isPossible ? lon : null;
}
