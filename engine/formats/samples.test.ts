import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { inflateLapFile } from '#server/model/laps/timing/inflate-lap-file.ts';
import { UnreadableLapFileError, type Clock, type LapFile } from '../lap-file.ts';
import { openLapFile, timeOnOwnLine } from '../time-lap-file.ts';
import { listFormatNames, readLapFile } from './recognise.ts';

/**
 * Real lap files belong to those who drove them and are not part of the project. LAP_SAMPLES names a folder with `lap-files/` and,
 * for those with known lap times, `truth/`; without it these tests are skipped.
 */
const folder = process.env['LAP_SAMPLES'];

function bytesOf(name: string): Uint8Array {
  return readFileSync(join(folder ?? '', 'lap-files', name));
}

function read(name: string): LapFile {
  return readLapFile(bytesOf(name), inflateLapFile);
}

type Truth = { n: number; timeMs: number; timeMsExact?: number };

function truthOf(name: string): Truth[] {
  const path = join(folder ?? '', 'truth', `${name.replace('/', '__')}.json`);
  const truth: { laps: Truth[] } = JSON.parse(readFileSync(path, 'utf8'));
  return truth.laps;
}

/** Describes what a reader must find; `laps` are the numbers of the laps that the logger has marked. */
type Expected = { format: string; fixes: number; clock: Clock; laps?: number[] };

