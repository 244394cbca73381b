/**
 * Decodes RaceChrono's protocol for self-made devices. Facts: the protocol's public description.
 *
 * - All numbers are big-endian. The main channel has a fix in 20 bytes with the time since the last full hour in steps of 2 ms, the other
 *   one date and hour. Both begin with 3 bits that count the changes of the hour; they belong together where these are equal.
 * - The values of all ones say that something is unknown.
 */
import { viewBytes } from '../formats/binary/binary-format.ts';
import { setPosition, unknownFix, type LiveFix, type ReceiverDecoder, type StreamChunk } from './live-fix.ts';

/** Numbers the channels: the characteristics `0003` and `0004` of the service `1ff8`. */
export const RACECHRONO_MAIN = 0;
export const RACECHRONO_TIME = 1;

const MAIN_BYTES = 20;
const STEPS_IN_HOUR = 1_800_000;
/** A device notifies the new hour within some fixes; later ones are shown without a time. */
const WAITING_MAX = 50;
const UNKNOWN_COORDINATE = 0x7fff_ffff;
const UNKNOWN_16 = 0xffff;
const COARSE = 0x8000;

type Hour = { sync: number; timeMs: number };

export class RaceChronoDecoder implements ReceiverDecoder {
  #hour: Hour | null = null;
  /** Fixes whose hour has not come yet, with their own place in the hour as time. */
  #waiting: { sync: number; inHourMs: number; fix: LiveFix }[] = [];

  feed({ bytes, arrivalMs, channel = RACECHRONO_MAIN }: StreamChunk): LiveFix[] {
    const view = viewBytes(bytes);
    if (channel === RACECHRONO_TIME) return bytes.length < 3 ? [] : this.#takeHour(view);
    if (bytes.length < MAIN_BYTES) return [];
    const word = view.getUint32(0) >>> 8;
    const [sync, steps] = [word >>> 21, word & 0x1f_ffff];
    if (steps >= STEPS_IN_HOUR) return [];
    const fix = readFix(view, arrivalMs);
    this.#waiting.push({ sync, inHourMs: 2 * steps, fix });
    return this.#release();
  }

  reset(): void {
    this.#waiting = [];
  }

  #takeHour(view: DataView): LiveFix[] {
    const word = (view.getUint16(0) << 8) | view.getUint8(2);
    const hours = word & 0x1f_ffff;
    const [year, month] = [Math.floor(hours / 8928), Math.floor((hours % 8928) / 744)];
    const [day, hour] = [Math.floor((hours % 744) / 24), hours % 24];
    this.#hour = { sync: word >>> 21, timeMs: Date.UTC(2000 + year, month, day + 1, hour) };
    return this.#release();
  }

  /** Returns the fixes that can be dated now, and those that have waited for too long. */
  #release(): LiveFix[] {
    const released: LiveFix[] = [];
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting;
      if (first === undefined) break;
      const isDated = this.#hour?.sync === first.sync;
      if (!isDated && this.#waiting.length <= WAITING_MAX) break;
      if (isDated && this.#hour !== null && first.fix.latitude !== null)
        first.fix.timeMs = this.#hour.timeMs + first.inHourMs;
      released.push(first.fix);
      this.#waiting.shift();
    }
    return released;
  }
}

function readFix(view: DataView, arrivalMs: number): LiveFix {
  const fix = unknownFix(arrivalMs);
  const [quality, satellites] = [view.getUint8(3) >> 6, view.getUint8(3) & 0x3f];
  fix.satellites = satellites === 0x3f ? null : satellites;
  fix.fixKind = quality === 0 ? 'none' : null;
  const [lat, lon] = [view.getInt32(4), view.getInt32(8)];
  if (quality === 0 || lat === UNKNOWN_COORDINATE || lon === UNKNOWN_COORDINATE) return fix;
  setPosition(fix, lat / 1e7, lon / 1e7);
  const [altitude, speed, bearing] = [view.getUint16(12), view.getUint16(14), view.getUint16(16)];
  if (altitude !== UNKNOWN_16) fix.altitudeMeters = scaled(altitude, 10, 1) - 500;
  if (speed !== UNKNOWN_16) fix.speedMetersPerSecond = scaled(speed, 100, 10) / 3.6;
  if (bearing !== UNKNOWN_16) fix.headingDeg = bearing / 100;
  const dilution = view.getUint8(18);
  if (dilution !== 0xff) fix.horizontalDilution = dilution / 10;
  return fix;
}

/** Returns a number in fine or, where it would not fit, in coarse steps; its top bit says which. */
function scaled(value: number, fine: number, coarse: number): number {
  return (value & COARSE) === 0 ? value / fine : (value & ~COARSE) / coarse;
}
