/**
 * Reads AiM's own recording (`.xrk`, and `.xrz`, the same in a zlib stream), as MyChron, Solo, EVO and MXP write it.
 * Facts about the format: the description in m3rlin45/libxrk, and a recording of a MyChron 5.
 *
 * - Messages one after the other: `<h`, a name of four bytes, a length of 32 bits, a version, `>`, the content, `<`, the
 *   name again, the sum of the content's bytes in 16 bits, `>`. All numbers are little-endian. Samples of channels come
 *   in between in a shorter form (see aim-xrk-channels.ts); messages are found by their frame, and what is damaged is
 *   passed over.
 * - `GPS` is u-blox's NAV-SOL behind the logger's own clock: time of the week, week, kind of fix, position and velocity
 *   in centimetres on the axes of the Earth, accuracy, satellites. The logger's clock notes when a fix arrived, which
 *   varies by 15 ms; the receiver's own times do not.
 * - `LAP` is written at every line: segment (0 is the whole lap), number, duration, and in its last four bytes the end.
 *   The first ends the out lap, the last one is written when the recording ends.
 * - `TMD` and `TMT` are date and time of the logger's own clock. `CNF` begins a recording, also after an aborted one in
 *   the same file.
 * - A receiver that has not found its week yet says 0. Old ones count weeks from 1999 or 2019.
 * - A Solo 2 writes some blocks again as they were. Others write every moment twice, with two solutions some metres apart, in blocks
 *   of which either comes first.
 * - The logger's clock in `GPS`, and nowhere else, may jump by 65,533 ms, or by multiples of 65,536 ms (libxrk's gps_timing_bug.md).
 *   What comes before the jump is right.
 */
import { UnreadableLapFileError, type LoggerLap } from '../../lap-file.ts';
import { median } from '../../statistics.ts';
import { hasAscii, viewBytes, type BinaryLapFileFormat } from '../binary/binary-format.ts';
import { readXrkChannels } from './aim-xrk-channels.ts';
import {
  findXrkTimes,
  listCountingFixes,
  readXrkFix,
  readXrkPosition,
  withoutClockJumps,
  type XrkFix,
} from './aim-xrk-fixes.ts';
import { roundingBetween } from '../rows/lap-rounding.ts';
import { LapFileRecorder } from '../rows/lap-file-format.ts';
import { AccuracyRecorder } from '../binary/accuracy-recorder.ts';

/** Reads what loggers of AiM store: messages with a checksum, `.xrk`. */
export const aimXrk: BinaryLapFileFormat = {
  format: 'aim-xrk',
  name: 'AiM XRK',
  recognise: (bytes) => hasAscii(bytes, 0, '<h') && isUpperCase(bytes.subarray(2, 5)),
  read: readXrk,
};

function isUpperCase(letters: Uint8Array): boolean {
  return letters.length > 0 && letters.every((letter) => letter >= 0x41 && letter <= 0x5a);
}

const OPENING = 0x3c;
const CLOSING = 0x3e;
const HEADER_BYTES = 12;
const FOOTER_BYTES = 8;

/** Lists the messages that are read, with their lengths. These are short, so that no false length makes the sum of its bytes expensive. */
const MESSAGES = [
  { name: 'GPS', leastBytes: 56, mostBytes: 56 },
  { name: 'GPS1', leastBytes: 56, mostBytes: 56 },
  { name: 'LAP', leastBytes: 20, mostBytes: 64 },
  { name: 'TMD', leastBytes: 10, mostBytes: 64 },
  { name: 'TMT', leastBytes: 8, mostBytes: 64 },
] as const;
type MessageKind = (typeof MESSAGES)[number];

/** Maps the four bytes of a name, which is filled up with a zero or a blank, to its message. */
const KINDS: ReadonlyMap<number, MessageKind> = new Map(
  MESSAGES.flatMap((kind) => ['\0', ' '].map((filling) => [nameCode(kind.name.padEnd(4, filling)), kind])),
);
const CONFIGURATION = nameCode('CNF\0');

