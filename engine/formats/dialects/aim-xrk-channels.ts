/**
 * Reads the channels of AiM's recording (see aim-xrk.ts). Facts about the format: the description in m3rlin45/libxrk, and a
 * recording of a MyChron 5.
 *
 * - `CHS` messages describe one channel each in 112 bytes: index at 0, unit in the low bits of 12, coding at 20, short name at
 *   24 and long name at 32 (filled up with zeros), microseconds between samples at 64, bytes of a sample at 72.
 * - Samples: `(S`, the logger's clock in 32 bits, the index in 16, the value, `)`. `(M` has a count of 16 bits behind the index and so
 *   many values, one interval apart. `(G` has the index of a group, which a `GRP` message describes by index, count and the
 *   indexes of its channels, and a value of each of them.
 * - Codings: 6 a float, 1 and 20 a float of 16 bits, 0, 3, 12 and 24 a number of 32 bits, 4 and 11 one of 16, 13 one of 8, 15 a letter for
 *   the gear, such as N or 1. A calculated gear is in bits 16 to 18, and unknown while bit 19 is set.
 */
import type { ChannelName, Channels } from '../../channels.ts';
import { hasAscii, viewBytes } from '../binary/binary-format.ts';
import { sampleSeries } from '../binary/channel-series.ts';
import { findChannels } from '../rows/channel-columns.ts';
import { parseColumnHead } from '../text/csv-header.ts';

type XrkChannel = {
  index: number;
  name: string;
  unit: string;
  coding: number;
  stepMs: number;
  byteCount: number;
};

type WantedChannel = XrkChannel & { channel: ChannelName; factor: number };

type Samples = { timesMs: number[]; values: number[] };

const DESCRIPTION_BYTES = 112;
const HEADER_BYTES = 12;
const SAMPLE_HEADER_BYTES = 8;
const UNITS = new Map([
  [1, '%'],
  [3, 'g'],
  [4, 'deg'],
  [14, 'bar'],
  [15, 'rpm'],
  [31, 'gear'],
  [33, '%'],
  [37, 'mG'],
]);

/** Returns the channels of a recording at the moments, on the logger's clock, at which its fixes arrived. */
export function readXrkChannels(bytes: Uint8Array, codesMs: Float64Array): Channels {
  const described = readDescriptions(bytes);
  const wanted = chooseChannels([...described.values()]);
  if (wanted.length === 0 || codesMs.length === 0) return {};
  const samples = new SampleReader(bytes, { described, wanted, codesMs }).readAll();
  const channels: Partial<Record<ChannelName, Float64Array>> = {};
  for (const { channel, index } of wanted) {
    const { timesMs, values } = samples.get(index) ?? { timesMs: [], values: [] };
    if (timesMs.length === 0) continue;
    const series = { channel, timesMs: Float64Array.from(timesMs), values: Float64Array.from(values) };
    channels[channel] = sampleSeries(series, codesMs);
  }
  return channels;
}

function chooseChannels(described: readonly XrkChannel[]): WantedChannel[] {
  const heads = described.map(({ name, unit }) => ({ ...parseColumnHead(0, name), unit, source: '' }));
  return findChannels(heads).flatMap(({ channel, column, factor }) => {
    const found = described[column];
    return found === undefined ? [] : [{ ...found, channel, factor }];
  });
}

function readDescriptions(bytes: Uint8Array): Map<number, XrkChannel> {
  const view = viewBytes(bytes);
  const described = new Map<number, XrkChannel>();
  for (const { offset, length } of messages(bytes, 'CHS\0')) {
    if (length !== DESCRIPTION_BYTES) continue;
    const index = view.getUint16(offset, true);
    const stepMs = view.getUint32(offset + 64, true) / 1000;
    const byteCount = view.getUint8(offset + 72);
    const name = asciiZ(bytes.subarray(offset + 32, offset + 56)).replaceAll('_', ' ');
    const unit = UNITS.get(view.getUint8(offset + 12) & 127) ?? '';
    described.set(index, { index, name, unit, coding: view.getUint8(offset + 20), stepMs, byteCount });
  }
  return described;
}

/** Finds the messages with this name; those of the configuration lie within another message. */
function* messages(bytes: Uint8Array, name: string): Generator<{ offset: number; length: number }> {
  const view = viewBytes(bytes);
  for (let at = bytes.indexOf(OPENING); at >= 0; at = bytes.indexOf(OPENING, at + 1)) {
    if (at + HEADER_BYTES > bytes.length) return;
    if (!hasAscii(bytes, at, `<h${name}`)) continue;
    const [offset, length] = [at + HEADER_BYTES, view.getInt32(at + 6, true)];
    if (length >= 0 && offset + length <= bytes.length) yield { offset, length };
  }
}

const OPENING = 0x3c;

function asciiZ(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes).split('\0', 1)[0] ?? '';
}

const BRACKET = 0x28;
const CLOSING_BRACKET = 0x29;
const [GROUP, SINGLE, MANY] = [0x47, 0x53, 0x4d];
/** Samples count only around the fixes: bytes that look like one by chance have any time. */
const AROUND_MS = 60_000;

class SampleReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #described: ReadonlyMap<number, XrkChannel>;
  readonly #wanted: ReadonlyMap<number, WantedChannel>;
  readonly #groups = new Map<number, readonly number[]>();
  readonly #samples = new Map<number, Samples>();
  readonly #fromMs: number;
  readonly #toMs: number;

  constructor(
    bytes: Uint8Array,
    {
      described,
      wanted,
      codesMs,
    }: {
      described: ReadonlyMap<number, XrkChannel>;
      wanted: readonly WantedChannel[];
      codesMs: Float64Array;
    },
  ) {
    this.#bytes = bytes;
    this.#view = viewBytes(bytes);
    this.#described = described;
    this.#wanted = new Map(wanted.map((channel) => [channel.index, channel]));
    this.#fromMs = (codesMs[0] ?? 0) - AROUND_MS;
    this.#toMs = (codesMs.at(-1) ?? 0) + AROUND_MS;
    for (const { offset, length } of messages(bytes, 'GRP\0')) this.#readGroup(offset, length);
  }

  readAll(): ReadonlyMap<number, Samples> {
    const bytes = this.#bytes;
    for (let from = bytes.indexOf(BRACKET); from >= 0;)
      from = bytes.indexOf(BRACKET, from + Math.max(1, this.#readSample(from)));
    return this.#samples;
  }

  #readGroup(offset: number, length: number): void {
    const numbers = Array.from({ length: length >> 1 }, (_, place) =>
      this.#view.getUint16(offset + 2 * place, true),
    );
    const [index = 0, count = 0, ...channels] = numbers;
    if (count === channels.length) this.#groups.set(index, channels);
  }

  /** Reads the samples that may begin here; returns how many bytes they take, 0 for none. */
  #readSample(start: number): number {
    if (start + SAMPLE_HEADER_BYTES + 3 > this.#bytes.length) return 0;
    const kind = this.#bytes[start + 1];
    const timeMs = this.#view.getInt32(start + 2, true);
    if (!(timeMs >= this.#fromMs && timeMs <= this.#toMs)) return 0;
    const index = this.#view.getUint16(start + 6, true);
    if (kind === GROUP) return this.#readGroupSample(start, timeMs, this.#groups.get(index) ?? []);
    const channel = this.#wanted.get(index);
    if (channel === undefined) return 0;
    if (kind === SINGLE)
      return this.#readValues(start, channel, { timeMs, count: 1, headerBytes: SAMPLE_HEADER_BYTES });
    if (kind !== MANY) return 0;
    const count = this.#view.getUint16(start + SAMPLE_HEADER_BYTES, true);
    return this.#readValues(start, channel, { timeMs, count, headerBytes: SAMPLE_HEADER_BYTES + 2 });
  }

  /** Reads so many values of a channel, one of its intervals apart; returns how many bytes their message takes, 0 where it does not end as one. */
  #readValues(
    start: number,
    channel: WantedChannel,
    { timeMs, count, headerBytes }: { timeMs: number; count: number; headerBytes: number },
  ): number {
    const values = start + headerBytes;
    const end = values + count * channel.byteCount;
    if (this.#bytes[end] !== CLOSING_BRACKET) return 0;
    for (let place = 0; place < count; place += 1)
      this.#add(channel, timeMs + place * channel.stepMs, values + place * channel.byteCount);
    return end + 1 - start;
  }

  #readGroupSample(start: number, timeMs: number, indexes: readonly number[]): number {
    let at = start + SAMPLE_HEADER_BYTES;
    const offsets = new Map<number, number>();
    for (const index of indexes) {
      offsets.set(index, at);
      at += this.#described.get(index)?.byteCount ?? 0;
    }
    if (indexes.length === 0 || this.#bytes[at] !== CLOSING_BRACKET) return 0;
    for (const [index, offset] of offsets) {
      const channel = this.#wanted.get(index);
      if (channel !== undefined) this.#add(channel, timeMs, offset);
    }
    return at + 1 - start;
  }

  #add(channel: WantedChannel, timeMs: number, offset: number): void {
    const samples = this.#samples.get(channel.index) ?? { timesMs: [], values: [] };
    this.#samples.set(channel.index, samples);
    if (timeMs <= (samples.timesMs.at(-1) ?? Number.NEGATIVE_INFINITY)) return;
    samples.timesMs.push(timeMs);
    samples.values.push(channel.factor * readValue(this.#view, offset, channel));
  }
}

const GEAR_UNKNOWN = 0x8_0000;

function readValue(view: DataView, offset: number, { channel, coding, byteCount }: WantedChannel): number {
  if (channel === 'gear' && byteCount === 8) {
    const word = view.getUint32(offset, true);
    return (word & GEAR_UNKNOWN) === 0 ? (word >> 16) & 7 : Number.NaN;
  }
  if (byteCount === 1) return view.getUint8(offset);
  if (byteCount === 2) return readShort(view, offset, coding);
  if (byteCount !== 4) return Number.NaN;
  return coding === 6 ? view.getFloat32(offset, true) : view.getInt32(offset, true);
}

function readShort(view: DataView, offset: number, coding: number): number {
  const bits = view.getUint16(offset, true);
  if (coding === 15) return gearOf(bits);
  return coding === 1 || coding === 20 ? float16(bits) : view.getInt16(offset, true);
}

/** Returns the gear of a letter; other values are as they are. */
function gearOf(letter: number): number {
  if (letter === 0x4e) return 0;
  return letter >= 0x30 && letter <= 0x39 ? letter - 0x30 : letter;
}

/** Returns the number that these 16 bits are: sign, five bits of exponent, ten of fraction. */
function float16(bits: number): number {
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return Number.NaN;
  const size = exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits >= 0x8000 ? -size : size;
}
