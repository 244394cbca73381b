/** Collects what a file says in every row of the rate of its receiver, in fixes a second. */
export class ReceiverRate {
  readonly #counts = new Map<number, number>();

  /** Records the rate of one row; NaN and what no receiver does are left out. Rates that vary a little are rounded. */
  see(rateHz: number): void {
    if (!(rateHz >= SLOWEST_HZ && rateHz <= QUICKEST_HZ)) return;
    const rounded = Math.round(rateHz * 10) / 10;
    this.#counts.set(rounded, (this.#counts.get(rounded) ?? 0) + 1);
  }

  /** Returns the rate that most rows state; null where none does. */
  finish(): number | null {
    let [found, most]: [number | null, number] = [null, 0];
    for (const [rateHz, count] of this.#counts) if (count > most) [found, most] = [rateHz, count];
    return found;
  }
}

const SLOWEST_HZ = 0.2;
const QUICKEST_HZ = 200;
