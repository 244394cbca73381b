import { ByteWriter } from './byte-writer.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';

const HEADER_BYTES = 0x20c;
const FRAME_MS = 40;
/** The codes of values that come twice and once in a frame. */
const [TWICE, ONCE] = [3, 4];
const [BYTE, WORD, LONG] = [0, 2, 6];
const FIRST_WORD = 0x200;
/** Four bytes and three commands, ten words of positions and speeds, one of revolutions, and a byte; rows are filled up to eight bytes. */
const ROW_BYTES = 40;
/** The recording begins so many frames after a second. */
const FIRST_FRAME = 7;

/** Writes a drive as a dash of ECUMaster logs it, before it is compressed. `gpsGroup` is the name of the group of the receiver. */
export function writeEcumasterAdulog({ fixes }: SimulatedDrive, gpsGroup = 'gps.'): Uint8Array {
  const bytes = new ByteWriter({ isLittleEndian: false });
  bytes.ascii('', HEADER_BYTES).uint8(2, 0, 0, 0, 2);
  for (const unit of ['km/h', 'rpm']) bytes.ascii(`${unit}\0`);
  bytes.uint8(2);
  for (const base of [gpsGroup, 'ecu.']) bytes.ascii(`${base}\0`);
  bytes.uint8(3, 1).ascii('GPS\0').uint8(3, 2).ascii('Engine\0');
  // A divisor of ten million does not fit into two bytes.
  for (const name of ['latitude', 'longitude']) bytes.uint8(LONG, 0x08).uint16(1e7).ascii(`${name}\0`);
  bytes.uint8(WORD, 0x0f, 1).uint16(0, 65_535, 100).ascii('speed\0');
  bytes.uint8(WORD, 0x11, 2).uint16(10).ascii('rpm\0');
  bytes.uint8(BYTE, 0x28).uint16(2, -20).ascii('clt\0');
  // Four sensors with one description: `$` is their number.
  bytes.uint8(WORD + 0x10, 0x00, 4).ascii('egt$\0');
  align(bytes).ascii('', 10).uint16(1).uint8(4).ascii('Gear');
  align(bytes);
  writeRows(bytes, fixes);
  return bytes.finish();
}

function writeRows(bytes: ByteWriter, fixes: SimulatedDrive['fixes']): void {
  const startMs = fixes[0]?.timeMs ?? 0;
  const frames = Math.ceil(((fixes.at(-1)?.timeMs ?? 0) - startMs + 1) / FRAME_MS);
  let index = 0;
  const fixAt = (timeMs: number) => {
    while ((fixes[index + 1]?.timeMs ?? Number.POSITIVE_INFINITY) <= timeMs) index += 1;
    return fixes[index] ?? { lat: 0, lon: 0, speedMetersPerSecond: 0 };
  };
  for (let frame = 0; frame < frames; frame += 1) {
    const commands = [
      [FIRST_WORD, TWICE, 5],
      [FIRST_WORD + 5, ONCE, 1],
      [0, ONCE, 1],
    ] as const;
    bytes.uint8(0, ROW_BYTES / 8 - 1, (frame + FIRST_FRAME) % 25, commands.length);
    for (const [address, repeats, count] of commands) bytes.uint16(address * 16 + repeats, count);
    for (const shareMs of [0, FRAME_MS / 2]) {
      const { lat, lon, speedMetersPerSecond } = fixAt(startMs + frame * FRAME_MS + shareMs);
      bytes.int32(lat * 1e7, lon * 1e7).uint16(Math.round(speedMetersPerSecond * 360));
    }
    bytes.uint16(300 + (frame % 50)).uint8(2 * (80 + 20));
    align(bytes);
  }
}

function align(bytes: ByteWriter): ByteWriter {
  while (bytes.length % 8 !== 0) bytes.uint8(0);
  return bytes;
}
