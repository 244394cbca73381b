import { buildTrackShape } from '../center-line.ts';
import type { TracedLap } from '../comparison/lap-trace.ts';
import type { ReferenceLine } from '../comparison/reference-line.ts';
import { distanceMeters } from '../geo.ts';
import type { LiveFix } from '../receivers/live-fix.ts';
import { toLineFrame } from '../timing-line.ts';
import { sectorTimesBetween } from '../timing/sectors.ts';
import { gapMsAt } from '../trace/trace.ts';
import type { Track } from '../track.ts';
import { FixWindow } from './fix-window.ts';
import { GapFollower, type Gap } from './gap-follower.ts';
import { LineWatch, type LiveCrossing } from './line-watch.ts';
import type { LiveEvent, LiveLap, LivePhase, LiveState } from './live-state.ts';

/** Says what a drive is timed on and compared with. */
export type LiveTimingOptions = {
  track: Track;
  /** The lap to compare with; without it the best lap so far, as soon as there is one. */
  reference?: TracedLap | null;
  /** The line of the track, where it is known. */
  line?: ReferenceLine | undefined;
};

/** After a longer pause the time between two crossings is no lap, as in a recording. */
const PAUSE_MIN_MS = 60_000;
/** A lap that is so much shorter or longer than the track went elsewhere. */
const LENGTH_SHARES = [0.75, 1.3] as const;
/** Steps shorter than this are noise of a standing car. */
const STEP_MIN_METERS = 0.5;

/** The running lap: since which crossing, and what is known of it. */
type Running = { crossing: LiveCrossing; meters: number; hasHole: boolean; longestHoleMs: number };

/**
 * Times a drive fix by fix, with the code that times recordings: every crossing at once, and finally half a second later. What it shows is a
 * preview: the server times the recording. Memory and work for a fix do not grow with the drive.
 */
export class LiveTiming {
  readonly #options: LiveTimingOptions;
  readonly #window = new FixWindow();
  readonly #start: LineWatch | null;
  readonly #finish: LineWatch | null;
  readonly #sectors: LineWatch[];
  readonly #events: LiveEvent[] = [];
  #sectorTimes: number[][];
  #gaps: GapFollower | null;
  #running: Running | null = null;
  #phase: LivePhase = 'waiting';
  #laps = 0;
  #lastLap: (LiveLap & { startId: number; endId: number }) | null = null;
  #bestFinalMs: number | null = null;
  #lastTimeMs = Number.NaN;
  #intervalMs = Number.POSITIVE_INFINITY;
  #gap: Gap | null = null;
  #lineGapMs: number | null = null;
  #speed: number | null = null;
  #sectorsDone = 0;
  #isAligned = false;

