import { inferDayOrder, parseLocalizedDate, parseLocalizedTime } from '../text/localized-date.ts';
import { viewBytes } from './binary-format.ts';

/** Describes a channel of a MoTeC log: its values are `offset` more than `factor` times what is stored, one after the other at `rateHz`. */
export type MotecChannel = {
  name: string;
  unit: string;
  rateHz: number;
  count: number;
  factor: number;
  offset: number;
  dataAt: number;
  kind: 'int16' | 'int32' | 'float32' | 'float64';
};

export type MotecLog = {
  channels: MotecChannel[];
  /** Start of the recording on a clock of unknown time zone; NaN where the log does not say. */
  startMs: number;
  /** Says what the log tells of device, car, venue and event. */
  descriptions: string[];
};

const CHANNEL_BYTES = 84;
/** Logs have some hundred channels. */
const CHANNELS_MAX = 5000;

/** Reads the header and the list of channels, without those whose values are of an unknown type. */
export function readMotecHeader(bytes: Uint8Array): MotecLog {
  const view = viewBytes(bytes);
  const channels: MotecChannel[] = [];
  const seen = new Set<number>();
  let at = readPointer(view, 8);
  while (at > 0 && at + CHANNEL_BYTES <= bytes.length && !seen.has(at) && seen.size < CHANNELS_MAX) {
    seen.add(at);
    const channel = readChannel(bytes, view, at);
    if (channel !== null) channels.push(channel);
    at = readPointer(view, at + 4);
  }
  const [date, time] = [readText(bytes, 94, 16), readText(bytes, 126, 16)];
  return {
    channels,
    startMs: parseLocalizedDate(date, inferDayOrder(date) ?? 'day-first') + parseLocalizedTime(time),
    descriptions: readDescriptions(bytes, readPointer(view, 36)),
  };
}

/** Returns a value of a channel; NaN beyond its end. */
export function readMotecValue(view: DataView, channel: MotecChannel, index: number): number {
  if (!(index >= 0 && index < channel.count)) return Number.NaN;
  return channel.offset + channel.factor * readStored(view, channel, index);
}

function readStored(view: DataView, { kind, dataAt }: MotecChannel, index: number): number {
  if (kind === 'int16') return view.getInt16(dataAt + 2 * index, true);
  if (kind === 'int32') return view.getInt32(dataAt + 4 * index, true);
  if (kind === 'float64') return view.getFloat64(dataAt + 8 * index, true);
  return view.getFloat32(dataAt + 4 * index, true);
}

function readChannel(bytes: Uint8Array, view: DataView, at: number): MotecChannel | null {
  const [dataAt, type, sizeBytes] = [
    view.getUint32(at + 8, true),
    view.getUint16(at + 18, true),
    view.getUint16(at + 20, true),
  ];
  const kind = KINDS.get(256 * type + sizeBytes);
  const [rateHz, offset = 0, multiplier] = [22, 24, 26].map((place) => view.getInt16(at + place, true));
  const [scale, decimals] = [28, 30].map((place) => view.getInt16(at + place, true));
  const factor = (multiplier ?? 0) / ((scale ?? 0) * 10 ** (decimals ?? 0));
  if (kind === undefined || !(rateHz !== undefined && rateHz > 0)) return null;
  if (!Number.isFinite(factor) || factor === 0) return null;
  // The values of a file that was cut off end with it.
  const available = Math.max(0, Math.floor((bytes.length - dataAt) / sizeBytes));
  const [name, shortName] = [readText(bytes, at + 32, 32), readText(bytes, at + 64, 8)];
  return {
    name,
    unit: readText(bytes, at + 72, 12) || (name.startsWith(shortName) ? '' : shortName),
    rateHz,
    count: Math.min(view.getUint32(at + 12, true), available),
    factor,
    offset,
    dataAt,
    kind,
  };
}

/** Maps type and bytes of a value to what it is. */
const KINDS: ReadonlyMap<number, MotecChannel['kind']> = new Map([
  ...[0, 3, 5].map((type) => [256 * type + 2, 'int16'] as const),
  ...[0, 3, 5].map((type) => [256 * type + 4, 'int32'] as const),
  [256 * 7 + 4, 'float32'],
  [256 * 8 + 8, 'float64'],
]);

/** Lists the texts of the header from the device to the comment, and those of the event. */
function readDescriptions(bytes: Uint8Array, eventAt: number): string[] {
  const header: readonly (readonly [at: number, length: number])[] = [
    [74, 8],
    [222, 64],
    [350, 64],
    [1508, 64],
    [1572, 64],
  ];
  const event: readonly (readonly [at: number, length: number])[] =
    eventAt === 0
      ? []
      : [
          [eventAt, 64],
          [eventAt + 64, 64],
          [eventAt + 128, 1024],
        ];
  return [...header, ...event].map(([at, length]) => readText(bytes, at, length)).filter(Boolean);
}

function readPointer(view: DataView, at: number): number {
  return at + 4 <= view.byteLength ? view.getUint32(at, true) : 0;
}

function readText(bytes: Uint8Array, at: number, length: number): string {
  const text = String.fromCharCode(...bytes.subarray(at, at + length)).split('\0', 1)[0] ?? '';
  return text.trim();
}
