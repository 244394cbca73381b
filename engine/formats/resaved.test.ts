import { expect, test } from 'vitest';
import { simulateDrive } from '../simulation/drive.ts';
import { KART_TRACK } from '../testing/kart-track.ts';
import { DEVICE_WRITERS } from '../testing/write-devices.ts';
import { writeGenericCsv } from '../simulation/write-generic-csv.ts';
import { LOGGER_WRITERS } from '../testing/write-loggers.ts';
import { writeRaceChronoV3 } from '../simulation/write-racechrono.ts';
import { writeHeaderless } from '../testing/write-headerless.ts';
import { writeTrackAddict } from '../testing/write-trackaddict.ts';
import { readLapFile } from './recognise.ts';

const drive = simulateDrive(KART_TRACK, { seed: 5, laps: 2, receiver: { rateHz: 5, timeStampStepMs: 10 } });
const { nmea: _, ...tables } = DEVICE_WRITERS;
const WRITERS: Record<string, () => string> = {
  'racechrono-csv-v3': () => writeRaceChronoV3(drive, { sensorRateHz: 10 }),
  'trackaddict-csv': () => writeTrackAddict(drive),
  'generic-csv': () => writeGenericCsv(drive),
  ...Object.fromEntries(
    Object.entries({ ...LOGGER_WRITERS, ...tables }).map(([format, write]) => [format, () => write(drive)]),
  ),
};

/** Saves a table as a spreadsheet on a German computer does: no quotes, semicolons, decimal commas, all rows equally wide. */
function resave(text: string): string {
  const lines = text.split(/\r?\n/);
  const separator = lines.filter((line) => line.includes(';')).length > lines.length / 2 ? ';' : ',';
  const rows = lines.map((line) =>
    (
      line.match(
        new RegExp(`("[^"]*"[^${separator}]*)+|[^${separator}]+|(?<=${separator}|^)(?=${separator}|$)`, 'g'),
      ) ?? []
    )
      .map((cell) => cell.replaceAll('"', ''))
      .map((cell) => (/^-?\d+\.\d+$/.test(cell) ? cell.replace('.', ',') : cell)),
  );
  const width = Math.max(...rows.map((cells) => cells.length));
  return rows.map((cells) => [...cells, ...Array(width - cells.length).fill('')].join(';')).join('\r\n');
}

/** Saves a table with commas between its cells as online spreadsheets of many languages do: numbers with decimal commas in quotes. */
function resaveInQuotes(text: string): string {
  return text.replaceAll(/(?<=^|,)-?\d+\.\d+(?=,|\r?$)/gm, (cell) => `"${cell.replace('.', ',')}"`);
}

test.each(Object.entries(WRITERS).filter(([, write]) => !write().includes(';')))(
  '%s is read as before with decimal commas in quotes',
  (format, write) => {
    const before = readLapFile(new TextEncoder().encode(write()));
    const after = readLapFile(new TextEncoder().encode(resaveInQuotes(write())));
    expect({ format: after.format, clock: after.clock }).toEqual({ format, clock: before.clock });
    expect(after.fixes).toEqual(before.fixes);
    expect(after.loggerLaps).toEqual(before.loggerLaps);
  },
);

test.each([...Object.entries(WRITERS), ['headerless-csv', () => writeHeaderless(drive)] as const])(
  '%s is read as before below a line that names the separator',
  (_, write) => {
    const before = readLapFile(new TextEncoder().encode(write()));
    expect(readLapFile(new TextEncoder().encode(`sep=,\r\n${write()}`))).toEqual(before);
  },
);

test.each(Object.entries(WRITERS))(
  '%s is read as before below a line that somebody has added',
  (_, write) => {
    const before = readLapFile(new TextEncoder().encode(write()));
    expect(readLapFile(new TextEncoder().encode(`# exported by me\n${write()}`))).toEqual(before);
  },
);

test.each(Object.entries(WRITERS))(
  '%s is read as before when a spreadsheet has saved it again',
  (format, write) => {
    const before = readLapFile(new TextEncoder().encode(write()));
    const after = readLapFile(new TextEncoder().encode(`\ufeff${resave(write())}`));
    expect(before.format).toBe(format);
    expect({ format: after.format, clock: after.clock }).toEqual({ format, clock: before.clock });
    expect(after.fixes.timesMs).toEqual(before.fixes.timesMs);
    expect(after.fixes.lats).toEqual(before.fixes.lats);
    expect(after.fixes.lons).toEqual(before.fixes.lons);
    expect(after.loggerLaps).toEqual(before.loggerLaps);
  },
);
