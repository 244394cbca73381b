import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { streamDrive, getStreamKind, type StreamOptions } from '#engine/testing/write-streams.ts';
import { createDecoder } from './decode-stream.ts';
import { STREAM_KINDS, type LiveFix, type StreamChunk } from './live-fix.ts';
import { RACECHRONO_TIME } from './racechrono-decoder.ts';

const whole = simulateDrive(KART_TRACK, {
  seed: 3,
  laps: 1,
  startTimeMs: Date.UTC(2026, 4, 16, 9, 59, 50),
  receiver: { rateHz: 25, timeStampStepMs: 10 },
});
const drive = { ...whole, fixes: whole.fixes.slice(0, 600) };
const KINDS: StreamOptions['kind'][] = [
  'racebox',
  'ubx',
  'nmea',
  'serial-nmea',
  'serial-ubx',
  'racechrono-diy',
  'qstarz',
  'phone',
];

function decode(kind: StreamOptions['kind'], chunks: readonly StreamChunk[]): LiveFix[] {
  const decoder = createDecoder(getStreamKind(kind));
  return chunks.flatMap((chunk) => decoder.feed(chunk));
}

function parseHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(/\s/g, ''), 'hex'));
}

describe.each(KINDS)('a stream of %s', (kind) => {
  test.each([1, 20, 97, 244])('gives every fix, cut into pieces of up to %i bytes', (mostBytes) => {
    const fixes = decode(kind, streamDrive(drive, { kind, seed: 5, mostBytes }));
    // A receiver of sentences has to be watched once before the end of a fix is known, and the last one may wait.
    expect(fixes.length).toBeGreaterThanOrEqual(drive.fixes.length - 1);
    for (const [index, fix] of fixes.entries()) {
      const driven = drive.fixes[index];
      expect(fix.timeMs).toBeCloseTo(driven?.timeMs ?? 0, 1);
      expect(fix.latitude).toBeCloseTo(driven?.lat ?? 0, 6);
      expect(fix.longitude).toBeCloseTo(driven?.lon ?? 0, 6);
      expect(fix.speedMetersPerSecond).toBeCloseTo(driven?.speedMetersPerSecond ?? 0, 1);
    }
  });

  test('a fix is there as soon as its own bytes are', () => {
    for (const { arrivalMs, timeMs } of decode(kind, streamDrive(drive, { kind, seed: 5 })).slice(2))
      // Messages are joined with later ones in the simulated radio, up to some fixes.
      expect(arrivalMs - (timeMs ?? 0)).toBeLessThan(600);
  });

  test('goes on after lost, flipped and foreign bytes', () => {
    const damage = fc.record({
      at: fc.nat(200),
      kind: fc.constantFrom('lost', 'flipped', 'foreign'),
      foreign: fc.uint8Array({ maxLength: 300 }),
    });
    const sent = streamDrive(drive, { kind, seed: 5, mostBytes: 60 });
    fc.assert(
      fc.property(damage, ({ at, kind: harm, foreign }) => {
        const chunks = [...sent];
        const hit = chunks[at];
        if (hit === undefined) return;
        if (harm === 'lost') chunks.splice(at, 1);
        else if (harm === 'foreign') chunks.splice(at, 0, { ...hit, bytes: foreign });
        else chunks[at] = { ...hit, bytes: hit.bytes.map((byte) => byte ^ 0x55) };
        const fixes = decode(kind, chunks);
        expect(fixes.length).toBeGreaterThan(drive.fixes.length - 60);
        expect(fixes.at(-1)?.latitude).toBeCloseTo(drive.fixes.at(-1)?.lat ?? 0, 4);
      }),
      { numRuns: 20 },
    );
  });
});

test('the example of the maker of RaceBox', () => {
  const [fix, ...others] = decode('racebox', [
    {
      arrivalMs: 1000,
      bytes:
        parseHex(`B562FF015000 A0E70C07 E607 01 0A 08 33 08 37 19000000 2AAD4D0E 03 01 EA 0B C693E10D 3B376F19
        618C0900 0F010900 9C030000 2C070000 23000000 00000000 D0000000 88A9DD00 2C01 00 59 FDFF 7100 CE03
        2FFF 5600 FCFF 06DB`),
    },
  ]);
  expect(others).toEqual([]);
  expect(fix).toMatchObject({
    latitude: 42.671_903_5,
    longitude: 23.288_723_8,
    accuracyMeters: 0.924,
    speedMetersPerSecond: 0.035,
    speedAccuracyMetersPerSecond: 0.208,
    satellites: 11,
    fixKind: '3d',
    batteryPercent: 89,
    isCharging: false,
    arrivalMs: 1000,
  });
  expect(fix?.timeMs).toBeCloseTo(Date.UTC(2022, 0, 10, 8, 51, 8) + 239.971_626, 3);
});

test('a RaceBox Micro tells the voltage of its supply in place of a battery', () => {
  const [chunk] = streamDrive(drive, { kind: 'racebox', seed: 1 });
  if (chunk === undefined) throw new Error('Nothing was sent.');
  const chunks = streamDrive(drive, { kind: 'racebox', seed: 1 });
  const decoder = createDecoder('ubx', 'RaceBox Micro');
  const [fix] = chunks.flatMap((piece) => decoder.feed(piece));
  expect(fix).toMatchObject({ batteryPercent: null, isCharging: null, batteryVolts: 8.9 });
});

