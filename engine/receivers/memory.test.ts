import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulateDrive } from '#engine/simulation/drive.ts';
import { cutIntoNotifications, raceBoxMemory, raceBoxStatus } from '#engine/testing/fake-memory.ts';
import { KART_TRACK } from '#engine/testing/kart-track.ts';
import { ubxFrame } from '#engine/testing/write-ubx.ts';
import { openLapFile, timeLaps } from '#engine/time-lap-file.ts';
import { isRanking } from '#engine/timing/laps.ts';
import { DovesDownload, DovesList } from './doves-memory.ts';
import {
  RACEBOX_CANCEL_REQUEST,
  RACEBOX_DOWNLOAD_REQUEST,
  RACEBOX_STATUS_REQUEST,
  RaceBoxDownload,
  RaceBoxRequests,
  raceBoxUnlockRequest,
  splitRaceBoxDownload,
} from './racebox-memory.ts';

const receiver = { rateHz: 10, timeStampStepMs: 1 };
const drives = [
  simulateDrive(KART_TRACK, { seed: 1, laps: 2, receiver }),
  simulateDrive(KART_TRACK, { seed: 2, laps: 3, receiver, startTimeMs: Date.UTC(2026, 4, 17, 8) }),
];
const memory = raceBoxMemory(drives);
const stored = joined(memory.slice(1, -1));

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex').toUpperCase();
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Feeds pieces one every 10 ms; returns the bytes to keep. */
function feed(download: RaceBoxDownload, pieces: readonly Uint8Array[]): Uint8Array {
  return joined(pieces.map((piece, index) => download.feed(piece, 10 * index)));
}

test('requests are those of the description', () => {
  expect(hex(RACEBOX_STATUS_REQUEST)).toBe('B562FF2200002162');
  expect(hex(RACEBOX_DOWNLOAD_REQUEST)).toBe('B562FF2300002265');
  expect(hex(RACEBOX_CANCEL_REQUEST)).toBe('B562FF23010000238A');
  expect(hex(raceBoxUnlockRequest(0x01020304)).slice(0, 20)).toBe('B562FF30040004030201');
});

test('a status says how much there is, and whether a code is needed', () => {
  const [answer] = new RaceBoxRequests().feed(raceBoxStatus(4321, { isLocked: true }));
  expect(answer).toEqual({
    kind: 'status',
    status: { isRecording: false, usedPercent: 12, isLocked: true, recordCount: 4321, capacity: 100_000 },
  });
  const requests = new RaceBoxRequests();
  expect(requests.feed(ubxFrame(0xff02, Uint8Array.of(0xff, 0x30)))).toEqual([{ kind: 'unlocked' }]);
  expect(requests.feed(ubxFrame(0xff03, Uint8Array.of(0xff, 0x30)))).toEqual([
    { kind: 'refused', of: 'unlock' },
  ]);
});

test('a download gives every drive as a lap file with its laps, with progress and rest', () => {
  const download = new RaceBoxDownload();
  const pieces = cutIntoNotifications(memory, 1);
  const half = feed(download, pieces.slice(0, pieces.length / 2));
  const { progress } = download;
  expect(progress).toMatchObject({ phase: 'running', total: memory.length - 2, problem: null });
  expect(progress.received / (progress.total ?? 0)).toBeCloseTo(0.5, 1);
  expect(progress.bytesPerSecond).toBeGreaterThan(8000);
  // The second half takes as long as the first at this rate.
  expect(progress.remainingSeconds).toBeGreaterThan(0.003 * pieces.length);
  expect(progress.remainingSeconds).toBeLessThan(0.007 * pieces.length);
  const rest = feed(download, pieces.slice(pieces.length / 2));
  expect(download.progress).toMatchObject({ phase: 'done', received: memory.length - 2 });
  const files = splitRaceBoxDownload(joined([half, rest]));
  expect(files).toHaveLength(2);
  for (const [index, file] of files.entries()) {
    const laps = timeLaps(openLapFile(file), KART_TRACK).laps.filter(isRanking);
    expect(laps).toHaveLength(drives[index]?.trueLaps.length ?? 0);
  }
});

test('after a break anywhere the same bytes are there in the end, each once', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(100), (share, seed) => {
      const pieces = cutIntoNotifications(memory, seed, 180);
      const kept = feed(new RaceBoxDownload(), pieces.slice(0, Math.floor(share * (pieces.length - 1))));
      const again = new RaceBoxDownload(kept);
      const rest = feed(again, cutIntoNotifications(memory, seed + 1));
      expect(again.progress.phase).toBe('done');
      const whole = splitRaceBoxDownload(joined([kept, rest]));
      expect(whole.map(hex)).toEqual(splitRaceBoxDownload(stored).map(hex));
    }),
    { numRuns: 15 },
  );
});

