/**
 * Drives the sample lap files of data/lap-files with the simulated driver: `npx tsx scripts/make-samples.ts`. The same seeds give the
 * same files. They are driven as the demo community drives, so that their laps rank in the upper half of a board.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { asTrackId } from '#contract/testing/ids.ts';
import type { TrackId } from '#contract/ids.ts';
import { readCameraVideo } from '#engine/formats/camera/read-camera-video.ts';
import { writeCameraCsv } from '#engine/formats/camera/write-camera-csv.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { simulateDrive, type DriveOptions, type SimulatedDrive } from '#engine/simulation/drive.ts';
import { writeAimXrk } from '#engine/testing/write-aim-xrk.ts';
import { writeFit } from '#engine/testing/write-fit.ts';
import { joinVideo, writeGoProVideo } from '#engine/testing/write-gopro-mp4.ts';
import { writeRaceChronoRcz } from '#engine/testing/write-racechrono-rcz.ts';
import { writeGenericCsv } from '#engine/simulation/write-generic-csv.ts';
import { writeGpx } from '#engine/simulation/write-gpx.ts';
import { writeRaceChronoV3 } from '#engine/simulation/write-racechrono.ts';
import type { Track } from '#engine/track.ts';
import { DEMO_CARS } from '#server/features/demo/demo-cars.ts';
import { DEMO_ROUNDING_METERS, findVehicle } from '#server/features/demo/pace.ts';

type Sample = {
  file: string;
  trackId: TrackId;
  what: string;
  driverName: string;
  drive: Pick<DriveOptions, 'seed' | 'laps' | 'startTimeMs' | 'receiver'>;
  write: (drive: SimulatedDrive, sample: Sample, track: Track) => string | Uint8Array;
};

// Good receivers in the open have an error that drifts by some decimetres, with hardly any noise from fix to fix.
const RECEIVER = {
  driftMeters: 0.25,
  noiseMeters: 0.02,
  speedNoiseMetersPerSecond: 0.05,
  coordinateDecimals: 7,
  timeStampStepMs: 1,
};

const CAR = DEMO_CARS.find(({ modelKey }) => modelKey === 'bmw-m2-f87-cs');
const TIRE = 'rcomp';
// This is the form of a good driver of the demo on a usual day.
const FORM = 0.95;

const SAMPLES: readonly Sample[] = [
  {
    file: 'laguna-seca-racechrono.csv',
    trackId: asTrackId('weathertech-raceway-laguna-seca-full'),
    what: 'RaceChrono CSV v3, external receiver at 10 Hz',
    driverName: 'Ada Quick',
    drive: {
      seed: 2026,
      laps: 4,
      startTimeMs: Date.UTC(2026, 4, 16, 17, 42, 10),
      receiver: { ...RECEIVER, rateHz: 10 },
    },
    write: (drive, { driverName }, track) =>
      writeRaceChronoV3(drive, { sensorRateHz: 1, hasCarChannels: false, driverName, trackName: track.name }),
  },
  {
    file: 'waterford-hills-25hz.csv',
    trackId: asTrackId('waterford-hills-full'),
    what: 'a plain table of time, position, speed and lap, 25 Hz',
    driverName: 'Milo Brakelate',
    drive: {
      seed: 25,
      laps: 5,
      startTimeMs: Date.UTC(2026, 5, 6, 14, 5, 0),
      receiver: { ...RECEIVER, rateHz: 25 },
    },
    write: (drive) => writeGenericCsv(drive),
  },
  {
    file: 'zandvoort-5hz.gpx',
    trackId: asTrackId('circuit-zandvoort-grand-prix'),
    what: 'GPX 1.1, 5 Hz, speed in an extension',
    driverName: 'Sanne Duin',
    drive: {
      seed: 5,
      laps: 5,
      startTimeMs: Date.UTC(2026, 6, 18, 9, 20, 30),
      receiver: { ...RECEIVER, rateHz: 5 },
    },
    write: (drive, { driverName }) => writeGpx(drive, { driverName }),
  },
  {
    file: 'mugello-aim.xrk',
    trackId: asTrackId('mugello-circuit-grand-prix'),
    what: "AiM's own recording, 10 Hz",
    driverName: 'Carla Curva',
    drive: {
      seed: 10,
      laps: 3,
      startTimeMs: Date.UTC(2026, 4, 30, 9, 12, 0),
      receiver: { ...RECEIVER, rateHz: 10 },
    },
    write: (drive) => writeAimXrk(drive),
  },
  {
    file: 'spa-session.rcz',
    trackId: asTrackId('circuit-de-spa-francorchamps-grand-prix'),
    what: 'a session that RaceChrono shares, 10 Hz',
    driverName: 'Wes Canyon',
    drive: {
      seed: 11,
      laps: 3,
      startTimeMs: Date.UTC(2026, 5, 20, 15, 40, 0),
      receiver: { ...RECEIVER, rateHz: 10 },
    },
    write: (drive, _, { startFinishLine }) =>
      writeRaceChronoRcz(drive, {
        deflate: deflateRawSync,
        ...(startFinishLine !== null && { line: startFinishLine }),
      }),
  },
  {
    file: 'suzuka-catalyst.fit',
    trackId: asTrackId('suzuka-circuit-full'),
    what: 'FIT, 10 Hz with milliseconds',
    driverName: 'Kei Hayashi',
    drive: {
      seed: 12,
      laps: 3,
      startTimeMs: Date.UTC(2026, 8, 12, 2, 30, 0),
      receiver: { ...RECEIVER, rateHz: 10 },
    },
    write: writeFit,
  },
  {
    file: 'silverstone-gopro.csv',
    trackId: asTrackId('silverstone-circuit-grand-prix-arena'),
    what: 'what is sent of a GoPro video: its positions, 18 Hz',
    driverName: 'Nia Copse',
    drive: {
      seed: 13,
      laps: 3,
      startTimeMs: Date.UTC(2026, 6, 4, 10, 5, 0),
      receiver: { ...RECEIVER, rateHz: 18.2 },
    },
    write: writePositionsOfVideo,
  },
];

/** Writes the positions in the form in which the browser extracts them from the video. */
function writePositionsOfVideo(drive: SimulatedDrive): string {
  const video = joinVideo(writeGoProVideo(drive, { pictureBytes: 0 }));
  const reading = readCameraVideo(video.length);
  let step = reading.next();
  while (!step.done) {
    const { offset, length } = step.value;
    step = reading.next(video.subarray(offset, offset + length));
  }
  return writeCameraCsv(step.value, { name: 'GX010001.MP4', fingerprint: '' });
}

