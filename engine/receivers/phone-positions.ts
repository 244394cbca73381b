/**
 * Holds the positions of the phone itself as bytes, so that a recording keeps what the browser said: a letter `P`, then eight numbers of
 * 64 bits, little-endian: time, latitude, longitude, accuracy, altitude, its accuracy, speed, heading; NaN for null.
 */
import { viewBytes } from '../formats/binary/binary-format.ts';
import {
  knownOrNull,
  setPosition,
  unknownFix,
  type LiveFix,
  type ReceiverDecoder,
  type StreamChunk,
} from './live-fix.ts';

/** Describes a position as browsers give it (`GeolocationPosition`). */
export type PhonePosition = {
  /** Epoch milliseconds. */
  timestamp: number;
  coords: {
    latitude: number;
    longitude: number;
    accuracy: number;
    altitude: number | null;
    altitudeAccuracy: number | null;
    speed: number | null;
    heading: number | null;
  };
};

const POSITION_BYTES = 65;
const MARK = 0x50;

export function encodePhonePosition({ timestamp, coords }: PhonePosition): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(POSITION_BYTES);
  const view = viewBytes(bytes);
  bytes[0] = MARK;
  const { latitude, longitude, accuracy, altitude, altitudeAccuracy, speed, heading } = coords;
  const values = [timestamp, latitude, longitude, accuracy, altitude, altitudeAccuracy, speed, heading];
  for (const [place, value] of values.entries()) view.setFloat64(1 + 8 * place, value ?? Number.NaN, true);
  return bytes;
}

/** Decodes positions of the phone; each chunk is one. */
export class PhoneDecoder implements ReceiverDecoder {
  feed({ bytes, arrivalMs }: StreamChunk): LiveFix[] {
    if (bytes.length !== POSITION_BYTES || bytes[0] !== MARK) return [];
    const view = viewBytes(bytes);
    const value = (place: number) => view.getFloat64(1 + 8 * place, true);
    const fix = unknownFix(arrivalMs);
    fix.timeMs = knownOrNull(value(0));
    setPosition(fix, value(1), value(2));
    fix.accuracyMeters = value(3) > 0 ? knownOrNull(value(3)) : null;
    fix.altitudeMeters = knownOrNull(value(4));
    fix.speedMetersPerSecond = value(6) >= 0 ? knownOrNull(value(6)) : null;
    fix.headingDeg = knownOrNull(value(7));
    return [fix];
  }

  reset(): void {
    // Keeps nothing between chunks.
  }
}