const READABLE: Record<string, Expected> = {
  'racechrono-v3_tianma_lap9.csv': { format: 'racechrono-csv-v3', fixes: 3850, clock: 'utc', laps: [9] },
  'racechrono-v3_jlynx_race2_lap6.csv': { format: 'racechrono-csv-v3', fixes: 7779, clock: 'utc', laps: [6] },
  'racechrono-v3_jlynx_short_official.csv': {
    format: 'racechrono-csv-v3',
    fixes: 1958,
    clock: 'utc',
    laps: [],
  },
  'racechrono-v1_moriring.csv': { format: 'racechrono-csv-v1', fixes: 273, clock: 'utc', laps: [1, 2] },
  'racechrono-v2_hutchinson-island.csv': {
    format: 'racechrono-csv-v2',
    fixes: 9046,
    clock: 'utc',
    laps: [4],
  },
  'trackaddict_stc_2019.csv': { format: 'trackaddict-csv', fixes: 1164, clock: 'utc', laps: [1, 2, 3, 4] },
  'racebox_ovrley_2026-07-26_standard.csv': { format: 'racebox-csv', fixes: 33_381, clock: 'utc', laps: [] },
  'racebox_ovrley_2026-07-26_bikemode.csv': {
    format: 'racebox-csv',
    fixes: 33_381,
    clock: 'local',
    laps: [],
  },
  'racebox_raceplex_eskate.csv': { format: 'racebox-csv', fixes: 3628, clock: 'utc', laps: [1] },
  'vbo_harrys_streets-of-willow-cw_2016-08-14.vbo': { format: 'vbo', fixes: 8786, clock: 'time_of_day' },
  'vbo_racebox_lignano.vbo': { format: 'vbo', fixes: 31_527, clock: 'utc' },
  'vbo_racebox_ovrley_2026-07-26_standard.vbo': { format: 'vbo', fixes: 33_381, clock: 'utc' },
  'vbo_racechrono_amozoc.vbo': { format: 'vbo', fixes: 9302, clock: 'utc' },
  'vbo_racelogic_doves_tiny.vbo': { format: 'vbo', fixes: 6, clock: 'utc' },
  'vbo_racelogic_lumbrer_example.vbo': { format: 'vbo', fixes: 1833, clock: 'utc' },
  'speedangle_grattan.sa': { format: 'speedangle-sa', fixes: 6080, clock: 'local', laps: [1, 2, 3, 4] },
  'speedangle_killarney_2022-07-19.sa': { format: 'speedangle-sa', fixes: 9088, clock: 'local' },
  'lemonpi_2023-05-27.csv': { format: 'headerless-csv', fixes: 17_598, clock: 'utc' },
  'vbo_speedangle_grattan.vbo': { format: 'vbo', fixes: 6080, clock: 'time_of_day' },
  'vbo_vboxII_mohamadSherif_small.vbo': { format: 'vbo', fixes: 3, clock: 'time_of_day' },
  'vbo_vbox_modena.vbo': { format: 'vbo', fixes: 10_390, clock: 'utc' },
  'vbo_zenkovich_test_data.vbo': { format: 'vbo', fixes: 36_654, clock: 'utc' },
  'nmea_harrys_streets-of-willow-cw_2016-08-14.nmea': { format: 'nmea', fixes: 843, clock: 'utc' },
  'nmea_okc_tillotson.nmea': { format: 'nmea', fixes: 15_866, clock: 'utc' },
  'harrys-csv_streets-of-willow-cw_2016-08-14.csv': {
    format: 'harrys-csv',
    fixes: 869,
    clock: 'utc',
    laps: [381, 382, 383, 385, 386, 387, 388, 389],
  },
  'harrys-csv_buttonwillow_2016-11-25.csv': { format: 'harrys-csv', fixes: 5201, clock: 'utc' },
  'harrys-csv_streets-of-willow-cw_2016-11-27.csv': { format: 'harrys-csv', fixes: 6759, clock: 'utc' },
  'dovex_okc_tillotson.dovex': { format: 'doves-csv', fixes: 22_691, clock: 'utc' },
  'racecapture-mk1_predictive_test.log': {
    format: 'racecapture-log',
    fixes: 11_076,
    clock: 'time_of_day',
    laps: [1, 2, 3, 4],
  },
  'racecapture_sonoma.log': {
    format: 'racecapture-log',
    fixes: 9922,
    clock: 'utc',
    laps: [1, 2, 3, 4, 5, 6, 7],
  },
  'telemetryoverlay-csv_racekeeper_mettet.csv': {
    format: 'telemetry-overlay-csv',
    fixes: 282,
    clock: 'utc',
    laps: [],
  },
  'laplegend_pueblo.csv': { format: 'lap-legend-csv', fixes: 15_282, clock: 'elapsed', laps: [1, 2, 3, 4] },
  'aim-rs3_doves_fixture.csv': {
    format: 'aim-csv',
    fixes: 503,
    clock: 'local',
    laps: [1, 2, 3, 4, 5, 6, 7, 8],
  },
  'derived/aim-rs3-style_adria-kart_from-xrk.csv': {
    format: 'aim-csv',
    fixes: 11_967,
    clock: 'local',
    laps: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  },
  'racechrono_ovrley_20260713.rcz': { format: 'racechrono-rcz', fixes: 265, clock: 'utc', laps: [1, 2] },
  'racechrono_jlynx_race2_lap6.rcz': { format: 'racechrono-rcz', fixes: 115, clock: 'utc', laps: [6] },
  'aim-xrk_adria-kart.xrk': {
    format: 'aim-xrk',
    fixes: 4749,
    clock: 'utc',
    laps: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  },
  'vbb_brake-stop.vbb': { format: 'vbb', fixes: 8582, clock: 'utc', laps: [] },
  'qstarz-bin_bl-1000.BIN': { format: 'qstarz-bin', fixes: 45, clock: 'utc', laps: [] },
  'motec-ld_jlynx-short.ld': { format: 'motec-ld', fixes: 21, clock: 'local', laps: [] },
  'iracing-ibt_red-bull-ring.ibt': { format: 'iracing-ibt', fixes: 390, clock: 'utc', laps: [] },
  'gauges_cota.csv': { format: 'gauge-s-csv', fixes: 13_743, clock: 'local', laps: [] },
  'torquepro_roaddrive_2022-06-24.csv': { format: 'torque-csv', fixes: 2524, clock: 'utc', laps: [] },
  'vesc_tool_ride.csv': { format: 'vesc-csv', fixes: 32, clock: 'time_of_day', laps: [] },
  'katana_2026-07-25.csv': { format: 'generic-csv', fixes: 366, clock: 'local', laps: [] },
  'neg_airdata_drone_flight.csv': { format: 'generic-csv', fixes: 1561, clock: 'elapsed', laps: [] },
  'neg_gpx_komoot_bike-ride.gpx': { format: 'gpx', fixes: 798, clock: 'utc', laps: [] },
  'gpx10_harrys_streets-of-willow-cw_2016-08-14.gpx': { format: 'gpx', fixes: 843, clock: 'utc' },
  'gpx11_polar_kart-conil_2023-09-16.gpx': { format: 'gpx', fixes: 902, clock: 'utc' },
  'gpx11_racekeeper_mettet.gpx': { format: 'gpx', fixes: 50, clock: 'utc' },
  'gpx_racebox_ovrley_2026-07-26.gpx': { format: 'gpx', fixes: 33_381, clock: 'utc' },
  'gpx_racebox_raceplex_eskate.gpx': { format: 'gpx', fixes: 3628, clock: 'utc' },
  'derived/mcg_Carole.csv': { format: 'generic-csv', fixes: 9091, clock: 'utc' },
  'derived/mcg_Carole.gpx': { format: 'gpx', fixes: 9091, clock: 'utc' },
  'derived/mcg_Portimao.csv': { format: 'generic-csv', fixes: 7167, clock: 'utc' },
  'derived/mcg_Portimao.gpx': { format: 'gpx', fixes: 7167, clock: 'utc' },
  'gpx-edge/gpxpy_gpx1.0_with_all_fields.gpx': { format: 'gpx', fixes: 1, clock: 'local' },
  'gpx-edge/gpxpy_track-with-empty-segment.gpx': { format: 'gpx', fixes: 9, clock: 'utc' },
  'gpx-edge/gpxpy_track-with-less-sec-time.gpx': { format: 'gpx', fixes: 2, clock: 'utc' },
  'gpx-edge/gpxpy_track_with_speed.gpx': { format: 'gpx', fixes: 3, clock: 'utc' },
  'gpx-edge/togeojson_apple_watch_route.gpx': { format: 'gpx', fixes: 44, clock: 'utc' },
  'gpx-edge/togeojson_missing_hr.gpx': { format: 'gpx', fixes: 16, clock: 'utc' },
  'gpx-edge/togeojson_multitrackgpx.gpx': { format: 'gpx', fixes: 117, clock: 'utc' },
  'gpx-edge/togeojson_run_gpxtpx.gpx': { format: 'gpx', fixes: 42, clock: 'utc' },
};