  constructor(options: LiveTimingOptions) {
    this.#options = options;
    const { track, reference = null, line } = options;
    const { frame, centerLine } = buildTrackShape(track);
    this.#start = frame && new LineWatch(frame, track.finishLine ? null : centerLine);
    const finish = track.finishLine ? toLineFrame(track.finishLine) : null;
    this.#finish = finish && new LineWatch(finish, null);
    this.#sectors = track.sectors.flatMap((sector) => {
      const sectorFrame = toLineFrame(sector);
      return sectorFrame === null ? [] : [new LineWatch(sectorFrame, null)];
    });
    this.#sectorTimes = this.#sectors.map(() => []);
    this.#gaps = reference && GapFollower.along(reference, { line });
  }

  /** Takes the next fix; returns what it has brought about. A fix without time or position, or older than the last one, changes nothing. */
  feed(fix: LiveFix): LiveEvent[] {
    this.#events.length = 0;
    const timed = timedFix(fix);
    if (timed === null || !this.#isLater(timed.timeMs)) return [...this.#events];
    const { timeMs, lat, lon, speed } = timed;
    this.#lastTimeMs = timeMs;
    this.#speed = fix.speedMetersPerSecond;
    this.#window.add(timeMs, lat, lon, speed);
    if (this.#phase === 'waiting') this.#phase = 'out-lap';
    this.#addMeters();
    this.#look(timeMs);
    if (this.#phase === 'timed') this.#gap = this.#gaps?.follow(timed) ?? null;
    return [...this.#events];
  }

  /** Says that the receiver was lost, or the recording stopped: what comes next is not joined to what was. */
  hole(): LiveEvent[] {
    this.#events.length = 0;
    if (this.#window.length > 0) this.#interrupt(0);
    return [...this.#events];
  }

  get state(): LiveState {
    const { phase, lapStartTimeMs, elapsedMs } = this.#lapState();
    return {
      phase,
      lapNumber: this.#laps + (lapStartTimeMs === null ? 0 : 1),
      lapStartTimeMs,
      elapsedMs,
      speedMetersPerSecond: this.#speed,
      sectorIndex: this.#sectorsDone,
      sectorTimesMs: lapStartTimeMs === null ? [] : this.#runningSectors(lapStartTimeMs),
      ...this.#gapState(),
      lineGapMs: this.#lineGapMs,
      lastLap: this.#lastLap === null ? null : toLap(this.#lastLap),
      bestLapTimeMs: this.#bestMs(),
    };
  }

  #lapState(): Pick<LiveState, 'phase' | 'lapStartTimeMs' | 'elapsedMs'> {
    const phase = this.#phase;
    if (this.#running === null) return { phase, lapStartTimeMs: null, elapsedMs: null };
    const { timeMs } = this.#running.crossing;
    return { phase, lapStartTimeMs: timeMs, elapsedMs: this.#lastTimeMs - timeMs };
  }

  #gapState(): Pick<LiveState, 'gapMs' | 'predictedLapTimeMs' | 'metersAlong'> {
    if (this.#gap === null || this.#gaps === null)
      return { gapMs: null, predictedLapTimeMs: null, metersAlong: null };
    const { gapMs, metersAlong } = this.#gap;
    return { gapMs, predictedLapTimeMs: this.#gaps.referenceLapTimeMs + gapMs, metersAlong };
  }

  #bestMs(): number | null {
    const last = this.#lastLap;
    if (last === null || last.isFinal || !last.counts) return this.#bestFinalMs;
    return Math.min(last.lapTimeMs, this.#bestFinalMs ?? Number.POSITIVE_INFINITY);
  }

  #runningSectors(startMs: number): (number | null)[] {
    return sectorTimesBetween(this.#sectorTimes, startMs, Number.POSITIVE_INFINITY).slice(
      0,
      this.#sectorsDone,
    );
  }

  /** Returns whether a fix is later than the last one; a long time between them is a hole, and so is a clock that was set. */
  #isLater(timeMs: number): boolean {
    const sinceMs = timeMs - this.#lastTimeMs;
    const isHole = sinceMs > gapMsAt(this.#intervalMs) || sinceMs < -CLOCK_SET_MS;
    if (isHole) this.#interrupt(Math.abs(sinceMs));
    else if (sinceMs <= 0) return false;
    else if (sinceMs > 0) this.#intervalMs = Math.min(this.#intervalMs, sinceMs);
    return true;
  }

  #interrupt(lastedMs: number): void {
    this.#window.clear();
    for (const watch of [this.#start, this.#finish, ...this.#sectors]) watch?.interrupt();
    this.#gaps?.stop();
    this.#gap = null;
    this.#settleLast();
    if (this.#running !== null) {
      this.#running.hasHole = true;
      this.#running.longestHoleMs = Math.max(this.#running.longestHoleMs, lastedMs);
    }
    if (this.#phase !== 'waiting') {
      this.#phase = 'hole';
      this.#events.push({ kind: 'hole' });
    }
  }

  #addMeters(): void {
    if (this.#running === null || this.#window.length < 2) return;
    const meters = distanceMeters(this.#window.position(1), this.#window.position(0));
    if (meters >= STEP_MIN_METERS) this.#running.meters += meters;
  }

  #look(timeMs: number): void {
    for (const [index, watch] of this.#sectors.entries())
      for (const crossing of watch.see(this.#window, timeMs)) this.#passSector(index, crossing);
    for (const crossing of this.#finish?.see(this.#window, timeMs) ?? []) this.#passFinish(crossing);
    for (const crossing of this.#start?.see(this.#window, timeMs) ?? []) this.#passStart(crossing);
  }

  #passSector(index: number, { timeMs, isFinal }: LiveCrossing): void {
    const times = this.#sectorTimes[index];
    const running = this.#running;
    if (times === undefined) return;
    // The final time of a crossing takes the place of the first one.
    if (isFinal && times.length > 0) times[times.length - 1] = timeMs;
    else times.push(timeMs);
    if (isFinal || running === null || index < this.#sectorsDone) return;
    this.#sectorsDone = index + 1;
    this.#lineGapMs = this.#gap?.gapMs ?? null;
    const sectorTimeMs = this.#runningSectors(running.crossing.timeMs)[index] ?? null;
    const sector = { lapNumber: this.#laps + 1, sectorIndex: index, sectorTimeMs };
    this.#events.push({ kind: 'sector', sector });
  }

  #passStart(crossing: LiveCrossing): void {
    if (crossing.isFinal) this.#settleStart(crossing);
    else {
      this.#lineGapMs = null;
      if (this.#finish === null) this.#endLap(crossing);
      this.#beginLap(crossing);
    }
  }

  #passFinish(crossing: LiveCrossing): void {
    if (crossing.isFinal) this.#settleEnd(crossing);
    else if (this.#running !== null) {
      this.#endLap(crossing);
      this.#running = null;
      this.#phase = 'out-lap';
      this.#gaps?.stop();
      this.#gap = null;
      this.#sectorsDone = 0;
    }
  }

  #beginLap(crossing: LiveCrossing): void {
    this.#running = { crossing, meters: 0, hasHole: false, longestHoleMs: 0 };
    this.#phase = 'timed';
    this.#sectorsDone = 0;
    this.#gap = null;
    this.#gaps?.start(crossing.timeMs, false);
    const keptFrom = this.#lastLap?.startTimeMs ?? crossing.timeMs;
    this.#sectorTimes = this.#sectorTimes.map((times) => times.filter((timeMs) => timeMs >= keptFrom));
    this.#events.push({ kind: 'start', timeMs: crossing.timeMs });
  }

  #endLap(end: LiveCrossing): void {
    const running = this.#running;
    if (running === null || running.longestHoleMs > PAUSE_MIN_MS) return;
    this.#settleLast();
    const { id, timeMs: startTimeMs } = running.crossing;
    this.#laps += 1;
    this.#lastLap = {
      number: this.#laps,
      startTimeMs,
      lapTimeMs: end.timeMs - startTimeMs,
      hasHole: running.hasHole,
      counts: !running.hasHole && this.#isLongEnough(running.meters),
      sectorTimesMs: sectorTimesBetween(this.#sectorTimes, startTimeMs, end.timeMs),
      isFinal: false,
      startId: id,
      endId: end.id,
    };
    const { lapTimeMs, counts } = this.#lastLap;
    this.#lineGapMs = counts && this.#gaps !== null ? lapTimeMs - this.#gaps.referenceLapTimeMs : null;
    this.#events.push({ kind: 'lap', lap: toLap(this.#lastLap) });
  }

  #isLongEnough(meters: number): boolean {
    const { lengthMeters } = this.#options.track;
    if (lengthMeters === null) return true;
    const share = meters / lengthMeters;
    return share > LENGTH_SHARES[0] && share < LENGTH_SHARES[1];
  }

  /** Takes the final moment of a start over, which on a circuit is also the end of the lap before. */
  #settleStart(crossing: LiveCrossing): void {
    const running = this.#running;
    if (running?.crossing.id === crossing.id) {
      running.crossing = crossing;
      this.#gaps?.start(crossing.timeMs, true);
    }
    if (this.#finish === null) this.#settleEnd(crossing);
  }

  #settleEnd({ id, timeMs }: LiveCrossing): void {
    const last = this.#lastLap;
    if (last === null || last.isFinal || last.endId !== id) return;
    const laterMs = timeMs - last.startTimeMs - last.lapTimeMs;
    last.lapTimeMs += laterMs;
    if (this.#lineGapMs !== null && this.#sectorsDone === 0) this.#lineGapMs += laterMs;
    last.sectorTimesMs = sectorTimesBetween(this.#sectorTimes, last.startTimeMs, timeMs);
    this.#settleLast();
  }

  /** The last lap will not become more exact. */
  #settleLast(): void {
    const last = this.#lastLap;
    if (last === null || last.isFinal) return;
    last.isFinal = true;
    this.#events.push({ kind: 'lap', lap: toLap(last) });
    if (!last.counts) return;
    const isBest = last.lapTimeMs < (this.#bestFinalMs ?? Number.POSITIVE_INFINITY);
    if (isBest) this.#bestFinalMs = last.lapTimeMs;
    this.#useLap(last, isBest);
  }

  /** Takes a whole lap as the reference where none was chosen, else once to see how far the two receivers are apart. */
  #useLap({ startTimeMs, lapTimeMs }: LiveLap, isBest: boolean): void {
    const hasChosen = (this.#options.reference ?? null) !== null;
    if (hasChosen ? this.#isAligned : !isBest) return;
    const lap = this.#window.cutLap(startTimeMs, lapTimeMs);
    if (lap === null) return;
    this.#isAligned = true;
    if (hasChosen) this.#gaps?.align(lap);
    else {
      this.#gaps = GapFollower.along(lap, { line: this.#options.line });
      const running = this.#running;
      if (running !== null && this.#phase === 'timed') this.#gaps?.start(running.crossing.timeMs, false);
    }
  }
}

/** A clock that is set back by more than this begins again. */
const CLOCK_SET_MS = 5000;
const LAST_TIME_MS = 8.64e15;

function toLap({
  number,
  startTimeMs,
  lapTimeMs,
  hasHole,
  counts,
  sectorTimesMs,
  isFinal,
}: LiveLap): LiveLap {
  return { number, startTimeMs, lapTimeMs, hasHole, counts, sectorTimesMs, isFinal };
}

type TimedFix = { timeMs: number; lat: number; lon: number; speed: number };

/** Returns what timing needs of a fix, NaN for an unknown speed; null without time or position. */
function timedFix({ timeMs, latitude, longitude, speedMetersPerSecond }: LiveFix): TimedFix | null {
  if (timeMs === null || latitude === null || longitude === null) return null;
  if (!(Math.abs(timeMs) < LAST_TIME_MS)) return null;
  return { timeMs, lat: latitude, lon: longitude, speed: speedMetersPerSecond ?? Number.NaN };
}
