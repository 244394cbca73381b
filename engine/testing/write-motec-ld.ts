import { ByteWriter } from './byte-writer.ts';
import { passingTimes } from '#engine/simulation/drive-samples.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';

const HEADER_BYTES = 1762;
const EVENT_BYTES = 1156;
const CHANNEL_BYTES = 124;

/** Describes a channel of whole numbers of 32 bits, or of double floats; one of `values` is `10 ** -decimals` of the unit, times `multiplier`. */
export type WrittenChannel = {
  name: string;
  unit: string;
  values: readonly number[];
  rateHz: number;
  decimals?: number;
  multiplier?: number;
  offset?: number;
  /** True for double floats with the unit at the place of the short name, as M1 ECUs write them. */
  isDouble?: boolean;
};

/** Writes a drive as a dash of MoTeC logs it. `others` are further channels; `comment` is that of the event. */
export function writeMotecLd(
  { fixes }: SimulatedDrive,
  { others = [], comment = '' }: { others?: readonly WrittenChannel[]; comment?: string } = {},
): Uint8Array {
  const [first, second] = fixes;
  const rateHz = Math.round(1000 / ((second?.timeMs ?? 1000) - (first?.timeMs ?? 0)));
  const positions: WrittenChannel[] = [
    { name: 'GPS Latitude', unit: 'deg', values: fixes.map(({ lat }) => lat * 1e7), rateHz, decimals: 7 },
    { name: 'GPS Longitude', unit: 'deg', values: fixes.map(({ lon }) => lon * 1e7), rateHz, decimals: 7 },
    {
      name: 'GPS Speed',
      unit: 'km/h',
      values: fixes.map(({ speedMetersPerSecond }) => speedMetersPerSecond * 360),
      rateHz,
      decimals: 2,
    },
  ];
  return writeMotecChannels([...positions, ...others], first?.timeMs ?? 0, comment);
}

export function writeMotecChannels(
  channels: readonly WrittenChannel[],
  startMs: number,
  comment = '',
): Uint8Array {
  const channelsAt = HEADER_BYTES + EVENT_BYTES;
  const dataAt = channelsAt + CHANNEL_BYTES * channels.length;
  const [year = '', month = '', day = ''] = new Date(startMs).toISOString().slice(0, 10).split('-');
  const bytes = new ByteWriter()
    .int32(64, 0, channelsAt, dataAt)
    .ascii('', 20)
    .int32(HEADER_BYTES)
    .ascii('', 30)
    .int32(12_007)
    .ascii('ADL', 8)
    .uint16(420, 128)
    .int32(channels.length, 0)
    .ascii(`${day}/${month}/${year}`, 32)
    .ascii(new Date(startMs).toISOString().slice(11, 19), 32)
    .ascii('', 192)
    .ascii('Kart track', 64);
  bytes
    .ascii('', HEADER_BYTES - bytes.length)
    .ascii('Club day', 128)
    .ascii(comment, EVENT_BYTES - 128);
  let at = dataAt;
  for (const [index, channel] of channels.entries()) {
    const own = channelsAt + CHANNEL_BYTES * index;
    const isLast = index === channels.length - 1;
    bytes
      .int32(index === 0 ? 0 : own - CHANNEL_BYTES, isLast ? 0 : own + CHANNEL_BYTES)
      .int32(at, channel.values.length)
      .append(describeChannel(channel, index));
    at += (channel.isDouble === true ? 8 : 4) * channel.values.length;
  }
  for (const { values, isDouble = false } of channels) {
    if (isDouble) bytes.float64(...values);
    else bytes.int32(...values);
  }
  return bytes.finish();
}

function describeChannel(channel: WrittenChannel, index: number): Uint8Array {
  const defaults = { offset: 0, multiplier: 1, decimals: 0, isDouble: false };
  const { name, unit, rateHz, offset, multiplier, decimals, isDouble } = { ...defaults, ...channel };
  const [type, sizeBytes] = isDouble ? [8, 8] : [5, 4];
  return new ByteWriter()
    .uint16(index, type, sizeBytes, rateHz, offset, multiplier, 1, decimals)
    .ascii(name, 32)
    .ascii(isDouble ? unit : '', 8)
    .ascii(isDouble ? '' : unit, 52)
    .finish();
}

/** Writes the list of laps that belongs to a log. */
export function writeMotecLdx({ fixes, trueLaps }: SimulatedDrive): string {
  const startMs = fixes[0]?.timeMs ?? 0;
  const markers = passingTimes(trueLaps).map(
    (timeMs, index) =>
      `<Marker Version="100" ClassName="BCN" Name="Manual.${index + 1}" Flags="77" Time="${(1000 * (timeMs - startMs)).toExponential(17)}"/>`,
  );
  return `<?xml version="1.0"?>
<LDXFile Locale="English" DefaultLocale="C" Version="1.6"><Layers><Layer><MarkerBlock>
<MarkerGroup Name="Beacons" Index="3">${markers.join('\n')}</MarkerGroup>
</MarkerBlock></Layer></Layers></LDXFile>`;
}
