import type { LapFileContent } from '../rows/lap-file-format.ts';
import { LapFileRecorder } from '../rows/lap-file-format.ts';
import type { Channels } from '../../channels.ts';
import { AccuracyRecorder } from './accuracy-recorder.ts';

/** Describes one fix of a receiver of u-blox: NaN for what it does not say. */
export type UbxFix = {
  timeMs: number;
  lat: number;
  lon: number;
  speedMetersPerSecond: number;
  accuracyMeters: number;
};

/** Collects fixes whose times are UTC, with the accuracy that the receiver states. */
export class UbxFixRecorder {
  readonly #recorder = new LapFileRecorder();
  readonly #accuracies = new AccuracyRecorder();

  get length(): number {
    return this.#recorder.length;
  }

  /** Adds a fix, or with null counts a frame without one. Returns whether it counts. */
  add(fix: UbxFix | null): boolean {
    if (fix === null) return this.#recorder.drop('no_position');
    if (!this.#recorder.add(fix.timeMs, fix.lat, fix.lon, fix.speedMetersPerSecond)) return false;
    this.#accuracies.add(fix.accuracyMeters);
    return true;
  }

  finish(channels: Channels = {}): LapFileContent {
    const unsorted = this.#recorder.times();
    const { fixes, clock, dropped } = this.#recorder.finish(() => 'utc', 1, channels);
    return {
      fixes,
      clock,
      dropped,
      loggerLaps: [],
      accuracy: this.#accuracies.finish(unsorted),
    };
  }
}

/**
 * Reads what NAV-PVT and RaceBox's frames have at the same places; null without a fix. The time is that of the calendar fields, NaN
 * while the receiver does not know date and time; its nanoseconds may be negative.
 */
export function readPvt(payload: DataView, speedOffset: number): UbxFix | null {
  const kind = payload.getUint8(20);
  const isFix = (payload.getUint8(21) & 1) === 1 && kind >= FIX_2D && kind <= FIX_COMBINED;
  if (!isFix) return null;
  const isTimed = (payload.getUint8(11) & 3) === 3;
  return {
    timeMs: isTimed ? readCalendar(payload, 4) + payload.getInt32(16, true) / 1e6 : Number.NaN,
    lon: payload.getInt32(24, true) / 1e7,
    lat: payload.getInt32(28, true) / 1e7,
    accuracyMeters: payload.getUint32(40, true) / 1000,
    speedMetersPerSecond: payload.getInt32(speedOffset, true) / 1000,
  };
}

/** Reads year, month, day, hour, minute and second; epoch milliseconds. */
export function readCalendar(payload: DataView, offset: number): number {
  return Date.UTC(
    payload.getUint16(offset, true),
    payload.getUint8(offset + 2) - 1,
    payload.getUint8(offset + 3),
    payload.getUint8(offset + 4),
    payload.getUint8(offset + 5),
    payload.getUint8(offset + 6),
  );
}

const FIX_2D = 2;
/** The receiver combines GPS with dead reckoning. */
const FIX_COMBINED = 4;
