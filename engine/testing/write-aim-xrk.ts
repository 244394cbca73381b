import { fromGeodetic } from '../formats/binary/earth-centered.ts';
import { ByteWriter } from './byte-writer.ts';
import { passingTimes } from '#engine/simulation/drive-samples.ts';
import type { DrivenFix, SimulatedDrive } from '#engine/simulation/drive.ts';
import { DAY_MS } from '#engine/durations.ts';

/** Describes how a recording differs from that of a logger in the open with a receiver that knows its week. */
export type XrkOptions = {
  /** Accuracy that the receiver claims for each position; 1.5 m everywhere by default. */
  accuracyMeters?: (fix: DrivenFix, index: number) => number;
  /** Weeks that the receiver counts too few. */
  weeksBehind?: number;
  hasWeek?: boolean;
  /** Lists the fixes as the logger writes them, with their places in the drive; each once by default. */
  written?: (fixes: readonly DrivenFix[]) => readonly { index: number; fix: DrivenFix }[];
  /** The logger's clock in the messages of the receiver jumps by so much at the fix with this index. */
  clockJump?: { index: number; jumpMs: number };
};

/** GPS time has been ahead by so much since 2017. */
const LEAP_SECONDS_MS = 18_000;
const GPS_EPOCH_MS = Date.UTC(1980, 0, 6);
const WEEK_MS = 7 * DAY_MS;
/** The logger's own clock began to count so long before the first fix. */
const SWITCHED_ON_MS = 4700;

/** A drive as AiM's loggers record it: configuration, samples of a channel, the fixes of the receiver and the laps at every line. */
export function writeAimXrk(drive: SimulatedDrive, options: XrkOptions = {}): Uint8Array {
  const startMs = (drive.fixes[0]?.timeMs ?? 0) - SWITCHED_ON_MS;
  const file = new ByteWriter();
  writeMessage(file, 'CNF', message('CHS', new ByteWriter().uint16(0).ascii('', 110).finish()));
  const [date = '', time = ''] = new Date(startMs).toISOString().split(/[T.]/);
  const [year, month, day] = date.split('-');
  writeMessage(file, 'TMD', asciiZ(`${month}/${day}/${year}`));
  writeMessage(file, 'TMT', asciiZ(time));
  const passings = passingTimes(drive.trueLaps);
  let passed = 0;
  const { written } = { written: eachOnce, ...options };
  for (const { index, fix } of written(drive.fixes)) {
    for (; (passings[passed] ?? Infinity) <= fix.timeMs; passed += 1)
      writeLap(file, passings, passed, startMs);
    // The file also has a sample of another channel; its value is the sign that messages begin with.
    file
      .ascii('(S')
      .int32(fix.timeMs - startMs)
      .uint16(3)
      .ascii('<h')
      .ascii(')');
    writeFix(file, fix, { startMs, index, direction: directionAt(drive.fixes, index), ...options });
  }
  const last = drive.fixes.at(-1)?.timeMs ?? startMs;
  writeLap(file, [...passings, last + 120], passings.length, startMs);
  return file.finish();
}

function eachOnce(fixes: readonly DrivenFix[]): { index: number; fix: DrivenFix }[] {
  return fixes.map((fix, index) => ({ index, fix }));
}

function writeLap(file: ByteWriter, passings: readonly number[], index: number, startMs: number): void {
  const [end = 0, start = startMs] = [passings[index], passings[index - 1]];
  const content = new ByteWriter()
    .uint8(0, 0)
    .uint16(index)
    .int32(Math.round(end - startMs) - Math.round(start - startMs));
  writeMessage(
    file,
    'LAP',
    content
      .ascii('', 20)
      .int32(end - startMs)
      .finish(),
    2,
  );
}

function writeFix(
  file: ByteWriter,
  fix: DrivenFix,
  {
    startMs,
    index,
    accuracyMeters,
    weeksBehind = 0,
    hasWeek = true,
    direction,
    clockJump = { index: Number.POSITIVE_INFINITY, jumpMs: 0 },
  }: XrkOptions & { startMs: number; index: number; direction: Direction },
): void {
  const gpsMs = fix.timeMs + LEAP_SECONDS_MS - GPS_EPOCH_MS;
  const week = hasWeek ? Math.floor(gpsMs / WEEK_MS) - weeksBehind : 0;
  const weekMs = gpsMs % WEEK_MS;
  const { x, y, z } = fromGeodetic(fix);
  const [vx = 0, vy = 0, vz = 0] = direction.map((share) => share * fix.speedMetersPerSecond * 100);
  const jumpMs = index < clockJump.index ? 0 : clockJump.jumpMs;
  const arrivalMs = fix.timeMs - startMs + (hasWeek ? 30 + ((index * 7) % 15) : 0) + jumpMs;
  const content = new ByteWriter()
    .int32(arrivalMs, Math.floor(weekMs), (weekMs % 1) * 1e6)
    .uint16(week)
    .uint8(3, 0xdd)
    .int32(x * 100, y * 100, z * 100, 100 * (accuracyMeters?.(fix, index) ?? 1.5))
    .int32(vx, vy, vz, 14)
    .uint16(115)
    .uint8(2, 14)
    .int32(0);
  writeMessage(file, 'GPS', content.finish());
}

type Direction = [x: number, y: number, z: number];

/** Returns the direction of a drive at one of its fixes, one metre long. */
function directionAt(fixes: readonly DrivenFix[], index: number): Direction {
  const place = Math.min(index, fixes.length - 2);
  const [start, end] = fixes.slice(place, place + 2).map(fromGeodetic);
  if (start === undefined || end === undefined) return [0, 0, 0];
  const [x, y, z] = [end.x - start.x, end.y - start.y, end.z - start.z];
  const meters = Math.hypot(x, y, z) || 1;
  return [x / meters, y / meters, z / meters];
}

function asciiZ(text: string): Uint8Array {
  return new ByteWriter().ascii(text, text.length + 1).finish();
}

function message(name: string, content: Uint8Array): Uint8Array {
  const file = new ByteWriter();
  writeMessage(file, name, content);
  return file.finish();
}

function writeMessage(file: ByteWriter, name: string, content: Uint8Array, version = 1): void {
  file.ascii('<h').ascii(name, 4).int32(content.length).uint8(version).ascii('>').append(content);
  file
    .ascii('<')
    .ascii(name, 4)
    .uint16(content.reduce((sum, byte) => sum + byte, 0))
    .ascii('>');
}
