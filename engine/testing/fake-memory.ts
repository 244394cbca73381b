import { seededRandom } from '#engine/simulation/random.ts';
import type { SimulatedDrive } from '#engine/simulation/drive.ts';
import { ByteWriter } from './byte-writer.ts';
import { ubxFrame, writeRaceBoxFrames } from './write-ubx.ts';

/** Returns what a RaceBox sends when all of its memory is asked for: count, recordings each with its start and stop, acceptance. */
export function raceBoxMemory(drives: readonly SimulatedDrive[]): Uint8Array[] {
  const stored = drives.flatMap((drive) => [
    change(1),
    ...drive.fixes.map((fix) => storedFrame(writeRaceBoxFrames({ ...drive, fixes: [fix] }))),
    change(0),
  ]);
  const count = new ByteWriter().int32(stored.length).finish();
  return [ubxFrame(0xff23, count), ...stored, ubxFrame(0xff02, Uint8Array.of(0xff, 0x23))];
}

function change(state: number): Uint8Array {
  return ubxFrame(0xff26, Uint8Array.of(state, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

/** A record of the memory is a live frame with another number. */
function storedFrame(live: Uint8Array): Uint8Array {
  return ubxFrame(0xff21, live.slice(6, 86));
}

/** Returns the answer to a request for the status. */
export function raceBoxStatus(records: number, { isLocked = false } = {}): Uint8Array {
  const payload = new ByteWriter().uint8(0, 12, isLocked ? 1 : 0, 0).int32(records, 100_000);
  return ubxFrame(0xff22, payload.finish());
}

/** Joins messages and cuts them into notifications, as radios do. */
export function cutIntoNotifications(
  messages: readonly Uint8Array[],
  seed: number,
  mostBytes = 244,
): Uint8Array[] {
  const random = seededRandom(seed);
  const writer = new ByteWriter();
  for (const message of messages) writer.append(message);
  const bytes = writer.finish();
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + 1 + Math.floor(random.uniform() * mostBytes));
    pieces.push(bytes.slice(from, to));
    from = to;
  }
  return pieces;
}
