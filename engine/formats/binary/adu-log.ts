import { viewBytes } from './binary-format.ts';

/** Describes a channel of a log of ECUMaster's ADU: its values are `addend` more than what is stored by `divisor`. */
export type AduChannel = { name: string; unit: string; kind: number; divisor: number; addend: number };

/** Describes a channel with the place that the rows name it by. */
export type PlacedChannel = AduChannel & { address: number };

export type AduHeader = { channels: PlacedChannel[]; rowsAt: number };

/** Holds the values of one channel, oldest first. */
export type AduSeries = { timesMs: number[]; values: number[] };

const GROUP_COUNT_AT = 0x20c;
const UNITS_AT = 0x211;
/** Lists the bytes of a value of each kind; the last one is a row of temperatures of a tyre. */
const KIND_BYTES = [1, 1, 2, 2, 1, 4, 4, 16];
const [SIGNED_16, FIRST_32, LAST_32] = [3, 5, 6];
/** Values of one byte have addresses below this, all others are counted in words from here on. */
const FIRST_WORD = 0x200;
const ADDRESSES = 0x1000;
const LONGEST_TEXT = 255;
/** Ten million does not fit into two bytes, which hold the rest of it. */
const [CUT_DIVISOR, WHOLE_DIVISOR] = [0x9680, 1e7];

/** Reads the names and places of the channels; null where the bytes are not those of such a log. */
export function readAduHeader(bytes: Uint8Array): AduHeader | null {
  if (bytes.length <= UNITS_AT) return null;
  const groupCount = viewBytes(bytes).getUint16(GROUP_COUNT_AT, true);
  const cursor = new Cursor(bytes, UNITS_AT);
  const units = cursor.texts();
  cursor.byte();
  const channels = readChannels(cursor, readGroups(cursor, groupCount), units);
  if (channels === null) return null;
  cursor.align();
  cursor.skip(10);
  let textCount = cursor.word();
  for (; textCount > 0 && cursor.isSound; textCount -= 1) cursor.skip(cursor.byte());
  cursor.align();
  if (!cursor.isSound || channels.length === 0) return null;
  return { channels: placeChannels(channels), rowsAt: cursor.at };
}

type Group = { base: string; count: number };

/** Reads how many channels each group has, and what their names begin with. */
function readGroups(cursor: Cursor, groupCount: number): Group[] {
  const bases = cursor.texts();
  const groups: Group[] = [];
  while (groups.length < groupCount && cursor.isSound) {
    const [count, base] = [cursor.byte(), cursor.byte()];
    cursor.text();
    groups.push({ base: bases[base - 1] ?? '', count });
  }
  return groups;
}

/** Reads the descriptions of all groups, one channel for each copy; null where one is not known or there are too many. */
function readChannels(
  cursor: Cursor,
  groups: readonly Group[],
  units: readonly string[],
): AduChannel[] | null {
  const channels: AduChannel[] = [];
  for (const { base, count } of groups) {
    for (let index = 0; index < count && cursor.isSound; index += 1) {
      const channel = readChannel(cursor, base, units);
      if (channel === null || channels.length + channel.copies > ADDRESSES) return null;
      for (let copy = 1; copy <= channel.copies; copy += 1)
        channels.push({ ...channel, name: channel.name.replace('$', String(copy)) });
    }
  }
  return channels;
}

/** Reads one description; null for a kind that is not known. */
function readChannel(
  cursor: Cursor,
  base: string,
  units: readonly string[],
): (AduChannel & { copies: number }) | null {
  const [first, flags] = [cursor.byte(), cursor.byte()];
  const kind = first & 0xef;
  const sizeBytes = KIND_BYTES[kind];
  if (sizeBytes === undefined) return null;
  const copies = (first & 0x10) === 0 ? 1 : cursor.byte();
  const unit = (flags & 0x01) === 0 ? '' : (units[cursor.byte() - 1] ?? '');
  // The least and the greatest value, where they are stated.
  for (const flag of [0x02, 0x04]) if ((flags & flag) !== 0) cursor.skip(Math.min(2, sizeBytes));
  const divisor = readDivisor(cursor, kind, flags);
  const addend = (flags & 0x20) === 0 ? 0 : (cursor.word() << 16) >> 16;
  const isNamedByTable = (flags & 0x40) !== 0;
  if (isNamedByTable) cursor.skip(2);
  if ((flags & 0x80) !== 0) cursor.skip(1);
  if (isNamedByTable) cursor.text();
  return { name: base + cursor.text(), unit, kind, divisor, addend, copies };
}

function readDivisor(cursor: Cursor, kind: number, flags: number): number {
  const stored = (flags & 0x08) === 0 ? 1 : cursor.word();
  const isCut = kind >= FIRST_32 && kind <= LAST_32 && stored === CUT_DIVISOR;
  const divisor = isCut ? WHOLE_DIVISOR : stored;
  return (flags & 0x10) === 0 ? divisor : divisor / cursor.word();
}

