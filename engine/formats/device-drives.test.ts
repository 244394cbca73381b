import { expect, test } from 'vitest';
import { simulateDrive } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { DEVICE_WRITERS } from '../testing/write-devices.ts';
import { openLapFile, timeLaps } from '../time-lap-file.ts';
import { readLapFile } from './recognise.ts';

const drive = simulateDrive(KART_TRACK, {
  seed: 23,
  laps: 3,
  receiver: { rateHz: 10, timeStampStepMs: 1, coordinateDecimals: 7 },
});

const CASES = Object.entries(DEVICE_WRITERS).map(([format, write]) => ({
  format,
  bytes: new TextEncoder().encode(write(drive)),
}));

test.each(CASES)('a simulated drive comes back whole from $format', ({ format, bytes }) => {
  const { format: found, clock, fixes, dropped } = readLapFile(bytes);
  expect({ found, clock, dropped }).toEqual({ found: format, clock: 'utc', dropped: {} });
  expect([...fixes.timesMs]).toEqual(drive.fixes.map((fix) => fix.timeMs));
  for (const [index, fix] of drive.fixes.entries()) {
    expect(fixes.lats[index]).toBeCloseTo(fix.lat, 8);
    expect(fixes.lons[index]).toBeCloseTo(fix.lon, 8);
    expect(fixes.speedsMetersPerSecond[index]).toBeCloseTo(fix.speedMetersPerSecond, 1);
  }
});

test.each(CASES)('its laps are timed right from $format', ({ bytes }) => {
  const { laps } = timeLaps(openLapFile(bytes), KART_TRACK);
  expect(laps.map((lap) => lap.status)).toEqual(['valid', 'valid', 'valid']);
  for (const [index, lap] of laps.entries())
    expect(Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(5);
});

/** Devices write their lap times this exactly; NMEA has none. */
const TOLERANCES_MS = { 'racecapture-log': 55, 'harrys-csv': 100, 'racebox-csv': 1, 'doves-csv': 1 };

test.each(Object.entries(TOLERANCES_MS))('the laps of the device are kept from %s', (format, toleranceMs) => {
  const bytes = CASES.find((candidate) => candidate.format === format)?.bytes ?? new Uint8Array();
  const times = readLapFile(bytes).loggerLaps.filter(({ number }) => number > 0);
  for (const [index, { lapTimeMs }] of drive.trueLaps.entries())
    expect(Math.abs((times[index]?.lapTimeMs ?? 0) - lapTimeMs)).toBeLessThanOrEqual(toleranceMs);
});
