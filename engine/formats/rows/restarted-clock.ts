import { UnreadableLapFileError } from '../../lap-file.ts';

/** Finds out whether the times of a table begin again with every lap, so that nothing tells how long after one lap the next began. */
export class RestartedClock {
  #time = Number.NaN;
  #lap = Number.NaN;
  #restarts = 0;
  #continuations = 0;
  #stepsBack = 0;
  #stepsOn = 0;

  /** Takes the time and the lap of the next row, as they are written. */
  see(time: number, lap: number): void {
    if (lap !== this.#lap && !Number.isNaN(lap) && !Number.isNaN(this.#lap)) {
      // Rows in another order go back by a row; a clock that begins again, by nearly all.
      if (time < this.#time / 10) this.#restarts += 1;
      else this.#continuations += 1;
    } else if (time < this.#time) this.#stepsBack += 1;
    else this.#stepsOn += 1;
    this.#time = time;
    this.#lap = lap;
  }

  /** Throws where no lap goes on with the clock of the one before. A table with its newest row first has a clock that falls. */
  refuse(): void {
    if (this.#restarts === 0 || this.#continuations > 0 || this.#stepsBack > this.#stepsOn) return;
    throw new UnreadableLapFileError(
      'This file has times that begin again with every lap, so laps cannot be timed; export it with the time since the start of the session.',
    );
  }
}
