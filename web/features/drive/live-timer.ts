import { LiveTiming } from '#engine/live/live-timing.ts';
import type { LiveEvent, LiveLap } from '#engine/live/live-state.ts';
import type { LiveFix } from '#engine/receivers/live-fix.ts';
import type { Track } from '#engine/track.ts';
import { NOT_TIMED, type LiveView } from './drive-state.ts';
import type { KeptLap } from './kept-tracks.ts';
import { toTracedLap } from './traced-lap.ts';

/** Times a drive with the engine, and keeps the list of its laps. Without a track it knows the speed only. */
export class LiveTimer {
  readonly #timing: LiveTiming | null;
  #laps: readonly LiveLap[] = [];
  #linesPassed = 0;

  constructor(track: Track | null, reference: KeptLap | null) {
    this.#timing = track && new LiveTiming({ track, reference: reference && toTracedLap(reference) });
  }

  add(fix: LiveFix): LiveView {
    if (this.#timing === null) {
      return { ...NOT_TIMED, state: { ...NOT_TIMED.state, speedMetersPerSecond: fix.speedMetersPerSecond } };
    }
    this.#follow(this.#timing.feed(fix));
    return this.view();
  }

  /** Marks that positions are missing: nothing is joined over them. */
  markHole(): LiveView {
    this.#follow(this.#timing?.hole() ?? []);
    return this.view();
  }

  view(): LiveView {
    if (this.#timing === null) return NOT_TIMED;
    return { state: this.#timing.state, laps: this.#laps, linesPassed: this.#linesPassed };
  }

  #follow(events: readonly LiveEvent[]): void {
    if (events.some(isAtLine)) this.#linesPassed += 1;
    for (const event of events) {
      if (event.kind !== 'lap') continue;
      // A lap comes twice: the second time it is final.
      const { lap } = event;
      this.#laps = [...this.#laps.filter(({ number }) => number !== lap.number), lap];
    }
  }
}

/** A lap that is final ended at its line before. */
function isAtLine(event: LiveEvent): boolean {
  return event.kind === 'start' || event.kind === 'sector' || (event.kind === 'lap' && !event.lap.isFinal);
}
