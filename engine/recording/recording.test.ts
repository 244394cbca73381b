import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLapFile } from '#engine/formats/recognise.ts';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { recordDrive, streamDrive } from '#engine/testing/write-streams.ts';
import { openFixes, openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { readRecording } from './read-recording.ts';
import { RecordingWriter } from './write-recording.ts';

const drive = simulateDrive(KART_TRACK, { seed: 12, laps: 3, receiver: { rateHz: 10, timeStampStepMs: 1 } });
const file = recordDrive(drive, { kind: 'racebox', seed: 1, model: 'RaceBox Mini S' });
const chunks = streamDrive(drive, { kind: 'racebox', seed: 1 });

function readPayloads(bytes: Uint8Array): number[] {
  const payloads: number[] = [];
  readRecording(bytes, { chunk: (chunk) => payloads.push(...chunk.bytes) });
  return payloads;
}

test('keeps every byte with its arrival', () => {
  const kept: { bytes: number[]; arrivalMs: number }[] = [];
  const read = readRecording(file, {
    chunk: ({ bytes, arrivalMs }) => kept.push({ bytes: [...bytes], arrivalMs }),
  });
  expect(read).toMatchObject({
    header: { stream: 'ubx', model: 'RaceBox Mini S' },
    isIntact: true,
    isEnded: true,
    chunkCount: chunks.length,
    holeCount: 0,
  });
  expect(kept).toEqual(chunks.map(({ bytes, arrivalMs }) => ({ bytes: [...bytes], arrivalMs })));
});

test.each(['racebox', 'ubx', 'nmea', 'serial-nmea', 'racechrono-diy', 'qstarz', 'phone'] as const)(
  'a recording of %s gives the laps that were driven',
  (kind) => {
    const laps = timeLaps(openLapFile(recordDrive(drive, { kind, seed: 2 })), KART_TRACK).laps.filter(
      isRanking,
    );
    expect(laps).toHaveLength(3);
    for (const [index, lap] of laps.entries())
      expect(Math.abs(lap.lapTimeMs - (drive.trueLaps[index]?.lapTimeMs ?? 0))).toBeLessThan(15);
  },
);

test('finds a torn end, a flipped byte and a lost block, and keeps everything before', () => {
  const all = readPayloads(file);
  fc.assert(
    fc.property(fc.nat(file.length - 200), fc.constantFrom('torn', 'flipped', 'lost'), (offset, harm) => {
      const at = 150 + offset;
      const broken =
        harm === 'torn'
          ? file.slice(0, at)
          : harm === 'flipped'
            ? file.map((byte, index) => (index === at ? byte ^ 4 : byte))
            : Uint8Array.of(...file.subarray(0, at), ...file.subarray(at + 40));
      const read = readRecording(broken);
      const kept = readPayloads(broken);
      expect(kept).toEqual(all.slice(0, kept.length));
      expect(read?.state.lengthBytes).toBeLessThanOrEqual(at);
      // A block is 258 bytes long at most.
      expect(read?.state.lengthBytes).toBeGreaterThan(at - 300);
      expect(read?.isIntact === true && read.isEnded).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test('goes on after it was torn, with a hole', () => {
  const torn = file.subarray(0, Math.floor(file.length / 2) + 3);
  const read = readRecording(torn);
  if (read === null) throw new Error('The beginning is intact.');
  const writer = RecordingWriter.resume(read.state);
  const later = read.lastArrivalMs + 4000;
  const joined = Uint8Array.of(
    ...torn.subarray(0, read.state.lengthBytes),
    ...writer.hole(later),
    ...chunks.filter(({ arrivalMs }) => arrivalMs >= later).flatMap((chunk) => [...writer.chunk(chunk)]),
    ...writer.end(later),
  );
  expect(readRecording(joined)).toMatchObject({ isIntact: true, isEnded: true, holeCount: 1 });
  const { trace } = openLapFile(joined);
  expect(trace.partStarts).toHaveLength(2);
});

test('no crossing is found across a hole, however short it is', () => {
  const [first] = drive.trueLaps;
  const crossingMs = (first?.startTimeMs ?? 0) + (first?.lapTimeMs ?? 0);
  const { writer, bytes } = RecordingWriter.start({
    stream: 'ubx',
    model: null,
    startedAtMs: crossingMs - 60_000,
  });
  const parts = [bytes];
  let isLost = false;
  for (const chunk of streamDrive(drive, { kind: 'racebox', seed: 4, delayMs: 0 })) {
    if (Math.abs(chunk.arrivalMs - crossingMs) > 700) parts.push(writer.chunk(chunk));
    else if (!isLost) {
      isLost = true;
      parts.push(writer.hole(chunk.arrivalMs));
    }
  }
  const opened = openLapFile(Uint8Array.from(parts.flatMap((part) => [...part])));
  const starts = timeLaps(opened, KART_TRACK).laps.map(({ startTimeMs }) => startTimeMs);
  expect(starts.some((startMs) => Math.abs(startMs - crossingMs) < 1000)).toBe(false);
  const bridged = openFixes({ ...readLapFile(file), holeTimesMs: [] });
  expect(
    timeLaps(bridged, KART_TRACK).laps.some((lap) => Math.abs(lap.startTimeMs - crossingMs) < 1000),
  ).toBe(true);
});

test('a damaged header and any other bytes are refused in a sentence', () => {
  const broken = file.map((byte, index) => (index === 20 ? byte ^ 1 : byte));
  expect(readRecording(broken)).toBeNull();
  expect(() => readLapFile(broken)).toThrow(/^This recording is damaged/);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      const read = readRecording(Uint8Array.of(...file.subarray(0, 8), ...bytes));
      expect(read).toBeNull();
    }),
  );
});

test('a name of the receiver in any script is kept', () => {
  const header = { stream: 'nmea', model: 'Empfänger 東', startedAtMs: 1 } as const;
  expect(readRecording(RecordingWriter.start(header).bytes)?.header).toEqual(header);
});
