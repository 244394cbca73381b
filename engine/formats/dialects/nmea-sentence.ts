import { parseDecimal } from '../text/decimal.ts';

const TYPES = ['RMC', 'GGA', 'VTG', 'GST'] as const;

/** Describes one sentence of NMEA 0183. One object serves for all sentences of a file. */
export class NmeaSentence {
  type: (typeof TYPES)[number] = 'RMC';
  hasChecksum = false;
  readonly #bytes: Uint8Array;
  readonly #starts = new Int32Array(MOST_FIELDS);
  readonly #ends = new Int32Array(MOST_FIELDS);
  #count = 0;
  /** Offsets between the dollar and the star. */
  #start = 0;
  #end = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Takes the sentence at `dollar` apart, up to the end of its line or the next one; false for unknown ones. */
  find(dollar: number): boolean {
    const bytes = this.#bytes;
    this.#start = dollar + 1;
    const type = this.#typeAt(this.#start + 2);
    if (type === null) return false;
    this.type = type;
    let end = this.#start;
    const longest = Math.min(bytes.length, end + LONGEST_SENTENCE);
    while (end < longest && (bytes[end] ?? 0) >= SPACE && bytes[end] !== DOLLAR) end++;
    this.#splitUpTo(end);
    return true;
  }

  /** Returns whether the exclusive or of all its characters is what follows the star. */
  isIntact(): boolean {
    let sum = 0;
    for (let at = this.#start; at < this.#end; at++) sum ^= this.#bytes[at] ?? 0;
    const written = String.fromCharCode(...this.#bytes.subarray(this.#end + 1, this.#end + 3));
    return /^[0-9A-F]{2}$/i.test(written) && Number.parseInt(written, 16) === sum;
  }

  /** Returns the number in a field, NaN where there is none; field 0 is the name of the sentence. */
  number(field: number): number {
    if (field >= this.#count) return Number.NaN;
    return parseDecimal(this.#bytes, this.#starts[field] ?? 0, this.#ends[field] ?? 0);
  }

  /** Returns the first character of a field; '' where it is empty. */
  letter(field: number): string {
    const start = this.#starts[field] ?? 0;
    return field < this.#count && start < (this.#ends[field] ?? 0)
      ? String.fromCharCode(this.#bytes[start] ?? 0)
      : '';
  }

  /** Compares bytes rather than strings, since a file may hold nothing but dollars. */
  #typeAt(start: number): (typeof TYPES)[number] | null {
    for (const type of TYPES) {
      let same = 0;
      while (same < type.length && this.#bytes[start + same] === type.charCodeAt(same)) same++;
      if (same === type.length) return type;
    }
    return null;
  }

  #splitUpTo(end: number): void {
    this.#count = 0;
    this.hasChecksum = false;
    let fieldStart = this.#start;
    let at = fieldStart;
    for (; at < end && this.#count < MOST_FIELDS; at++) {
      const byte = this.#bytes[at];
      if (byte !== COMMA && byte !== STAR) continue;
      this.#addField(fieldStart, at);
      fieldStart = at + 1;
      this.hasChecksum = byte === STAR;
      if (this.hasChecksum) break;
    }
    this.#end = at;
    if (!this.hasChecksum) this.#addField(fieldStart, at);
  }

  #addField(start: number, end: number): void {
    if (this.#count === MOST_FIELDS) return;
    this.#starts[this.#count] = start;
    this.#ends[this.#count] = end;
    this.#count++;
  }
}

const SPACE = 0x20;
const DOLLAR = 0x24;
const STAR = 0x2a;
const COMMA = 0x2c;

/** The longest of these sentences has 15. */
const MOST_FIELDS = 24;

/** The standard allows 82 characters, and some receivers write a few more decimals. */
const LONGEST_SENTENCE = 200;
