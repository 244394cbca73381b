import { describe, expect, test } from 'vitest';
import { simulateDrive } from './simulation/drive.ts';
import { seededRandom } from './simulation/random.ts';
import { shuffle } from './testing/shuffle.ts';
import { FORMAT_WRITERS } from './testing/format-writers.ts';
import { KART_TRACK } from './testing/kart-track.ts';
import { openLapFile, timeLaps, timeOnOwnLine } from './time-lap-file.ts';
import type { Lap } from './timing/laps.ts';

/**
 * One file of every format, changed in ways that leave its laps as they are (line ends, encodings, separators) or take some of them away
 * (cuts, rows in another order): whatever remains must be the same.
 */
const drive = simulateDrive(KART_TRACK, {
  seed: 8,
  laps: 2,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 30),
  receiver: { rateHz: 10, timeStampStepMs: 1, coordinateDecimals: 7 },
});

function wholeLaps(laps: readonly Lap[]): [number, number, string][] {
  return laps
    .filter(({ status }) => status !== 'incomplete')
    .map(({ lapTimeMs, uncertaintyMs, status }) => [lapTimeMs, uncertaintyMs, status]);
}

/** Returns the laps over the line of the track, and those that the logger has timed or that lie on its own line. */
function lapsIn(bytes: Uint8Array): {
  onTrack: [number, number, string][];
  ofLogger: [number, number, string][];
} {
  const file = openLapFile(bytes);
  return {
    onTrack: wholeLaps(timeLaps(file, KART_TRACK).laps),
    ofLogger: wholeLaps(timeOnOwnLine(file).laps),
  };
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function utf16(text: string, isBigEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index += 1)
    view.setUint16(2 * index, text.charCodeAt(index), !isBigEndian);
  return bytes;
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const LOSSLESS: Record<string, (text: string) => Uint8Array> = {
  'Windows line ends': (text) => utf8(text.replaceAll(/\r?\n/g, '\r\n')),
  'Unix line ends': (text) => utf8(text.replaceAll('\r\n', '\n')),
  'line ends of old Macs': (text) => utf8(text.replaceAll(/\r?\n/g, '\r')),
  'line ends of both kinds': (text) => {
    let line = 0;
    return utf8(text.replaceAll(/\r?\n/g, () => (line++ % 3 === 0 ? '\r\n' : '\n')));
  },
  'blank lines at its end': (text) => utf8(`${text}\n\r\n\n`),
  'UTF-8 with a mark': (text) => utf8(`\ufeff${text.replace(/^\ufeff/, '')}`),
  'UTF-16, little end first': (text) => utf16(`\ufeff${text.replace(/^\ufeff/, '')}`, false),
  'UTF-16, big end first': (text) => utf16(`\ufeff${text.replace(/^\ufeff/, '')}`, true),
  'UTF-16 without a mark': (text) => utf16(text.replace(/^\ufeff/, ''), false),
  'windows-1252': (text) => latin1(text.replace(/^\ufeff/, '')),
};

const FORMATS = Object.keys(FORMAT_WRITERS);

function writtenIn(format: string): string {
  const write = FORMAT_WRITERS[format];
  if (write === undefined) throw new Error(`There is no writer of ${format}.`);
  return write(drive);
}

/** Their rows have no times. */
const ROWS_ARE_THE_CLOCK = ['speedangle-sa'];
/** The last row of a lap has its time, so that the logger's own time of a lap that was cut is as long as what is left of it. */
const ROWS_TELL_LAP_TIMES = ['harrys-csv'];

/** Splits a file into preamble, header and the first rows; the other rows; what ends the file. */
function splitRows(text: string): [head: string[], rows: string[], tail: string[]] {
  const lines = text.trimEnd().split('\n');
  return [lines.slice(0, HEAD_LINES), lines.slice(HEAD_LINES, -TAIL_LINES), lines.slice(-TAIL_LINES)];
}

const HEAD_LINES = 40;
const TAIL_LINES = 2;

/** The noise of a recording, and with it the ±, is estimated from what is there. */
function expectAmong(
  laps: readonly [number, number, string][],
  known: readonly [number, number, string][],
): void {
  for (const [lapTimeMs, , status] of laps) {
    if (status === 'rejected') continue;
    expect(Math.min(...known.map(([knownMs]) => Math.abs(knownMs - lapTimeMs)))).toBeLessThan(1);
  }
}

describe.each(FORMATS)('%s', (format) => {
  const text = writtenIn(format);
  const expected = lapsIn(utf8(text));
  const [head, rows, tail] = splitRows(text);

  test.each(Object.entries(LOSSLESS))('has the same laps with %s', (_, change) => {
    expect(lapsIn(change(text))).toEqual(expected);
  });

  test('has the laps of the track', () => {
    expect(expected.onTrack.map(([, , status]) => status)).toEqual(drive.trueLaps.map(() => 'valid'));
  });

  test('has every lap once when it was pasted twice', () => {
    expect(lapsIn(utf8(text + text))).toEqual(expected);
  });

  test.skipIf(ROWS_ARE_THE_CLOCK.includes(format))(
    'has every lap once when its rows were pasted twice',
    () => {
      const { onTrack, ofLogger } = lapsIn(utf8([...head, ...rows, ...rows, ...tail].join('\n')));
      expect(onTrack).toEqual(expected.onTrack);
      if (!ROWS_TELL_LAP_TIMES.includes(format)) expect(ofLogger).toEqual(expected.ofLogger);
    },
  );

  test('has no other laps when it was cut off', () => {
    for (const share of [0.35, 0.65, 0.9]) {
      const count = Math.floor(share * rows.length);
      const { onTrack, ofLogger } = lapsIn(utf8([...head, ...rows.slice(0, count)].join('\n')));
      expectAmong(onTrack, expected.onTrack);
      if (!ROWS_TELL_LAP_TIMES.includes(format)) expectAmong(ofLogger, expected.ofLogger);
    }
  });

  test.skipIf(ROWS_ARE_THE_CLOCK.includes(format))(
    'has no other laps when its rows are in random order',
    () => {
      const shuffled = shuffle(rows, seededRandom(2));
      const { onTrack, ofLogger } = lapsIn(utf8([...head, ...shuffled, ...tail].join('\n')));
      expectAmong(onTrack, expected.onTrack);
      expectAmong(ofLogger, expected.ofLogger);
    },
  );
});