/** Gives the channels their addresses: the largest values come first, and those of one byte are counted apart. */
function placeChannels(channels: readonly AduChannel[]): PlacedChannel[] {
  let [nextByte, nextWord] = [0, FIRST_WORD];
  return channels
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
    .map((channel) => {
      const address = sizeOf(channel) === 1 ? nextByte : nextWord;
      if (sizeOf(channel) === 1) nextByte += 1;
      else nextWord += sizeOf(channel) / 2;
      return { ...channel, address };
    });
}

function sizeOf({ kind }: AduChannel): number {
  return KIND_BYTES[kind] ?? 0;
}

const FRAME_MS = 40;
const FRAMES_A_SECOND = 25;
/** Lists how often a command has its values in one frame. */
const REPEATS = [20, 10, 5, 2, 1, 1, 1];

/** Reads the values of some channels, at milliseconds since the first row. Rows that claim more than they hold end the log. */
export function readAduSeries(
  bytes: Uint8Array,
  rowsAt: number,
  channels: readonly PlacedChannel[],
): AduSeries[] {
  const view = viewBytes(bytes);
  const series = channels.map((): AduSeries => ({ timesMs: [], values: [] }));
  const firstTick = bytes[rowsAt + 2] ?? 0;
  let tick = firstTick;
  let next = rowsAt;
  for (let row = rowsAt; row + 4 < bytes.length; row = next) {
    next = row + 8 * (view.getUint8(row + 1) + 1);
    if (next > bytes.length) break;
    // A row has only the frame within its second.
    tick += (((view.getUint8(row + 2) - tick) % FRAMES_A_SECOND) + FRAMES_A_SECOND) % FRAMES_A_SECOND;
    const frameMs = (tick - firstTick) * FRAME_MS;
    const valuesAt = row + 4 + 4 * view.getUint8(row + 3);
    let at = valuesAt;
    for (let command = row + 4; command < valuesAt && at <= next; command += 4) {
      const block = readBlock(view, command, at, frameMs);
      at = block.end;
      if (at > next) return series;
      for (const [index, channel] of channels.entries()) copyValues(view, block, channel, series[index]);
    }
  }
  return series;
}

/** Describes values that lie behind each other in a row: those of neighbouring channels, `repeats` times in a frame. */
type Block = { at: number; end: number; start: number; count: number; repeats: number; frameMs: number };

function readBlock(view: DataView, command: number, at: number, frameMs: number): Block {
  const place = view.getUint16(command);
  const [start, count] = [place >> 4, view.getUint16(command + 2) & 0xfff];
  const repeats = REPEATS[place & 0xf] ?? 1;
  return { at, end: at + count * repeats * wordBytes(start), start, count, repeats, frameMs };
}

function wordBytes(address: number): number {
  return address < FIRST_WORD ? 1 : 2;
}

function copyValues(view: DataView, block: Block, channel: PlacedChannel, series?: AduSeries): void {
  const { at, start, count, repeats, frameMs } = block;
  const wordSize = wordBytes(start);
  const place = channel.address - start;
  if (series === undefined || place < 0 || place + sizeOf(channel) / wordSize > count) return;
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    const stored = readStored(view, at + wordSize * (repeat * count + place), channel.kind);
    series.timesMs.push(frameMs + (repeat * FRAME_MS) / repeats);
    series.values.push(stored / channel.divisor + channel.addend);
  }
}

function readStored(view: DataView, at: number, kind: number): number {
  if (kind >= FIRST_32 && kind <= LAST_32) return view.getInt32(at);
  if (kind === SIGNED_16) return view.getInt16(at);
  return kind === SIGNED_16 - 1 ? view.getUint16(at) : view.getUint8(at);
}

/** Reads the header piece by piece; all numbers of two bytes are big-endian. Beyond the end it reads zeros, and is no longer sound. */
class Cursor {
  at: number;
  /** False beyond the end, and once a text is longer than any name or has other characters than those of Latin-1. */
  isSound = true;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  byte(): number {
    if (this.at >= this.#bytes.length) this.isSound = false;
    return this.#bytes[this.at++] ?? 0;
  }

  word(): number {
    return 256 * this.byte() + this.byte();
  }

  skip(count: number): void {
    this.at += count;
    if (this.at > this.#bytes.length) this.isSound = false;
  }

  align(): void {
    this.at = (this.at + 7) & ~7;
  }

  text(): string {
    let text = '';
    for (let code = this.byte(); code !== 0; code = this.byte()) {
      if (code < 0x20 || (code >= 0x7f && code < 0xa0) || text.length >= LONGEST_TEXT) this.isSound = false;
      if (!this.isSound) return text;
      text += String.fromCharCode(code);
    }
    return text;
  }

  /** Reads texts as long as more of them follow. */
  texts(): string[] {
    const texts: string[] = [];
    while ((this.#bytes[this.at] ?? 0) >= 0x20 && this.isSound) texts.push(this.text());
    return texts;
  }
}