const folder = new URL('../data/lap-files/', import.meta.url);
const tracks: Track[] = JSON.parse(readFileSync(new URL('../data/tracks.json', import.meta.url), 'utf8'));

if (CAR === undefined) throw new Error('The demo has no such car.');
const { topSpeedMetersPerSecond } = CAR;

mkdirSync(folder, { recursive: true });
const lines = SAMPLES.map((sample) => {
  const track = tracks.find(({ id }) => id === sample.trackId);
  if (track === undefined) throw new Error(`data/tracks.json has no ${sample.trackId}.`);
  const drive = simulateDrive(track, {
    ...sample.drive,
    vehicle: findVehicle({ trackId: sample.trackId, car: CAR, tire: TIRE, form: FORM }),
    topSpeedMetersPerSecond,
    roundingMeters: DEMO_ROUNDING_METERS,
  });
  writeFileSync(new URL(sample.file, folder), sample.write(drive, sample, track));
  const laps = drive.trueLaps.map((lap) => lap.lapTimeMs);
  const configuration = track.configuration === null ? '' : ` (${track.configuration})`;
  return `| \`${sample.file}\` | ${track.name}${configuration} | ${sample.what} | ${sample.driverName} | ${laps.map(formatLapTime).join(', ')} | **${formatLapTime(Math.min(...laps))}** |`;
});

writeFileSync(
  new URL('README.md', folder),
  `# Sample lap files

Lap files to try an upload with. No person drove them: Pitboard's simulated driver did, on tracks of \`../tracks.json\`, with a receiver that is
as inexact as a good real one. The drivers are invented; their car goes as a BMW M2 CS on R-Comp tyres goes in the demo community, where
it is in the upper half of the boards. The true lap times are known to the last digit; what Pitboard makes of
the files is about a hundredth of a second off, because the receiver is.

| File | Track | What it looks like | Driver | True laps | True best |
| --- | --- | --- | --- | --- | --- |
${lines.join('\n')}

\`npx tsx scripts/make-samples.ts\` drives them again, with the same result. Part of Pitboard, MIT licence.
`,
);
