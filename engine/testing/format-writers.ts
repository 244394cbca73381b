import { writeCameraCsv } from '../formats/camera/write-camera-csv.ts';
import type { SimulatedDrive } from '../simulation/drive.ts';
import { writeGenericCsv } from '../simulation/write-generic-csv.ts';
import { writeGpx } from '../simulation/write-gpx.ts';
import { writeRaceChronoV3 } from '../simulation/write-racechrono.ts';
import { DEVICE_WRITERS } from './write-devices.ts';
import { writeHeaderless, writeSpeedAngle } from './write-headerless.ts';
import { LOGGER_WRITERS } from './write-loggers.ts';
import { writeRaceChronoV1, writeRaceChronoV2 } from './write-older-racechrono.ts';
import { writeTrackAddict } from './write-trackaddict.ts';
import { writeVbo } from './write-vbo.ts';
import { XML_WRITERS } from './write-xml.ts';

/** Writes a drive in every format that can be read, by the name of the format. */
export const FORMAT_WRITERS: Readonly<Record<string, (drive: SimulatedDrive) => string>> = {
  gpx: (drive) => writeGpx(drive),
  vbo: (drive) => writeVbo(drive),
  'racechrono-csv-v1': writeRaceChronoV1,
  'racechrono-csv-v2': writeRaceChronoV2,
  'racechrono-csv-v3': (drive) => writeRaceChronoV3(drive, { sensorRateHz: 10 }),
  'trackaddict-csv': (drive) => writeTrackAddict(drive),
  'generic-csv': (drive) => writeGenericCsv(drive),
  'headerless-csv': writeHeaderless,
  'speedangle-sa': writeSpeedAngle,
  'camera-csv': writeCameraPositions,
  ...DEVICE_WRITERS,
  ...LOGGER_WRITERS,
  ...XML_WRITERS,
};

/** Writes the positions of a camera with a good fix all the time. */
function writeCameraPositions({ fixes }: SimulatedDrive): string {
  const samples = fixes.map((fix) => ({ ...fix, fixKind: 3, precision: 1.2 }));
  return writeCameraCsv(
    { camera: 'HERO9 Black', isUtc: true, samples },
    { name: 'GX010001.MP4', fingerprint: '' },
  );
}
