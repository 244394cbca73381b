import type { SimulatedDrive } from './drive.ts';
import { writeAimXrk } from './write-aim-xrk.ts';
import { writeFit } from './write-fit.ts';
import { writeRaceChronoRcz } from './write-racechrono-rcz.ts';

/** Writes a drive in every format that is no text, by the name of the format. */
export const BINARY_WRITERS: Readonly<Record<string, (drive: SimulatedDrive) => Uint8Array>> = {
  'aim-xrk': (drive) => writeAimXrk(drive),
  fit: writeFit,
  'racechrono-rcz': (drive) => writeRaceChronoRcz(drive),
};
