/** Writes binary files piece by piece; numbers are little-endian unless said otherwise. */
export class ByteWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;
  readonly #isLittleEndian: boolean;

  constructor({ isLittleEndian = true } = {}) {
    this.#isLittleEndian = isLittleEndian;
  }

  /** Returns how many bytes have been written. */
  get length(): number {
    return this.#length;
  }

  uint8(...values: number[]): this {
    for (const value of values) this.#view(1).setUint8(0, value & 0xff);
    return this;
  }

  uint16(...values: number[]): this {
    for (const value of values) this.#view(2).setUint16(0, value & 0xffff, this.#isLittleEndian);
    return this;
  }

  int32(...values: number[]): this {
    for (const value of values) this.#view(4).setUint32(0, Math.round(value) >>> 0, this.#isLittleEndian);
    return this;
  }

  int64(...values: number[]): this {
    for (const value of values) this.#view(8).setBigInt64(0, BigInt(Math.round(value)), this.#isLittleEndian);
    return this;
  }

  float32(...values: number[]): this {
    for (const value of values) this.#view(4).setFloat32(0, value, this.#isLittleEndian);
    return this;
  }

  float64(...values: number[]): this {
    for (const value of values) this.#view(8).setFloat64(0, value, this.#isLittleEndian);
    return this;
  }

  /** Returns the characters of ASCII text, filled up with zeros to `length` bytes. */
  ascii(text: string, length = text.length): this {
    for (let index = 0; index < length; index += 1) this.uint8(text.charCodeAt(index) || 0);
    return this;
  }

  append(bytes: Uint8Array): this {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length - bytes.length);
    return this;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #view(size: number): DataView {
    this.#reserve(size);
    return new DataView(this.#bytes.buffer, this.#length - size, size);
  }

  #reserve(size: number): void {
    this.#length += size;
    if (this.#length <= this.#bytes.length) return;
    const longer = new Uint8Array(2 * this.#length);
    longer.set(this.#bytes);
    this.#bytes = longer;
  }
}
