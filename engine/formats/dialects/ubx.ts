/**
 * The binary protocol of u-blox's receivers, as u-center, DIY loggers and dashcams record it: `.ubx`. Facts: u-blox's protocol
 * specification.
 *
 * - Frames with sums (see ubx-frames.ts), often with NMEA text between them. Where the frames hold only raw measurements and what the
 *   receiver says of itself, the sentences have the positions.
 * - NAV-PVT is a whole fix with date and time; its nanoseconds may be negative. Older receivers have NAV-SOL, in centimetres on the axes of
 *   the Earth with week and time of the week, or split a fix into NAV-POSLLH, NAV-VELNED and NAV-TIMEUTC of the same time of the week.
 * - NAV-TIMEUTC may come less often than positions: the last one says how far the time of the week is from UTC.
 * - NAV-POSLLH does not say whether it is a fix; NAV-STATUS does where it is recorded.
 */
import { UnreadableLapFileError } from '../../lap-file.ts';
import { hasAscii, type BinaryLapFileFormat } from '../binary/binary-format.ts';
import { groundSpeed, toGeodetic } from '../binary/earth-centered.ts';
import { gpsTimeToUtcMs } from '../binary/gps-time.ts';
import { readCalendar, readPvt, UbxFixRecorder, type UbxFix } from '../binary/ubx-fixes.ts';
import { beginsWithFrames, UbxFrameReader, type UbxFrame, type UbxKind } from '../binary/ubx-frames.ts';
import { readIntactSentences } from './nmea.ts';

const [POSLLH, STATUS, SOL, PVT, VELNED, TIMEUTC] = [0x0102, 0x0103, 0x0106, 0x0107, 0x0112, 0x0121];

/** Lists the frames that are read. NAV-PVT has grown from 84 bytes. */
const KINDS: readonly UbxKind[] = [
  { code: POSLLH, leastBytes: 28, mostBytes: 28 },
  { code: STATUS, leastBytes: 16, mostBytes: 16 },
  { code: SOL, leastBytes: 52, mostBytes: 52 },
  { code: PVT, leastBytes: 84, mostBytes: 92 },
  { code: VELNED, leastBytes: 36, mostBytes: 36 },
  { code: TIMEUTC, leastBytes: 20, mostBytes: 20 },
];

/** Reads what receivers of u-blox send: `.ubx`. */
export const ubx: BinaryLapFileFormat = {
  format: 'ubx',
  name: 'u-blox UBX',
  recognise: (bytes) => hasAscii(bytes, 0, '\u00b5b') || beginsWithFrames(bytes, KINDS),
  read: readUbx,
};

const PVT_SPEED_OFFSET = 60;

function readUbx(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const [whole, earthCentered] = [new UbxFixRecorder(), new UbxFixRecorder()];
  const split = new SplitFixes();
  const reader = new UbxFrameReader(KINDS, (frame) => {
    if (frame.code === PVT) whole.add(readPvt(frame.payload, PVT_SPEED_OFFSET));
    else if (frame.code === SOL) earthCentered.add(readSolution(frame.payload));
    else split.see(frame);
  });
  reader.feed(bytes);
  split.flush();
  // The first of those with the most fixes: NAV-PVT and NAV-SOL know more than the split ones.
  const [most] = [whole, earthCentered, split.fixes].toSorted((a, b) => b.length - a.length);
  if (most !== undefined && most.length > 0) return most.finish();
  const sentences = readIntactSentences(bytes);
  if (sentences !== null) return sentences;
  throw new UnreadableLapFileError(
    'This UBX file holds no position with a time; have the receiver write the message NAV-PVT, and wait for a fix.',
  );
}

function readSolution(payload: DataView): UbxFix | null {
  const [kind, flags] = [payload.getUint8(10), payload.getUint8(11)];
  if ((flags & 1) === 0 || kind < FIX_2D || kind > FIX_COMBINED) return null;
  const meters = (offset: number) => payload.getInt32(offset, true) / 100;
  const position = toGeodetic({ x: meters(12), y: meters(16), z: meters(20) });
  const isTimed = (flags & WEEK_AND_TIME) === WEEK_AND_TIME;
  const weekMs = payload.getUint32(0, true) + payload.getInt32(4, true) / 1e6;
  return {
    timeMs: isTimed ? gpsTimeToUtcMs(payload.getInt16(8, true), weekMs) : Number.NaN,
    ...position,
    speedMetersPerSecond: groundSpeed({ x: meters(28), y: meters(32), z: meters(36) }, position),
    accuracyMeters: payload.getUint32(24, true) / 100,
  };
}

const FIX_2D = 2;
/** The receiver combines GPS with dead reckoning. */
const FIX_COMBINED = 4;
/** Bits of NAV-SOL that say that week and time of the week are right. */
const WEEK_AND_TIME = 0b1100;
/** Receivers write the largest accuracy while they have no fix. */
const ACCURACY_MAX_METERS = 10_000;

/** Puts the frames of one time of the week together. */
class SplitFixes {
  readonly fixes = new UbxFixRecorder();
  #weekMs = Number.NaN;
  #position: Pick<UbxFix, 'lat' | 'lon' | 'accuracyMeters'> | null = null;
  #speed = Number.NaN;
  #isFix = true;
  /** Milliseconds from the time of the week to UTC. */
  #offsetMs = Number.NaN;

  see({ code, payload }: UbxFrame): void {
    const weekMs = payload.getUint32(0, true);
    if (weekMs !== this.#weekMs) this.#begin(weekMs);
    if (code === POSLLH) {
      this.#position = {
        lon: payload.getInt32(4, true) / 1e7,
        lat: payload.getInt32(8, true) / 1e7,
        accuracyMeters: payload.getUint32(20, true) / 1000,
      };
    } else if (code === VELNED) this.#speed = payload.getUint32(20, true) / 100;
    else if (code === STATUS) this.#isFix = (payload.getUint8(5) & 1) === 1 && payload.getUint8(4) >= FIX_2D;
    else if ((payload.getUint8(19) & 7) === 7)
      this.#offsetMs = readCalendar(payload, 12) + payload.getInt32(8, true) / 1e6 - weekMs;
  }

  #begin(weekMs: number): void {
    this.flush();
    // The week has begun again.
    if (weekMs < this.#weekMs) this.#offsetMs = Number.NaN;
    this.#weekMs = weekMs;
  }

  /** Adds the fix of the frames so far. */
  flush(): void {
    const position = this.#position;
    if (position !== null) {
      const isFix = this.#isFix && position.accuracyMeters < ACCURACY_MAX_METERS;
      const timeMs = this.#weekMs + this.#offsetMs;
      this.fixes.add(isFix ? { ...position, timeMs, speedMetersPerSecond: this.#speed } : null);
    }
    this.#position = null;
    this.#speed = Number.NaN;
  }
}
