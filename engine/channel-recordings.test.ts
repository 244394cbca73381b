import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import type { ChannelName } from './channels.ts';
import { encodeLapTrace } from './comparison/lap-trace.ts';
import { withOrientedAccelerations } from './comparison/oriented-accelerations.ts';
import { quantile } from './statistics.ts';
import { openLapFile } from './time-lap-file.ts';

/** LAP_SAMPLES names the folder of real recordings, which are not part of Pitboard. */
const folder = process.env['LAP_SAMPLES'];

type Expected = {
  file: string;
  channels: Partial<Record<ChannelName, readonly [median: number, high: number]>>;
};

/** The median and the value that 5 % lie above, as the loggers have them: accelerations in m/s², the rest in the units of the channel. */
const EXPECTED: readonly Expected[] = [
  {
    file: 'aim-xrk_adria-kart.xrk',
    channels: {
      rpm: [10_160, 13_280],
      longitudinalAcceleration: [-2.4, 1],
      lateralAcceleration: [4.1, 20.8],
    },
  },
  { file: 'aim-rs3_1fk_driver_b.csv', channels: { rpm: [10_990, 14_650] } },
  {
    file: 'racecapture_sonoma.log',
    channels: {
      throttle: [36, 100],
      rpm: [4350, 6110],
      longitudinalAcceleration: [2.1, 4.1],
      lateralAcceleration: [-1, 8.3],
    },
  },
  {
    file: 'racechrono-v3_jlynx_race2_lap6.csv',
    channels: { throttle: [97, 100], brake: [0, 100], rpm: [5670, 6760] },
  },
  { file: 'racechrono-v3_tianma_lap9.csv', channels: { throttle: [81, 94.9], rpm: [3680, 5715] } },
  {
    file: 'racechrono_jlynx_race2_lap6.rcz',
    channels: { throttle: [78.5, 100], brake: [0, 100], rpm: [5740, 6690] },
  },
  {
    file: 'vbo_racechrono_amozoc.vbo',
    channels: { throttle: [19, 100], rpm: [4540, 5980], gear: [2, 3], steering: [-6, 105] },
  },
  {
    file: 'laplegend_pueblo.csv',
    channels: {
      throttle: [36, 100],
      brake: [0, 100],
      brakePressure: [0, 32.5],
      rpm: [5630, 7070],
      steering: [-1.7, 63],
      longitudinalAcceleration: [0.9, 2.5],
      lateralAcceleration: [0.3, 10.7],
    },
  },
];

const present = EXPECTED.flatMap(({ file, channels }) => {
  const path = join(folder ?? '', 'lap-files', file);
  return folder !== undefined && existsSync(path) ? [{ file, path, channels }] : [];
});

test.skipIf(folder === undefined)('every recording with channels is there', () => {
  expect(present.map(({ file }) => file)).toEqual(EXPECTED.map(({ file }) => file));
});

test.each(present)('$file has its channels, in their units', ({ path, channels }) => {
  const { fixes } = openLapFile(readFileSync(path), inflateLapFile).trace;
  const read = withOrientedAccelerations(fixes).channels ?? {};
  expect(Object.keys(read).toSorted()).toEqual(Object.keys(channels).toSorted());
  for (const [name, values] of Object.entries(read)) {
    const known = values.filter((value) => !Number.isNaN(value));
    expect(known.length).toBeGreaterThan(0.9 * fixes.length);
    const found = [quantile(known, 0.5) ?? Number.NaN, quantile(known, 0.95) ?? Number.NaN];
    const expected = Object.entries(channels).find(([channel]) => channel === name)?.[1] ?? [];
    for (const [index, value] of expected.entries())
      expect(Math.abs((found[index] ?? Number.NaN) - value)).toBeLessThan(0.005 * Math.abs(value) + 0.06);
  }
});

test.skipIf(present.length === 0)(
  'channels make the stored traces of these recordings less than 40 % larger',
  () => {
    let [without, withChannels] = [0, 0];
    for (const { path } of present) {
      const file = openLapFile(readFileSync(path), inflateLapFile);
      const fixes = withOrientedAccelerations(file.trace.fixes);
      const { channels: _, ...plain } = fixes;
      const [startMs = 0, endMs = 0] = [fixes.timesMs[0], fixes.timesMs.at(-1)];
      for (let startTimeMs = startMs; startTimeMs + LAP_MS <= endMs; startTimeMs += LAP_MS) {
        const lap = { startTimeMs, lapTimeMs: LAP_MS, uncertaintyMs: 0 };
        const bytes = (kept: typeof fixes) =>
          deflateRawSync(encodeLapTrace({ ...file, trace: { ...file.trace, fixes: kept }, lap })).length;
        without += bytes(plain);
        withChannels += bytes(fixes);
      }
    }
    expect(withChannels / without).toBeLessThan(1.4);
  },
);

/** A lap of a usual track takes about so long. */
const LAP_MS = 90_000;
