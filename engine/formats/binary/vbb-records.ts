import { UnreadableLapFileError } from '../../lap-file.ts';
import { viewBytes } from './binary-format.ts';

/** Describes a channel of a VBB file: its values are `scale` times what is stored, plus `offset`. */
export type VbbChannel = {
  name: string;
  unit: string;
  type: number;
  scale: number;
  offset: number;
};

/** Describes channels that are sampled together, each with its place behind the header of a sample. */
export type VbbGroup = { byteCount: number; members: readonly { channel: VbbChannel; at: number }[] };

/** Takes a sample of a group: `read` returns the value of one of its members. */
export type OnSample = (
  timeMs: number,
  group: VbbGroup,
  read: (member: VbbGroup['members'][number]) => number,
) => void;

/** The two dates of the header follow these bytes. */
const HEADER_BYTES = 8;
const SAMPLE_HEADER_BYTES = 5;
const [GROUP_NAME, DICTIONARY_ITEM, CHANNEL, GROUP, SAMPLE, BYTES] = [5, 6, 7, 8, 9, 13];
const [DATE_TIME, STRING, BYTE_ARRAY] = [11, 12, 13];
/** Lists the bytes of the types from 0 to 9; 0 for those without a length of their own. */
const TYPE_BYTES = [0, 1, 2, 2, 4, 4, 8, 8, 4, 8];
/** Maps the known versions to the bytes of their dates. */
const DATE_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 7],
  [2, 8],
]);

/** Milliseconds from the year 1 to 1970, and steps of dates in a millisecond. */
const YEAR_ONE_MS = -62_135_596_800_000;
const TICKS_PER_MS = 10_000;

/** Signals that the next record makes no sense, so that the rest of the file cannot be read. */
class UnreadableRecord extends Error {}

/** Reads the records of a VBB file, up to the end or the first that makes no sense. */
export class VbbRecords {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #isLittleEndian: boolean;
  readonly #channels = new Map<number, VbbChannel>();
  readonly #groups = new Map<number, VbbGroup>();
  readonly #dateBytes: number;
  #at: number;
  /** Moment at which the recording began, in UTC; NaN where the file does not say. */
  startMs = Number.NaN;

  /** Throws UnreadableLapFileError for a version that is not known. */
  constructor(bytes: Uint8Array) {
    const version = bytes[3] ?? 0;
    const dateBytes = DATE_BYTES.get(version);
    if (dateBytes === undefined) {
      throw new UnreadableLapFileError(
        `This VBB file is of version ${version}, and only versions 1 and 2 are known; export the session as VBO from the program of the VBOX.`,
      );
    }
    this.#bytes = bytes;
    this.#view = viewBytes(bytes);
    this.#isLittleEndian = ((bytes[7] ?? 0) & 1) === 0;
    this.#dateBytes = dateBytes;
    this.#at = HEADER_BYTES + 2 * dateBytes;
  }

  /** Lists the channels that have been described so far. */
  get channels(): VbbChannel[] {
    return [...this.#channels.values()];
  }

  readAll(onSample: OnSample): void {
    try {
      while (this.#at < this.#bytes.length) this.#readRecord(this.#uint8(), onSample);
    } catch (error) {
      // A file that was cut off ends in the middle of a record.
      if (!(error instanceof UnreadableRecord)) throw error;
    }
  }

  #readRecord(kind: number, onSample: OnSample): void {
    if (kind === SAMPLE) this.#readSample(onSample);
    else if (kind === GROUP_NAME) {
      this.#skip(1);
      this.#skip(this.#length());
    } else if (kind === DICTIONARY_ITEM) this.#readDictionaryItem();
    else if (kind === CHANNEL) this.#readChannel();
    else if (kind === GROUP) this.#readGroup();
    else if (kind === BYTES) {
      this.#skip(2);
      this.#skip(this.#length());
      this.#skipValue(this.#uint8());
    } else throw new UnreadableRecord();
  }

  #readSample(onSample: OnSample): void {
    const start = this.#skip(SAMPLE_HEADER_BYTES);
    const group = this.#groups.get(this.#bytes[start + 4] ?? 0);
    if (group === undefined) throw new UnreadableRecord();
    const values = this.#skip(group.byteCount);
    onSample(
      this.#view.getUint32(start, this.#isLittleEndian) / 10,
      group,
      ({ channel, at }) => channel.scale * this.#number(values + at, channel.type) + channel.offset,
    );
  }

