import { ByteWriter } from './byte-writer.ts';

type XrkCoding = 4 | 6 | 15;

/** Describes a channel as AiM's loggers write it. */
export type XrkChannelToWrite = {
  index: number;
  name: string;
  /** Number of the unit: 1 for percent, 3 for g, 15 for revolutions a minute. */
  unit: number;
  /** Number of the coding: 4 for whole numbers of 16 bits, 6 for floats, 15 for letters of 16 bits. */
  coding: XrkCoding;
  stepMs: number;
};

/** Returns the message that describes a channel. */
export function describeXrkChannel({ index, name, unit, coding, stepMs }: XrkChannelToWrite): Uint8Array {
  const content = new ByteWriter()
    .uint16(index)
    .ascii('', 10)
    .uint8(unit)
    .ascii('', 7)
    .uint8(coding)
    .ascii('', 3)
    .ascii(name.slice(0, 8), 8)
    .ascii(name, 24)
    .ascii('', 8)
    .int32(1000 * stepMs)
    .ascii('', 4)
    .uint8(sizeOf(coding))
    .ascii('', 39)
    .finish();
  return frame('CHS', content);
}

/** Returns the message that describes a group of channels, whose samples come together. */
export function describeXrkGroup(index: number, channels: readonly number[]): Uint8Array {
  return frame('GRP', new ByteWriter().uint16(index, channels.length, ...channels).finish());
}

/** Returns one sample of a channel. */
export function writeXrkSample(channel: XrkChannelToWrite, timeMs: number, value: number): Uint8Array {
  return new ByteWriter()
    .ascii('(S')
    .int32(timeMs)
    .uint16(channel.index)
    .append(valueBytes(channel.coding, value))
    .ascii(')')
    .finish();
}

/** Returns several samples of a channel, one of its intervals apart. */
export function writeXrkSamples(
  channel: XrkChannelToWrite,
  timeMs: number,
  values: readonly number[],
): Uint8Array {
  const writer = new ByteWriter().ascii('(M').int32(timeMs).uint16(channel.index, values.length);
  for (const value of values) writer.append(valueBytes(channel.coding, value));
  return writer.ascii(')').finish();
}

/** Returns one sample of every channel of a group. */
export function writeXrkGroupSample(
  index: number,
  timeMs: number,
  values: readonly { coding: XrkCoding; value: number }[],
): Uint8Array {
  const writer = new ByteWriter().ascii('(G').int32(timeMs).uint16(index);
  for (const { coding, value } of values) writer.append(valueBytes(coding, value));
  return writer.ascii(')').finish();
}

function sizeOf(coding: XrkCoding): number {
  return coding === 6 ? 4 : 2;
}

function valueBytes(coding: XrkCoding, value: number): Uint8Array {
  const bytes = new Uint8Array(sizeOf(coding));
  const view = new DataView(bytes.buffer);
  if (coding === 6) view.setFloat32(0, value, true);
  else view.setInt16(0, value, true);
  return bytes;
}

function frame(name: string, content: Uint8Array): Uint8Array {
  const sum = content.reduce((total, byte) => total + byte, 0);
  return new ByteWriter()
    .ascii('<h')
    .ascii(name, 4)
    .int32(content.length)
    .uint8(1)
    .ascii('>')
    .append(content)
    .ascii('<')
    .ascii(name, 4)
    .uint16(sum)
    .ascii('>')
    .finish();
}
