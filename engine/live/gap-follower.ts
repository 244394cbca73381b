import {
  alignToLap,
  placeReference,
  type ComparisonOptions,
  type PlacedReference,
} from '../comparison/compare-laps.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import { LineFollower, newSearch } from '../comparison/projection.ts';
import { directionAt } from '../comparison/reference-line.ts';
import { lowerBound } from '../binary-search.ts';
import { at } from '../fix-columns.ts';
import { planeX, planeY } from '../geo.ts';

/** Two positions closer together show no direction. */
const STEP_MIN_METERS = 0.5;
/** A car that has driven so far without being on the line is somewhere else, until its next lap. */
const LOST_METERS = 400;

/** Describes a gap: later than the reference lap at the same place, so many metres after the start of the line. */
export type Gap = { gapMs: number; metersAlong: number };

/** The reference lap is known at every metre, since in slow corners its speed along the line changes within few. */
const STEP_METERS = 1;

type Place = { x: number; y: number };

/** Measures the gap of the running lap to the reference lap by position, as the comparison of finished laps does. */
export class GapFollower {
  readonly #placed: PlacedReference;
  readonly referenceLapTimeMs: number;
  readonly #search = newSearch();
  /** Moves positions so that they lie on the line as those of the reference lap do. */
  #shift: Place;
  #follower: LineFollower | null = null;
  #lapStartTimeMs = 0;
  #atStartMs = 0;
  #last: Place | null = null;
  #gap: Gap | null = null;

  private constructor(placed: PlacedReference, lapTimeMs: number) {
    this.#placed = placed;
    this.#shift = placed.first.shift;
    this.referenceLapTimeMs = lapTimeMs;
  }

  /** Returns null for a reference lap that cannot be followed. */
  static along(reference: TracedLap, options: Pick<ComparisonOptions, 'line'> = {}): GapFollower | null {
    const placed = placeReference(reference, { ...options, stepMeters: STEP_METERS });
    return placed === null ? null : new GapFollower(placed, reference.lap.lapTimeMs);
  }

  /** Begins a lap. The same moment may be said again, more exactly. */
  start(timeMs: number, isSameLap: boolean): void {
    this.#lapStartTimeMs = timeMs;
    if (isSameLap) return;
    const { line } = this.#placed;
    this.#follower = new LineFollower(line, line.startMeters);
    this.#last = null;
    this.#gap = null;
    this.#atStartMs = 0;
  }

  /** Ends following until the next lap. */
  stop(): void {
    this.#follower = null;
    this.#gap = null;
  }

  /** Takes the constant offset between the two receivers out from now on: `lap` is a whole lap of this one. */
  align(lap: TracedLap): void {
    const aligned = alignToLap(this.#placed.line, { ...lap, isSameRecording: false }, this.#placed.first);
    if (aligned !== null) this.#shift = aligned.shift;
  }

  /** Takes the next position; returns the gap there, null where the car is not on the line. */
  follow({
    timeMs,
    lat,
    lon,
    speed,
  }: {
    timeMs: number;
    lat: number;
    lon: number;
    speed: number;
  }): Gap | null {
    const follower = this.#follower;
    if (follower === null) return null;
    const { line } = this.#placed;
    const here = {
      x: planeX(line.plane, lon) + this.#shift.x,
      y: planeY(line.plane, lat) + this.#shift.y,
    };
    const last = this.#last ?? here;
    const stepMeters = Math.hypot(here.x - last.x, here.y - last.y);
    if (this.#last !== null && stepMeters < STEP_MIN_METERS) return this.#gap;
    this.#last = here;
    const search = this.#search;
    [search.x, search.y] = [here.x, here.y];
    search.directionX = stepMeters > 0 ? (here.x - last.x) / stepMeters : 0;
    search.directionY = stepMeters > 0 ? (here.y - last.y) / stepMeters : 0;
    const isFirst = this.#gap === null;
    if (follower.follow(search, stepMeters)) {
      if (isFirst) this.#atStartMs = this.#shiftAtStartMs(speed);
      this.#gap = this.#gapAt(search.meters, timeMs);
    } else if (follower.drivenMeters > LOST_METERS) this.stop();
    return this.#gap;
  }

  #gapAt(meters: number, timeMs: number): Gap | null {
    const { line, stations, driven } = this.#placed;
    const after = Math.max(1, lowerBound(stations, meters, 1, stations.length - 1));
    const [from, to] = [at(stations, after - 1), at(stations, after)];
    const share = (meters - from) / (to - from);
    const [before, behind] = [at(driven.elapsedMs, after - 1), at(driven.elapsedMs, after)];
    const referenceMs = before + share * (behind - before);
    return {
      gapMs: timeMs - this.#lapStartTimeMs + this.#atStartMs - referenceMs,
      metersAlong: meters - line.startMeters,
    };
  }

  /** After a shift the lap passes the first station earlier or later than its own start by so much. */
  #shiftAtStartMs(speed: number): number {
    const { line, first } = this.#placed;
    const direction = directionAt(line, line.startMeters);
    const [x, y] = [this.#shift.x - first.shift.x, this.#shift.y - first.shift.y];
    const ahead = x * direction.x + y * direction.y;
    return speed > 1 ? (1000 * ahead) / speed : 0;
  }
}