  #readDictionaryItem(): void {
    this.#skip(1);
    const name = this.#string();
    const type = this.#uint8();
    const start = this.#at;
    this.#skipValue(type);
    if (name !== 'Date' || type !== DATE_TIME) return;
    this.startMs = this.#readDate(start);
  }

  #readDate(at: number): number {
    if (this.#dateBytes === 7) {
      const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = this.#bytes.subarray(at + 2);
      return Date.UTC(this.#view.getUint16(at, this.#isLittleEndian), month - 1, day, hour, minute, second);
    }
    const ticks = this.#view.getBigUint64(at, this.#isLittleEndian) & 0x3fff_ffff_ffff_ffffn;
    return YEAR_ONE_MS + Number(ticks) / TICKS_PER_MS;
  }

  #readChannel(): void {
    const start = this.#skip(3);
    const name = this.#string();
    this.#skip(this.#length());
    const unit = this.#string();
    const numbers = this.#skip(17);
    const type = this.#bytes[numbers] ?? 0;
    const [scale, offset] = [1, 9].map((at) => this.#view.getFloat64(numbers + at, this.#isLittleEndian));
    this.#skip(this.#length());
    this.#channels.set(this.#view.getUint16(start, this.#isLittleEndian), {
      name,
      unit,
      type,
      scale: withoutSingleError(scale ?? 1),
      offset: offset ?? 0,
    });
  }

  #readGroup(): void {
    const start = this.#skip(3);
    const count = this.#view.getUint16(start + 1, this.#isLittleEndian);
    const ids = this.#skip(2 * count);
    let byteCount = 0;
    const members = Array.from({ length: count }, (_, place) => {
      const channel = this.#channels.get(this.#view.getUint16(ids + 2 * place, this.#isLittleEndian));
      const size = this.#sizeOf(channel?.type ?? 0);
      if (channel === undefined || size === 0) throw new UnreadableRecord();
      byteCount += size;
      return { channel, at: byteCount - size };
    });
    this.#groups.set(this.#bytes[start] ?? 0, { byteCount, members });
  }

  #number(at: number, type: number): number {
    const [view, isLittle] = [this.#view, this.#isLittleEndian];
    if (type === 1) return view.getUint8(at);
    if (type === 2) return view.getUint16(at, isLittle);
    if (type === 3) return view.getInt16(at, isLittle);
    if (type === 4) return view.getUint32(at, isLittle);
    if (type === 5) return view.getInt32(at, isLittle);
    if (type === 6) return Number(view.getBigUint64(at, isLittle));
    if (type === 7) return Number(view.getBigInt64(at, isLittle));
    if (type === 8) return view.getFloat32(at, isLittle);
    return type === 9 ? view.getFloat64(at, isLittle) : Number.NaN;
  }

  #skipValue(type: number): void {
    if (type === STRING || type === BYTE_ARRAY) this.#skip(this.#length());
    else {
      const size = this.#sizeOf(type);
      if (size === 0 && type !== 0) throw new UnreadableRecord();
      this.#skip(size);
    }
  }

  #sizeOf(type: number): number {
    return type === DATE_TIME ? this.#dateBytes : (TYPE_BYTES[type] ?? 0);
  }

  #uint8(): number {
    return this.#view.getUint8(this.#skip(1));
  }

  #string(): string {
    const length = this.#length();
    const start = this.#skip(length);
    return new TextDecoder().decode(this.#bytes.subarray(start, start + length));
  }

  /** Reads a length of 7 bits a byte; the highest bit says that another byte follows. */
  #length(): number {
    let length = 0;
    for (let place = 0; place < LENGTH_BYTES_MAX; place += 1) {
      const byte = this.#uint8();
      const bits = byte & 0x7f;
      length = this.#isLittleEndian ? length + bits * 128 ** place : length * 128 + bits;
      if (byte < 0x80) return length;
    }
    throw new UnreadableRecord();
  }

  /** Returns where the next bytes begin, and goes on behind them. */
  #skip(byteCount: number): number {
    const start = this.#at;
    if (byteCount > this.#bytes.length - start) throw new UnreadableRecord();
    this.#at = start + byteCount;
    return start;
  }
}

const LENGTH_BYTES_MAX = 5;

/** Returns the decimal number that was meant where a scale went through a single float: 0.001 for 0.00100000005. */
function withoutSingleError(scale: number): number {
  const meant = Number(scale.toPrecision(6));
  return Math.fround(meant) === Math.fround(scale) ? meant : scale;
}