/** Returns four characters as the number that their bytes are. */
function nameCode(name: string): number {
  let code = 0;
  for (let index = name.length - 1; index >= 0; index -= 1) code = code * 256 + name.charCodeAt(index);
  return code;
}

function readXrk(bytes: Uint8Array): ReturnType<BinaryLapFileFormat['read']> {
  const recording = new XrkRecording(bytes);
  for (let from = 0; ;) {
    const start = bytes.indexOf(OPENING, from);
    if (start < 0) break;
    from = start + recording.readMessage(start);
  }
  return recording.finish();
}

/** Describes the logger's clock at a pass over the line, and which fix was written last; null where a recording begins. */
type Mark = { number: number; codeMs: number; fixIndex: number } | null;

class XrkRecording {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #recorder = new LapFileRecorder();
  readonly #accuracies = new AccuracyRecorder();
  readonly #fixes: XrkFix[] = [];
  readonly #marks: Mark[] = [];
  #date = '';
  #time = '';
  #hasMessages = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = viewBytes(bytes);
  }

  /** Reads the message that may begin here; returns how many bytes to go on by. */
  readMessage(start: number): number {
    const bytes = this.#bytes;
    if (bytes[start + 1] !== 0x68 || start + HEADER_BYTES + FOOTER_BYTES > bytes.length) return 1;
    if (bytes[start + HEADER_BYTES - 1] !== CLOSING) return 1;
    const code = this.#view.getUint32(start + 2, true);
    if (code === CONFIGURATION && this.#marks.at(-1) !== null) this.#marks.push(null);
    const kind = KINDS.get(code);
    const length = this.#view.getInt32(start + 6, true);
    if (kind === undefined || length < kind.leastBytes || length > kind.mostBytes) return 1;
    if (!this.#isWhole(start, length)) return 1;
    this.#hasMessages = true;
    this.#read(kind.name, start + HEADER_BYTES, length);
    return HEADER_BYTES + length + FOOTER_BYTES;
  }

  /** Returns whether the message ends as it began, and its bytes add up. */
  #isWhole(start: number, length: number): boolean {
    const end = start + HEADER_BYTES + length;
    if (end + FOOTER_BYTES > this.#bytes.length) return false;
    if (this.#bytes[end] !== OPENING || this.#bytes[end + FOOTER_BYTES - 1] !== CLOSING) return false;
    if (this.#view.getUint32(end + 1, true) !== this.#view.getUint32(start + 2, true)) return false;
    let sum = 0;
    for (let index = start + HEADER_BYTES; index < end; index += 1) sum += this.#bytes[index] ?? 0;
    return (sum & 0xffff) === this.#view.getUint16(end + 5, true);
  }

  #read(name: MessageKind['name'], offset: number, length: number): void {
    if (name === 'LAP') this.#readLap(offset, length);
    else if (name === 'TMD') this.#date = this.#text(offset, length);
    else if (name === 'TMT') this.#time = this.#text(offset, length);
    else this.#readFix(offset);
  }

  #text(offset: number, length: number): string {
    return String.fromCharCode(...this.#bytes.subarray(offset, offset + length)).split('\0', 1)[0] ?? '';
  }

  #readLap(offset: number, length: number): void {
    if (this.#bytes[offset + 1] !== 0) return;
    const number = this.#view.getUint16(offset + 2, true);
    const codeMs = this.#view.getUint32(offset + length - 4, true);
    this.#marks.push({ number, codeMs, fixIndex: this.#fixes.length });
  }

  #readFix(offset: number): void {
    const fix = readXrkFix(this.#view, offset);
    if (fix === null) this.#recorder.drop('no_position');
    else this.#fixes.push(fix);
  }

  finish(): ReturnType<BinaryLapFileFormat['read']> {
    if (!this.#hasMessages) {
      throw new UnreadableLapFileError(
        'This AiM file holds no recording that can be read; copy it from the logger again, or export it from Race Studio 3 as CSV.',
      );
    }
    const { clock, timesMs } = findXrkTimes(this.#fixes, parseLogDate(this.#date, this.#time));
    const codesMs = withoutClockJumps(this.#fixes, timesMs);
    const arrivalsMs = Float64Array.from(this.#record(timesMs), (index) => codesMs[index] ?? 0);
    // Its columns are sorted with the fixes, which finish() may do.
    const unsorted = this.#recorder.times();
    const { fixes } = this.#recorder.finish(() => clock, 1, readXrkChannels(this.#bytes, arrivalsMs));
    return {
      fixes,
      clock,
      dropped: this.#recorder.dropped,
      loggerLaps: this.#findLaps(timesMs, codesMs),
      accuracy: this.#accuracies.finish(unsorted),
    };
  }

  /** Records the fixes that count; returns their places among all. */
  #record(timesMs: Float64Array): number[] {
    const counting = listCountingFixes(this.#view, this.#fixes);
    for (let repeated = this.#fixes.length - counting.length; repeated > 0; repeated -= 1)
      this.#recorder.drop('repeated_time');
    return counting.filter((index) => {
      const fix = this.#fixes[index];
      if (fix === undefined) return false;
      const { lat, lon, speedMetersPerSecond, accuracyMeters } = readXrkPosition(this.#view, fix);
      const isFix = this.#recorder.add(timesMs[index] ?? Number.NaN, lat, lon, speedMetersPerSecond);
      if (isFix) this.#accuracies.add(accuracyMeters);
      return isFix;
    });
  }

  /** Finds the laps from mark to mark; the first ends the out lap, and one at the end of the recording is no pass over the line. */
  #findLaps(timesMs: Float64Array, codesMs: Float64Array): LoggerLap[] {
    const lastCodeMs = codesMs.at(-1) ?? 0;
    const lastMark = this.#marks.at(-1);
    const endsRecording = lastMark != null && lastMark.codeMs > lastCodeMs - END_MS;
    const marks = endsRecording ? this.#marks.slice(0, -1) : this.#marks;
    const laps: LoggerLap[] = [];
    for (const [index, mark] of marks.entries()) {
      const before = index === 0 ? null : marks[index - 1];
      if (mark === null || before == null) continue;
      const lapTimeMs = mark.codeMs - before.codeMs;
      const startTimeMs = before.codeMs + clockOffsetMs(before.fixIndex, timesMs, codesMs);
      if (!(lapTimeMs > 0) || !Number.isFinite(startTimeMs)) continue;
      laps.push({ number: laps.length + 1, lapTimeMs, startTimeMs, roundingMs: MARK_ROUNDING_MS });
    }
    return laps;
  }
}

/** Returns the offset from the logger's clock to that of the fixes around one; single delays vary, not the median. */
function clockOffsetMs(fixIndex: number, timesMs: Float64Array, codesMs: Float64Array): number {
  const from = Math.max(0, fixIndex - OFFSET_FIXES);
  const around = codesMs.subarray(from, fixIndex + OFFSET_FIXES);
  return median(around.map((codeMs, index) => (timesMs[from + index] ?? 0) - codeMs)) ?? Number.NaN;
}

/** The last mark is written when the recording is stopped, within so long of the last fix. */
const END_MS = 1000;
const OFFSET_FIXES = 20;
const MARK_ROUNDING_MS = roundingBetween(1, 1);

/** Parses `01/23/2016` and `12:09:04` on the logger's clock; NaN where either is none. */
function parseLogDate(date: string, time: string): number {
  const [, month = '', day = '', year = ''] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(date) ?? [];
  return /^\d\d:\d\d:\d\d$/.test(time) ? Date.parse(`${year}-${month}-${day}T${time}Z`) : Number.NaN;
}
