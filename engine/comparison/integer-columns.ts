/**
 * Describes how a column of numbers is stored: as whole multiples of `unit`, of which only the differences of the given
 * order are written.
 */
export type ColumnFormat = { unit: number; order: 1 | 2 };

/**
 * Writes numbers and columns as bytes: whole numbers in groups of seven bits, the sign in the lowest bit. Neighbouring fixes differ by little, and
 * differences of an even movement by even less, so that most entries take one or two bytes.
 */
export class ColumnWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** Writes one number exactly; null becomes NaN. */
  addNumber(value: number | null): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value ?? Number.NaN);
    for (const byte of bytes) this.#addByte(byte);
  }

  /** Writes a whole number, at most 2⁵² in size. */
  addInteger(value: number): void {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#addByte((rest % 128) + 128);
    this.#addByte(rest);
  }

  /** Writes a column without NaN. */
  addColumn(values: Float64Array, { unit, order }: ColumnFormat): void {
    let [before, stepBefore] = [0, 0];
    for (const value of values) {
      const units = Math.round(value / unit);
      const step = units - before;
      this.addInteger(order === 2 ? step - stepBefore : step);
      [before, stepBefore] = [units, step];
    }
  }

  /** Returns what has been written. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  #addByte(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }
}

/** Reads what a `ColumnWriter` has written. Past the end everything is NaN, and `isComplete` false. */
export class ColumnReader {
  readonly #bytes: Uint8Array;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns whether exactly these bytes were read. */
  get isComplete(): boolean {
    return this.#position === this.#bytes.length;
  }

  /** Returns how many bytes are left: a column has no more entries than that. */
  get bytesLeft(): number {
    return this.#bytes.length - this.#position;
  }

  /** Reads one number. */
  readNumber(): number {
    const bytes = Uint8Array.from({ length: 8 }, () => this.#readByte());
    return new DataView(bytes.buffer).getFloat64(0);
  }

  /** Reads one number, or null where null was written. */
  readNumberOrNull(): number | null {
    const value = this.readNumber();
    return Number.isNaN(value) ? null : value;
  }

  /** Reads a whole number. */
  readInteger(): number {
    let [rest, factor, byte] = [0, 1, 128];
    while (byte >= 128) {
      byte = this.#readByte();
      rest += (byte % 128) * factor;
      factor *= 128;
    }
    return rest % 2 === 1 ? -(rest + 1) / 2 : rest / 2;
  }

  /** Reads a column of so many entries. */
  readColumn(length: number, { unit, order }: ColumnFormat): Float64Array {
    const values = new Float64Array(length);
    // The inverse of a decimal unit is a whole number, and dividing by it gives the nearest double to the decimal that was meant.
    const perUnit = Math.round(1 / unit);
    let [units, step] = [0, 0];
    for (let index = 0; index < length; index += 1) {
      const difference = this.readInteger();
      step = order === 2 ? step + difference : difference;
      units += step;
      values[index] = unit < 1 ? units / perUnit : units * unit;
    }
    return values;
  }

  #readByte(): number {
    const byte = this.#bytes[this.#position];
    this.#position += 1;
    return byte ?? 0;
  }
}

/** Positions on a circle repeat few digits, and steps between them are small: as JSON, steps need a third of the characters. */
const STEPS_PER_DEGREE = 10_000_000;

/** Returns degrees as whole ten-millionths: the first one, then the step from each to the next. */
export function toDegreeSteps(degrees: Float64Array): number[] {
  const units = Array.from(degrees, (value) => Math.round(value * STEPS_PER_DEGREE));
  return units.map((value, index) => value - (units[index - 1] ?? 0));
}

/**
 * Returns values as whole multiples of `unit`: the first one, then the step from each known one to the next known one, and
 * null for what is unknown.
 */
export function toSteps(values: Float64Array, unit: number): (number | null)[] {
  let before = 0;
  return Array.from(values, (value) => {
    if (Number.isNaN(value)) return null;
    const step = Math.round(value / unit) - before;
    before += step;
    return step;
  });
}

/** Returns the degrees that `toDegreeSteps` was given, to seven decimals. */
export function fromDegreeSteps(steps: readonly number[]): number[] {
  let units = 0;
  return steps.map((step) => (units += step) / STEPS_PER_DEGREE);
}
