import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { writeAimXrk } from './write-aim-xrk.ts';
import { writeEcumasterAdulog } from './write-ecumaster-adulog.ts';
import { writeFit } from './write-fit.ts';
import { writeRaceChronoRcz } from './write-racechrono-rcz.ts';
import { writeIracingIbt } from './write-iracing-ibt.ts';
import { writeMotecLd } from './write-motec-ld.ts';
import { writeQstarzBin } from './write-qstarz-bin.ts';
import { writeRacetechRun } from './write-racetech-run.ts';
import { writeVbb } from './write-vbb.ts';
import { recordDrive } from './write-streams.ts';
import { writeRaceBoxFrames, writeUbx } from './write-ubx.ts';

/** Writes a drive in every format that is no text, by the name of the format. */
export const BINARY_WRITERS: Readonly<Record<string, (drive: SimulatedDrive) => Uint8Array>> = {
  'aim-xrk': (drive) => writeAimXrk(drive),
  'ecumaster-adulog': (drive) => writeEcumasterAdulog(drive),
  fit: writeFit,
  'iracing-ibt': (drive) => writeIracingIbt(drive),
  'motec-ld': (drive) => writeMotecLd(drive),
  'qstarz-bin': writeQstarzBin,
  vbb: (drive) => writeVbb(drive),
  'pitboard-recording': (drive) => recordDrive(drive, { kind: 'racebox', seed: 1 }),
  'racetech-run': (drive) => writeRacetechRun(drive),
  'racebox-frames': writeRaceBoxFrames,
  ubx: writeUbx,
  'racechrono-rcz': (drive) => writeRaceChronoRcz(drive),
};
