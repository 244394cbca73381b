/**
 * CAMM, Google's Camera Motion Metadata, which Insta360 Pro and phones write. Facts: developers.google.com/streetview/publish/camm-spec.
 *
 * - A packet is two reserved bytes, its type in 16 bits and its numbers, lowest byte first. Some cameras write several packets in a sample.
 * - Type 5 holds latitude, longitude and height. Type 6 has the time of the fix, its kind (0 none, 2, 3), latitude, longitude, height, two
 *   accuracies and the velocity to the east, to the north and up. The other types are of motion.
 * - The time of type 6 is in seconds since 1980 by the specification. ExifTool knows cameras that count from 1970.
 */
import { viewBytes } from '../binary/binary-format.ts';
import type { CameraSample } from './gpmf.ts';

/** The time is in seconds as the packet has it; NaN in a packet without one. */
export type CammFix = Omit<CameraSample, 'timeMs' | 'precision'> & { clockSeconds: number };

/** Counts the bytes of the packets of each type, with the four of the head. */
const PACKET_BYTES = [16, 12, 16, 16, 16, 28, 60, 16];
const POSITION = 5;
const FIX = 6;
/** A sample of this size is one packet of motion, or of exposure. */
const MOTION_BYTES = new Set([12, 16]);

/** Returns whether a sample of this size may hold a position. */
export function mayHoldPosition(sizeBytes: number): boolean {
  return !MOTION_BYTES.has(sizeBytes);
}

/** Reads the positions of one sample; a packet of an unknown type or beyond its end ends it. */
export function readCammSample(bytes: Uint8Array): CammFix[] {
  const view = viewBytes(bytes);
  const fixes: CammFix[] = [];
  for (let at = 0; at + 4 <= bytes.length;) {
    const type = view.getUint16(at + 2, true);
    const length = PACKET_BYTES[type];
    if (length === undefined || at + length > bytes.length) break;
    if (type === FIX) fixes.push(readFix(view, at));
    if (type === POSITION) fixes.push(readPosition(view, at));
    at += length;
  }
  return fixes;
}

function readFix(view: DataView, at: number): CammFix {
  return {
    clockSeconds: view.getFloat64(at + 4, true),
    fixKind: view.getInt32(at + 12, true),
    lat: view.getFloat64(at + 16, true),
    lon: view.getFloat64(at + 24, true),
    speedMetersPerSecond: Math.hypot(view.getFloat32(at + 44, true), view.getFloat32(at + 48, true)),
  };
}

function readPosition(view: DataView, at: number): CammFix {
  return {
    clockSeconds: Number.NaN,
    fixKind: 3,
    lat: view.getFloat64(at + 4, true),
    lon: view.getFloat64(at + 12, true),
    speedMetersPerSecond: Number.NaN,
  };
}

const MIDNIGHT_1980_MS = Date.UTC(1980, 0, 6);
/** Satellites do not count leap seconds; there have been 18 since 1980, and none after 2016. */
const LEAP_MS = 18_000;
const YEAR_MS = 366 * 86_400_000;

/**
 * Returns UTC in milliseconds. The camera's date says from which year the packet counts; NaN where it has none, and where neither year
 * comes within one of it.
 */
export function cammTimeToUtc(clockSeconds: number, creationMs: number | null): number {
  const readings = [MIDNIGHT_1980_MS + clockSeconds * 1_000 - LEAP_MS, clockSeconds * 1_000];
  return readings.find((ms) => creationMs !== null && Math.abs(ms - creationMs) < YEAR_MS) ?? Number.NaN;
}
