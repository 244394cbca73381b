/**
 * The frames that RaceBox Mini, Mini S and Micro and their many clones send over Bluetooth, and the recordings in their memory. Facts:
 * RaceBox BLE Protocol Description, revision 8.
 *
 * - Frames of u-blox's protocol (see ubx-frames.ts) with 80 bytes: `FF 01` live, `FF 21` from the memory.
 * - Date and time are fields of the calendar with nanoseconds behind them, which may be negative. The time of the week in front is GPS time,
 *   18 s ahead of UTC, and is not used.
 * - The first bit at 66 says that latitude and longitude are invalid, whatever the kind of fix.
 * - Forces at 68 are in milli-g: X forward, Y to the side.
 */
import { UnreadableLapFileError } from '../../lap-file.ts';
import type { BinaryLapFileFormat } from '../binary/binary-format.ts';
import { readPvt, UbxFixRecorder } from '../binary/ubx-fixes.ts';
import { beginsWithFrames, UbxFrameReader, type UbxKind } from '../binary/ubx-frames.ts';
import { ChannelRecorder } from '../rows/channel-columns.ts';

/** Lists the frames of RaceBox that hold a position. */
export const RACEBOX_POSITIONS: readonly UbxKind[] = [
  { code: 0xff01, leastBytes: 80, mostBytes: 80 },
  { code: 0xff21, leastBytes: 80, mostBytes: 80 },
];

export const raceBoxFrames: BinaryLapFileFormat = {
  format: 'racebox-frames',
  name: 'RaceBox recording',
  recognise: (bytes) => beginsWithFrames(bytes, RACEBOX_POSITIONS),
  read: readRaceBoxFrames,
};

const SPEED_OFFSET = 48;
const METERS_PER_SECOND_SQUARED_PER_MILLI_G = 0.009_806_65;

function readRaceBoxFrames(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const fixes = new UbxFixRecorder();
  const forces = new ChannelRecorder([
    { channel: 'longitudinalAcceleration', column: 0, factor: 1 },
    { channel: 'lateralAcceleration', column: 1, factor: 1 },
  ]);
  const reader = new UbxFrameReader(RACEBOX_POSITIONS, ({ payload }) => {
    const isPosition = (payload.getUint8(66) & 1) === 0;
    if (!fixes.add(isPosition ? readPvt(payload, SPEED_OFFSET) : null)) return;
    const { longitudinal, lateral } = readRaceBoxForces(payload);
    forces.set('longitudinalAcceleration', fixes.length - 1, longitudinal);
    forces.set('lateralAcceleration', fixes.length - 1, lateral);
  });
  reader.feed(bytes);
  if (fixes.length === 0) {
    throw new UnreadableLapFileError(
      'This RaceBox recording holds no position with a time; wait for a GPS fix before you record.',
    );
  }
  return fixes.finish(forces.finish(fixes.length));
}

/** Returns the forces of a frame in m/s². */
export function readRaceBoxForces(payload: DataView): { longitudinal: number; lateral: number } {
  return {
    longitudinal: METERS_PER_SECOND_SQUARED_PER_MILLI_G * payload.getInt16(68, true),
    lateral: METERS_PER_SECOND_SQUARED_PER_MILLI_G * payload.getInt16(70, true),
  };
}
