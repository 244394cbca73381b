import type { Line } from './csv-table.ts';
import { parseDecimal } from './decimal.ts';
import { decodeText } from './text-encoding.ts';

/** Describes the words of one line, with any number of blanks between them. One object serves for all lines of a file. */
export class WhitespaceFields {
  /** Number of words in the line; of a line with more than MOST_WORDS, only those are there. */
  count = 0;
  readonly #bytes: Uint8Array;
  readonly #starts = new Int32Array(MOST_WORDS);
  readonly #ends = new Int32Array(MOST_WORDS);

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  split({ start, end }: Line): void {
    let count = 0;
    for (let at = start; at < end && count < MOST_WORDS;) {
      while (at < end && this.#isBlank(at)) at++;
      const wordStart = at;
      while (at < end && !this.#isBlank(at)) at++;
      if (at === wordStart) break;
      this.#starts[count] = wordStart;
      this.#ends[count] = at;
      count++;
    }
    this.count = count;
  }

  /** Returns the number in a word; NaN where there is none, or no such word. */
  number(index: number): number {
    if (index < 0 || index >= this.count) return Number.NaN;
    return parseDecimal(this.#bytes, this.#starts[index] ?? 0, this.#ends[index] ?? 0);
  }

  /** Returns the characters of a word; '' where there is no such word. */
  text(index: number): string {
    if (index < 0 || index >= this.count) return '';
    return decodeText(this.#bytes.subarray(this.#starts[index] ?? 0, this.#ends[index] ?? 0));
  }

  #isBlank(at: number): boolean {
    return (this.#bytes[at] ?? SPACE) <= SPACE;
  }
}

const SPACE = 0x20;

// Positions and speeds are among the first columns; loggers of whole cars write hundreds more.
const MOST_WORDS = 400;