const UNREADABLE: Record<string, RegExp> = {
  'motec-ld_sample1.ld': /MoTeC log has no channels with GPS/,
  'racebox_ovrley_2026-07-26_kml.csv': /KML file has no times/,
  'polar-csv_kart-conil_2023-09-16.csv': /no columns with latitudes/,
  'harrys-lapdb_streets-of-willow-cw_2016-08-14.csv': /no columns with latitudes/,
  'doves_tracks.zip': /JSON|ZIP archive/,
  'gpx-edge/gpxpy_cerknicko-without-times.gpx': /no times/,
  'gpx-edge/gpxpy_track-with-small-floats.gpx': /no times/,
  'gpx-edge/gpxpy_custom_schema_locations.gpx': /no track points/,
  'gpx-edge/gpxpy_gpx1.1_with_extensions.gpx': /single waypoints/,
  'gpx-edge/gpxpy_unicode_with_bom.gpx': /single waypoints/,
};

describe.skipIf(folder === undefined)(
  'real lap files (skipped unless LAP_SAMPLES names their folder)',
  () => {
    test.each(Object.entries(READABLE))('%s is read', (name, { format, fixes, clock, laps }) => {
      const file = read(name);
      expect({ format: file.format, fixes: file.fixes.length, clock: file.clock }).toEqual({
        format,
        fixes,
        clock,
      });
      if (laps !== undefined) expect(file.loggerLaps.map((lap) => lap.number)).toEqual(laps);
    });

    test.each(Object.entries(UNREADABLE))('%s is refused in words', (name, sentence) => {
      expect(() => read(name)).toThrow(UnreadableLapFileError);
      expect(() => read(name)).toThrow(sentence);
    });

    test.each([
      'racechrono-v1_moriring.csv',
      'racechrono-v2_hutchinson-island.csv',
      'racechrono-v3_tianma_lap9.csv',
      'racechrono-v3_jlynx_race2_lap6.csv',
    ])('the laps of %s are the official ones to a hundredth of a millisecond', (name) => {
      const laps = read(name).loggerLaps;
      for (const { n, timeMs, timeMsExact = timeMs } of truthOf(name)) {
        expect(laps.find((lap) => lap.number === n)?.lapTimeMs).toBeCloseTo(timeMsExact, 2);
      }
    });

    test.each([
      ['racechrono_jlynx_race2_lap6.rcz', 'racechrono-v3_jlynx_race2_lap6.csv'],
      ['racechrono_ovrley_20260713.rcz', 'racechrono-v1_moriring.csv'],
    ])('the laps of the session %s are those of its export %s to the millisecond', (session, csv) => {
      const [laps, exported] = [session, csv].map((name) => read(name).loggerLaps);
      expect(laps?.map(({ number }) => number)).toEqual(exported?.map(({ number }) => number));
      for (const [index, lap] of (laps ?? []).entries())
        expect(Math.abs(lap.lapTimeMs - (exported?.[index]?.lapTimeMs ?? 0))).toBeLessThan(1);
      for (const { lapTimeMs, uncertaintyMs } of timeOnOwnLine(openLapFile(bytesOf(session), inflateLapFile))
        .laps) {
        const nearest = Math.min(...(laps ?? []).map((lap) => Math.abs(lap.lapTimeMs - lapTimeMs)));
        expect(nearest).toBeLessThan(Math.min(10, uncertaintyMs));
      }
    });

    test('the laps of TrackAddict are the official ones, without the out lap', () => {
      const name = 'trackaddict_stc_2019.csv';
      const official = truthOf(name).filter((lap) => lap.n > 0);
      expect(read(name).loggerLaps.map((lap) => ({ n: lap.number, timeMs: lap.lapTimeMs }))).toEqual(
        official.map(({ n, timeMs }) => ({ n, timeMs })),
      );
    });

    test('TrackAddict repeats positions in most of its rows, and all of them are counted', () => {
      expect(read('trackaddict_stc_2019.csv').dropped).toEqual({ held_position: 24_034 });
    });

    test('the beacon markers of AiM give the official laps to the millisecond, without those that are not whole', () => {
      for (const name of ['aim-rs3_doves_fixture.csv', 'derived/aim-rs3-style_adria-kart_from-xrk.csv']) {
        expect(read(name).loggerLaps.map((lap) => Math.round(lap.lapTimeMs))).toEqual(
          truthOf(name).map(({ timeMs }) => timeMs),
        );
      }
    });

    test('the lap column of Lap Legend gives its laps to one row', () => {
      const name = 'laplegend_pueblo.csv';
      const laps = read(name).loggerLaps;
      for (const { n, timeMs } of truthOf(name)) {
        expect(Math.abs((laps.find((lap) => lap.number === n)?.lapTimeMs ?? 0) - timeMs)).toBeLessThanOrEqual(
          40,
        );
      }
    });

    test.each([
      ...['08-14', '11-27'].map((day) => `harrys-csv_streets-of-willow-cw_2016-${day}.csv`),
      'harrys-csv_streets-of-willow-ccw_2016-09-03.csv',
      'harrys-csv_streets-of-willow-cw_2017-02-12.csv',
      'harrys-csv_willow-springs-big_2016-11-20.csv',
      'harrys-csv_buttonwillow_2016-11-25.csv',
      'dovex_okc_tillotson.dovex',
      'racecapture-mk1_predictive_test.log',
      'racecapture_sonoma.log',
    ])('the laps that the device wrote into %s are the official ones', (name) => {
      const laps = new Map(read(name).loggerLaps.map((lap) => [lap.number, lap.lapTimeMs]));
      for (const { n, timeMs } of truthOf(name)) expect(laps.get(n)).toBe(timeMs);
    });

    test('one drive that RaceBox has exported as CSV, VBO and GPX takes as long in each', () => {
      const name = 'racebox_ovrley_2026-07-26';
      const [csv, vbo, gpx] = [`${name}_standard.csv`, `vbo_${name}_standard.vbo`, `gpx_${name}.gpx`].map(
        (file) => read(file).fixes.timesMs,
      );
      const differences = (csv ?? []).map((timeMs, index) => {
        const since = (times: Float64Array = new Float64Array()) => (times[index] ?? 0) - (times[0] ?? 0);
        expect(Math.abs(since(vbo) - since(csv))).toBeLessThan(0.01);
        return Math.abs(since(gpx) - (timeMs - (csv?.[0] ?? 0)));
      });
      // GPX cuts its stamps to whole milliseconds.
      expect(Math.max(...differences)).toBeLessThan(2);
    });

    test('what a receiver says of its own rate is kept', () => {
      expect(read('racechrono-v3_jlynx_race2_lap6.csv').receiverRateHz).toBe(1);
      expect(read('racechrono-v3_tianma_lap9.csv').receiverRateHz).toBe(25);
      expect(read('racechrono-v2_hutchinson-island.csv').receiverRateHz).toBe(25);
      expect(read('vbo_vbox_modena.vbo').receiverRateHz).toBe(25);
    });

    test('CSV and GPX of one drive hold the same fixes', () => {
      const [csv, gpx] = [read('derived/mcg_Carole.csv').fixes, read('derived/mcg_Carole.gpx').fixes];
      expect(gpx.timesMs).toEqual(csv.timesMs);
      expect(gpx.lats).toEqual(csv.lats);
      expect(gpx.lons).toEqual(csv.lons);
    });

    test('segments and missing ones become parts', () => {
      expect(read('gpx10_harrys_streets-of-willow-cw_2016-08-14.gpx').partStarts).toHaveLength(9);
      expect(read('gpx-edge/gpxpy_track-with-empty-segment.gpx').partStarts).toEqual([0]);
    });

    test('speeds without a unit come out as metres per second of a car', () => {
      const speeds = read('racebox_ovrley_2026-07-26_standard.csv').fixes.speedsMetersPerSecond.toSorted();
      expect(speeds.at(-1)).toBeGreaterThan(30);
      expect(speeds.at(-1)).toBeLessThan(36);
    });

    test('no file at all makes the reader fail in another way than with its one error', () => {
      const root = join(folder ?? '', 'lap-files');
      const names = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      expect(names.length).toBeGreaterThan(20);
      for (const entry of names) {
        try {
          const file = readLapFile(readFileSync(join(entry.parentPath, entry.name)), inflateLapFile);
          expect(listFormatNames()).toContain(file.format);
          expect(file.fixes.timesMs.every(Number.isFinite)).toBe(true);
        } catch (error) {
          if (!(error instanceof UnreadableLapFileError)) throw error;
          expect(error.message).toMatch(/^This .*\.$/);
        }
      }
    });
  },
);