test('packets of a Qstarz, with and without a fix', () => {
  const pieces = [
    '01547801 00000000 00000080 00000000 00000080',
    '85f2de60 61a6fd3f 00000000 14aeca42 6800a9ff',
    '46001400 00000000 00000000 0d00003c 00000000',
    '05460300 3b000041 0c001300 00551100 b00000',
    '0354c800 cd94d6df 8a91a340 821e6adb 2eadc740',
    '86f2de60 3a924340 10c89943 ec51c842 610077ff',
    '72001300 b81ee53f ec51783f 0d05013c 0000',
  ].map((hex) => ({ bytes: parseHex(hex), arrivalMs: 7 }));
  const [without, fix, ...others] = decode('qstarz', pieces);
  expect(others).toEqual([]);
  expect(without).toMatchObject({ fixKind: 'none', latitude: null, timeMs: null, batteryPercent: 60 });
  expect(fix).toMatchObject({
    fixKind: '3d',
    timeMs: 1_625_223_814_200,
    satellites: 5,
    batteryPercent: 60,
  });
  expect(fix?.latitude).toBeCloseTo(25.079_520_65, 8);
  expect(fix?.longitude).toBeCloseTo(121.372_767_85, 8);
  expect(fix?.speedMetersPerSecond).toBeCloseTo(3.0558 / 3.6, 4);
});

test('a fix of RaceChrono waits for its hour, and goes on without a time where none comes', () => {
  const chunks = streamDrive(drive, { kind: 'racechrono-diy', seed: 1 });
  const [first] = chunks;
  if (first === undefined) throw new Error('Nothing was sent.');
  const decoder = createDecoder('racechrono-diy');
  expect(decoder.feed(first)).toEqual([]);
  const hour = chunks.find(({ channel }) => channel === RACECHRONO_TIME);
  expect(decoder.feed(hour ?? first).map(({ timeMs }) => timeMs)).toEqual([drive.fixes[0]?.timeMs]);
  const alone = createDecoder('racechrono-diy');
  const fixes = chunks
    .filter(({ channel }) => channel !== RACECHRONO_TIME)
    .flatMap((chunk) => alone.feed(chunk));
  expect(fixes.length).toBeGreaterThan(500);
  expect(fixes.every(({ timeMs, latitude }) => timeMs === null && latitude !== null)).toBe(true);
});

function sentence(text: string): Uint8Array {
  const sum = [...text].reduce((total, character) => total ^ character.charCodeAt(0), 0);
  return new TextEncoder().encode(`$${text}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`);
}

function gga(time: string): Uint8Array {
  return sentence(`GPGGA,${time},4807.000,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,`);
}

function gst(time: string, errors: string): Uint8Array {
  return sentence(`GNGST,${time},1.2,,,,${errors},4.1`);
}

test('sentences without a date are of the day that the phone has', () => {
  const arrivalMs = Date.UTC(2026, 4, 17, 0, 0, 1);
  const chunks = ['235959.90', '000000.00', '000000.10'].map((time) => ({ bytes: gga(time), arrivalMs }));
  const times = decode('nmea', chunks).map(({ timeMs }) => timeMs);
  expect(times).toEqual([arrivalMs - 1100, arrivalMs - 1000, arrivalMs - 900]);
});

test('the accuracy of a sentence GST counts until the next one, and for two seconds at most', () => {
  const chunks = [
    gga('120000.00'),
    gst('120000.00', '0.6,0.8'),
    gga('120000.50'),
    gga('120001.00'),
    gst('120001.00', ','),
    gga('120001.50'),
    gst('120001.50', '3.0,4.0'),
    gga('120004.00'),
  ].map((bytes) => ({ bytes, arrivalMs: Date.UTC(2026, 4, 17, 12) }));
  const accuracies = decode('nmea', chunks).map(({ accuracyMeters }) => accuracyMeters);
  expect(accuracies).toEqual([1, 1, 1, null, null]);
});

test.each(STREAM_KINDS)('a flood of any bytes leaves a decoder of %s small and well', (kind) => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 600 }), { maxLength: 60 }),
      fc.nat(1),
      (pieces, channel) => {
        const decoder = createDecoder(kind);
        for (const bytes of pieces) {
          for (const fix of decoder.feed({ bytes, arrivalMs: 1_779_000_000_000, channel }))
            for (const value of Object.values(fix))
              expect(typeof value !== 'number' || Number.isFinite(value)).toBe(true);
        }
      },
    ),
    { numRuns: 60 },
  );
  const decoder = createDecoder(kind);
  const flood = new Uint8Array(200_000).map((_, index) => (index % 3 === 0 ? 0xb5 : 0x62));
  for (let piece = 0; piece < 20; piece += 1) decoder.feed({ bytes: flood, arrivalMs: 1 });
  const text = new Uint8Array(200_000).fill(0x24);
  expect(() => decoder.feed({ bytes: text, arrivalMs: 1 })).not.toThrow();
});
