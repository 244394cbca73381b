import { bearingDegrees, distanceMeters, middle } from '../geo.ts';
import type { TimingLine } from '../timing-line.ts';
import { ByteWriter } from './byte-writer.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { writeZip, type Deflate } from './write-zip.ts';

/** Describes how a session differs from one with a single receiver and no line. */
export type RczOptions = {
  deflate?: Deflate;
  /** The line that RaceChrono timed on. */
  line?: TimingLine;
  folder?: string;
  accuracyMeters?: number;
  /** A channel of the car: its number, the milliseconds between two values, and the value at a time since the first fix. */
  carChannel?: { kind: number; stepMs: number; value: (elapsedMs: number) => number };
};

const POSITION_UNITS = 6_000_000;

/** A drive as RaceChrono shares it: a ZIP archive with the list of laps and a file per channel of the receiver. */
export function writeRaceChronoRcz(drive: SimulatedDrive, options: RczOptions = {}): Uint8Array {
  const { folder = '', accuracyMeters = 2 } = options;
  const { fixes, trueLaps } = drive;
  const channel = (kind: number, type: number, write: (file: ByteWriter, index: number) => void) => {
    const file = new ByteWriter();
    for (const index of fixes.keys()) write(file, index);
    return [`${folder}channel_1_100_0_${kind}_${type}`, file.finish()] as const;
  };
  const laps = trueLaps.map(({ startTimeMs, lapTimeMs }, index) => ({
    number: index + 1,
    sessionResume: 0,
    startTimestamp: Math.round(startTimeMs),
    finishTimestamp: Math.round(startTimeMs + lapTimeMs),
    isInvalid: false,
  }));
  const json = (name: string, value: unknown) =>
    [`${folder}${name}`, new ByteWriter().ascii(JSON.stringify(value)).finish()] as const;
  const files = [
    json('session.json', { version: 1, title: 'Kart track', lapCount: laps.length, laps }),
    json('sessionfragment.json', { version: 1, primaryGpsDeviceIndex: 100 }),
    ...(options.line === undefined ? [] : [json('trackId.json', { track: { traps: [trap(options.line)] } })]),
    channel(1, 1, (file, index) => file.int64(fixes[index]?.timeMs ?? 0)),
    channel(3, 1, (file, index) =>
      file.int32((fixes[index]?.lat ?? 0) * POSITION_UNITS, (fixes[index]?.lon ?? 0) * POSITION_UNITS),
    ),
    channel(4, 0, (file, index) => file.int32(1000 * (fixes[index]?.speedMetersPerSecond ?? 0))),
    channel(30_007, 0, (file) => file.int32(1000 * accuracyMeters)),
    ...carFiles(drive, options),
  ];
  return writeZip(files, options.deflate);
}

function carFiles({ fixes }: SimulatedDrive, { folder = '', carChannel }: RczOptions) {
  if (carChannel === undefined) return [];
  const { kind, stepMs, value } = carChannel;
  const [startMs, endMs] = [fixes[0]?.timeMs ?? 0, fixes.at(-1)?.timeMs ?? 0];
  const [times, values] = [new ByteWriter(), new ByteWriter()];
  for (let timeMs = startMs; timeMs <= endMs; timeMs += stepMs) {
    times.int64(timeMs);
    values.append(new Uint8Array(Float64Array.of(value(timeMs - startMs)).buffer));
  }
  return [
    [`${folder}channel_12_200_${kind}_1_1`, times.finish()] as const,
    [`${folder}channel2_12_200_${kind}_${kind}_3`, values.finish()] as const,
  ];
}

function trap(line: TimingLine) {
  const center = middle(line.a, line.b);
  return {
    name: 'Start/Finish',
    type: 3,
    centerLatitude: Math.round(center.lat * POSITION_UNITS),
    centerLongitude: Math.round(center.lon * POSITION_UNITS),
    bearing: Math.round(1000 * (line.bearingDeg ?? (bearingDegrees(line.a, line.b) + 270) % 360)),
    width: Math.round(1000 * distanceMeters(line.a, line.b)),
  };
}