test('another memory than the one that was kept is noticed', () => {
  const kept = feed(new RaceBoxDownload(), raceBoxMemory(drives.slice(1)).slice(0, 300));
  const download = new RaceBoxDownload(kept);
  feed(download, raceBoxMemory(drives.slice(0, 1)));
  expect(download.progress.phase).toBe('failed');
  expect(download.progress.problem).toMatch(/^The memory of the receiver has changed/);
});

test('lost records and a refusal end a download with a sentence', () => {
  const lossy = new RaceBoxDownload();
  feed(
    lossy,
    memory.filter((_, index) => index === 0 || index % 4 > 0 || index === memory.length - 1),
  );
  expect(lossy.progress).toMatchObject({ phase: 'failed', problem: expect.stringMatching(/were lost/) });
  const refused = new RaceBoxDownload();
  feed(refused, [ubxFrame(0xff03, Uint8Array.of(0xff, 0x23))]);
  expect(refused.progress).toMatchObject({ phase: 'failed', problem: expect.stringMatching(/refuses/) });
});

test('a damaged record is not kept', () => {
  const broken = memory.map((frame, index) =>
    index === 50 ? frame.map((byte, at) => (at === 40 ? byte ^ 1 : byte)) : frame,
  );
  const kept = feed(new RaceBoxDownload(), cutIntoNotifications(broken, 5));
  expect(kept.length).toBe(stored.length - (memory[50]?.length ?? 0));
});

test('a list of files comes in pieces, and a name may begin with END', () => {
  const list = new DovesList();
  expect(list.feed(ascii('ENDURANCE.dove:12|SETTINGS.json:40|kart'))).toBeNull();
  expect(list.feed(ascii('.dovex:1234|odd|'))).toBeNull();
  expect(list.feed(ascii('END'))).toEqual([
    { name: 'ENDURANCE.dove', bytes: 12 },
    { name: 'kart.dovex', bytes: 1234 },
    { name: 'odd', bytes: null },
  ]);
  expect(new DovesList().feed(ascii('END'))).toEqual([]);
});

test('a file comes with its size, goes on after a break, and is done only when whole', () => {
  const file = new Uint8Array(5000).map((_, index) => index % 251);
  const first = new DovesDownload();
  first.feedStatus(ascii('SIZE:5000\n'));
  const kept = first.feedData(file.subarray(0, 2222), 0);
  expect(first.progress).toMatchObject({ phase: 'running', received: 2222, total: 5000 });
  const second = new DovesDownload(kept);
  second.feedStatus(ascii('SIZE:5000'));
  const added: number[] = [];
  for (let from = 0; from < 4900; from += 100)
    added.push(...second.feedData(file.subarray(from, from + 100), from));
  second.feedStatus(ascii('DONE'));
  expect(second.progress.phase).toBe('running');
  added.push(...second.feedData(file.subarray(4900), 4900));
  expect(second.progress.phase).toBe('done');
  expect([...kept, ...added]).toEqual([...file]);
});

test('a changed file, too many bytes, an error and an early end are noticed', () => {
  const changed = new DovesDownload(ascii('abc'));
  changed.feedStatus(ascii('SIZE:5'));
  changed.feedData(ascii('abx'), 0);
  expect(changed.progress.problem).toMatch(/has changed/);
  const long = new DovesDownload();
  long.feedStatus(ascii('SIZE:2'));
  long.feedData(ascii('abc'), 0);
  expect(long.progress.problem).toMatch(/more than/);
  const refused = new DovesDownload();
  refused.feedStatus(ascii('ERROR'));
  expect(refused.progress.phase).toBe('failed');
  const short = new DovesDownload();
  short.feedStatus(ascii('SIZE:9\nDONE'));
  short.giveUp();
  expect(short.progress.problem).toMatch(/were lost/);
});

test('any bytes at all leave the protocols well, and make no bytes up', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 30 }), (pieces) => {
      const [racebox, requests, list, doves] = [
        new RaceBoxDownload(),
        new RaceBoxRequests(),
        new DovesList(),
        new DovesDownload(),
      ];
      for (const [index, piece] of pieces.entries()) {
        racebox.feed(piece, index);
        requests.feed(piece);
        list.feed(piece);
        doves.feedStatus(piece);
        expect(doves.feedData(piece, index).length).toBeLessThanOrEqual(piece.length);
        expect(Number.isFinite(racebox.progress.received)).toBe(true);
      }
      list.files();
    }),
  );
});
