import type { LiveFix } from '#engine/receivers/live-fix.ts';
import { NO_SIGNAL, type SignalState } from './drive-state.ts';

/** The rate is counted over this many positions. */
const COUNTED_FIXES = 40;
/** A pause of more than this many usual steps, and at least this long, is a hole. */
const HOLE_STEPS = 3;
const HOLE_MS_MIN = 500;

/** Follows what a receiver says of itself, counts its rate and finds holes. */
export class SignalMeter {
  #state: SignalState = NO_SIGNAL;
  #timesMs: number[] = [];
  #lastTimeMs: number | null = null;

  get state(): SignalState {
    return this.#state;
  }

  /** Takes a position; returns the length of the hole in front of it, 0 without one. */
  add(fix: LiveFix): number {
    const hasPosition = fix.latitude !== null && fix.longitude !== null;
    const holeMs = hasPosition ? this.#count(fix.timeMs ?? fix.arrivalMs) : 0;
    this.#state = {
      fixKind: fix.fixKind,
      satellites: fix.satellites,
      accuracyMeters: hasPosition ? fix.accuracyMeters : null,
      rateHz: this.#rateHz() ?? this.#state.rateHz,
      batteryPercent: fix.batteryPercent ?? this.#state.batteryPercent,
      position:
        fix.latitude === null || fix.longitude === null ? null : { lat: fix.latitude, lon: fix.longitude },
      lastFixAtMs: hasPosition ? fix.arrivalMs : this.#state.lastFixAtMs,
    };
    return holeMs;
  }

  #count(timeMs: number): number {
    const stepMs = this.#lastTimeMs === null ? 0 : timeMs - this.#lastTimeMs;
    this.#lastTimeMs = timeMs;
    const rateHz = this.#rateHz();
    const usualMs = rateHz === null ? 0 : 1000 / rateHz;
    const isHole = stepMs > Math.max(HOLE_MS_MIN, HOLE_STEPS * usualMs) && rateHz !== null;
    if (stepMs < 0 || isHole) this.#timesMs = [];
    this.#timesMs.push(timeMs);
    if (this.#timesMs.length > COUNTED_FIXES) this.#timesMs.shift();
    return isHole ? stepMs - usualMs : 0;
  }

  #rateHz(): number | null {
    const [first, last] = [this.#timesMs[0], this.#timesMs.at(-1)];
    if (first === undefined || last === undefined || this.#timesMs.length < 4 || last <= first) return null;
    return (1000 * (this.#timesMs.length - 1)) / (last - first);
  }
}
