import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { planeAround, toPlane, toPosition } from '#engine/geo.ts';
import { BINARY_WRITERS } from '#engine/testing/binary-writers.ts';
import { writeMotecLd, writeMotecLdx } from '#engine/testing/write-motec-ld.ts';
import { CAMERA_WRITERS } from '#engine/testing/write-camera-metadata.ts';
import { writeSplitUbx } from '#engine/testing/write-ubx.ts';
import { recordDrive } from '#engine/testing/write-streams.ts';
import { writeZip } from '#engine/testing/write-zip.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { DEVICE_WRITERS } from '#engine/testing/write-devices.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { joinVideo, writeGoProVideo } from '#engine/testing/write-gopro-mp4.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { writeHeaderless, writeSpeedAngle } from '#engine/testing/write-headerless.ts';
import { LOGGER_WRITERS, writeAim, writeAlfano } from '#engine/testing/write-loggers.ts';
import { writeRaceChronoV3 } from '#engine/simulation/write-racechrono.ts';
import { writeTrackAddict } from '#engine/testing/write-trackaddict.ts';
import { writeVbo } from '#engine/testing/write-vbo.ts';
import { XML_WRITERS } from '#engine/testing/write-xml.ts';
import { undirectedLine } from '#engine/timing-line.ts';
import { trackFromLine } from '#engine/track.ts';
import type { Track } from '#engine/track.ts';

/** Describes a lap file to be broken, one character per byte, and the tracks that it may have been driven on. */
export type CorpusFile = { name: string; text: string; tracks: Track[] };

/**
 * Loads the files of the simulated driver in every format, the bundled sample files, and where a folder is given, the
 * real recordings in its `lap-files/`. Always in the same order, so that a seed means the same case every time.
 * `namePart` leaves only files with that in their name.
 */
export function loadCorpus(samples: string | undefined, namePart = ''): CorpusFile[] {
  const bundled = filesIn(fileURLToPath(new URL('../../data/lap-files/', import.meta.url))).filter(
    (path) => !path.endsWith('.md'),
  );
  const recorded = samples === undefined ? [] : filesIn(join(samples, 'lap-files'));
  const files = [
    ...simulated(),
    ...[...bundled, ...recorded].map((path) => ({
      name: basename(path),
      text: characters(readFileSync(path)),
      tracks: samples === undefined ? [] : trackOfTruth(samples, basename(path)),
    })),
  ];
  return files.filter(({ name }) => name.includes(namePart));
}

/** Returns one character per byte, and back: nothing is lost, whatever the encoding. */
function characters(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

export function readBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** Each has a decoder of its own. */
const RECORDED = ['ubx', 'serial-nmea', 'nmea', 'racechrono-diy', 'qstarz', 'phone'] as const;

function simulated(): CorpusFile[] {
  const receiver = { rateHz: 5, noiseMeters: 0.3, timeStampStepMs: 1 };
  const drive = simulateDrive(KART_TRACK, { seed: 7, laps: 4, receiver });
  // The drive goes on over midnight, which many formats only know by the time of day.
  const late = simulateDrive(KART_TRACK, {
    seed: 8,
    laps: 3,
    receiver,
    startTimeMs: Date.UTC(2026, 4, 16, 23, 59),
  });
  const texts: Record<string, string> = {
    'racechrono-csv-v3': writeRaceChronoV3(drive, { sensorRateHz: 10 }),
    'trackaddict-csv': writeTrackAddict(drive),
    'generic-csv': writeGenericCsv(drive),
    'generic-csv, time of day': writeGenericCsv(late, { separator: ';', clock: 'time-of-day' }),
    'gpx 1.1': writeGpx(drive),
    'gpx 1.0': writeGpx(drive, { version: '1.0', segmentPerLap: true }),
    vbo: writeVbo(drive, { track: KART_TRACK }),
    'vbo of racebox': writeVbo(late, { writer: 'racebox', track: KART_TRACK }),
    'aim-csv with semicolons': writeAim(drive, ';'),
    'alfano-csv with commas': writeAlfano(drive, ','),
  };
  const writers = {
    ...LOGGER_WRITERS,
    ...DEVICE_WRITERS,
    ...XML_WRITERS,
    'headerless-csv': writeHeaderless,
    'speedangle-sa': writeSpeedAngle,
  };
  for (const [name, write] of Object.entries(writers)) {
    texts[name] = write(drive);
    texts[`${name}, midnight`] = write(late);
  }
  const files = Object.entries(texts).map(([name, text]): [string, Uint8Array] => [
    name,
    new TextEncoder().encode(text),
  ]);
  const binary = Object.entries(BINARY_WRITERS).map(([name, write]): [string, Uint8Array] => [
    name,
    write(drive),
  ]);
  const lapList = new TextEncoder().encode(writeMotecLdx(drive));
  binary.push(
    ['ubx of split fixes', writeSplitUbx(drive)],
    ...RECORDED.map((kind): [string, Uint8Array] => [
      `pitboard-recording of ${kind}`,
      recordDrive(drive, { kind, seed: 3, mostBytes: 60 }),
    ]),
    ['hlptrz', writeZip([['lap.hlptr', new TextEncoder().encode(XML_WRITERS['harrys-xml']?.(drive))]])],
    ['kmz', writeZip([['doc.kml', new TextEncoder().encode(XML_WRITERS['kml']?.(drive))]])],
    [
      'motec-ld with ldx',
      writeZip([
        ['run.ld', writeMotecLd(drive)],
        ['run.ldx', lapList],
      ]),
    ],
  );
  const videos = (['GPS5', 'GPS9'] as const).map((stream): [string, Uint8Array] => [
    `video with ${stream}`,
    joinVideo(writeGoProVideo(drive, { stream })),
  ]);
  for (const [kind, write] of Object.entries(CAMERA_WRITERS))
    videos.push([`video with ${kind}`, write(drive)]);
  return [...files, ...binary, ...videos].map(([name, bytes]) => ({
    name: `simulated ${name}`,
    text: characters(bytes),
    tracks: [KART_TRACK],
  }));
}

// Beyond this a case takes seconds, and a longer file of the same kind breaks in no other way.
const LARGEST_BYTES = 6_000_000;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).length < LARGEST_BYTES)
    .toSorted();
}

type Truth = {
  startFinish?: [[number, number], [number, number]] | null;
  startFinishPoint?: [number, number];
};

/** Returns the line that the lap times of a recording were taken on, where it is known. */
function trackOfTruth(samples: string, name: string): Track[] {
  const path = join(samples, 'truth', `${name}.json`);
  if (!existsSync(path)) return [];
  const { startFinish, startFinishPoint }: Truth = JSON.parse(readFileSync(path, 'utf8'));
  if (startFinish) {
    const [a, b] = startFinish.map(([lat, lon]) => ({ lat, lon }));
    return a && b ? [trackFromLine(undirectedLine(a, b))] : [];
  }
  if (!startFinishPoint) return [];
  const [lat, lon] = startFinishPoint;
  const plane = planeAround({ lat, lon });
  const across = toPlane(plane, { lat: lat + 0.0002, lon: lon + 0.0001 });
  return [
    trackFromLine(
      undirectedLine(toPosition(plane, across), toPosition(plane, { x: -across.x, y: -across.y })),
    ),
  ];
}
