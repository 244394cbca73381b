import type { SimulatedDrive } from './drive.ts';
import { writeAimXrk } from './write-aim-xrk.ts';
import { writeFit } from './write-fit.ts';
import { writeRaceChronoRcz } from './write-racechrono-rcz.ts';
import { writeRaceBoxFrames, writeUbx } from './write-ubx.ts';

/** Writes a drive in every format that is no text, by the name of the format. */
export const BINARY_WRITERS: Readonly<Record<string, (drive: SimulatedDrive) => Uint8Array>> = {
  'aim-xrk': (drive) => writeAimXrk(drive),
  fit: writeFit,
  'racebox-frames': writeRaceBoxFrames,
  ubx: writeUbx,
  'racechrono-rcz': (drive) => writeRaceChronoRcz(drive),
};
