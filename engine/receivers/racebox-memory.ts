/**
 * The memory of RaceBox Mini S and Micro, read over Bluetooth. Facts: RaceBox BLE Protocol Description, revision 8.
 *
 * - Requests and answers are frames of u-blox's protocol: `FF 22` status, `FF 23` download, `FF 30` unlock; `FF 02` accepts, `FF 03` refuses.
 * - A download sends records `FF 21` and changes of the recording `FF 26`, all of the memory from its beginning, and ends with `FF 02`.
 * - Nothing here erases: the memory stays as it was.
 */
import { UbxFrameReader, type UbxFrame, type UbxKind } from '../formats/binary/ubx-frames.ts';
import { DownloadRate, type DownloadProgress } from './download-progress.ts';

const [ACCEPTED, REFUSED, RECORD, STATUS, DOWNLOAD, CHANGE, UNLOCK] = [
  0xff02, 0xff03, 0xff21, 0xff22, 0xff23, 0xff26, 0xff30,
];
const KINDS: readonly UbxKind[] = [
  { code: ACCEPTED, leastBytes: 2, mostBytes: 2 },
  { code: REFUSED, leastBytes: 2, mostBytes: 2 },
  { code: RECORD, leastBytes: 80, mostBytes: 80 },
  { code: STATUS, leastBytes: 12, mostBytes: 12 },
  { code: DOWNLOAD, leastBytes: 4, mostBytes: 4 },
  { code: CHANGE, leastBytes: 1, mostBytes: 64 },
];
const FRAME_AROUND_BYTES = 8;
const HEADER_BYTES = 6;
/** The first byte of a change: a recording begins. */
const STARTED = 1;

/** Describes the memory of a receiver. */
export type RaceBoxStatus = {
  isRecording: boolean;
  usedPercent: number;
  /** A code has to be sent before anything can be read. */
  isLocked: boolean;
  recordCount: number;
  capacity: number;
};

/** Asks for the status; the answer comes to `RaceBoxRequests`. */
export const RACEBOX_STATUS_REQUEST = ubxRequest(STATUS, []);
/** Ends a download. */
export const RACEBOX_CANCEL_REQUEST = ubxRequest(DOWNLOAD, [0]);
/** Asks for all of the memory. */
export const RACEBOX_DOWNLOAD_REQUEST = ubxRequest(DOWNLOAD, []);

/** Returns the request that unlocks the memory with the code of its owner, a whole number of 32 bits. */
export function raceBoxUnlockRequest(code: number): Uint8Array<ArrayBuffer> {
  return ubxRequest(
    UNLOCK,
    [0, 8, 16, 24].map((shift) => (code >>> shift) & 0xff),
  );
}

function ubxRequest(code: number, payload: readonly number[]): Uint8Array<ArrayBuffer> {
  const summed = [code >> 8, code & 0xff, payload.length & 0xff, payload.length >> 8, ...payload];
  let [a, b] = [0, 0];
  for (const byte of summed) {
    a = (a + byte) & 0xff;
    b = (b + a) & 0xff;
  }
  return Uint8Array.of(0xb5, 0x62, ...summed, a, b);
}

export type RaceBoxAnswer =
  | { kind: 'status'; status: RaceBoxStatus }
  | { kind: 'unlocked' }
  | { kind: 'refused'; of: 'status' | 'unlock' | 'download' | 'other' };

/** Reads the answers to requests other than a download. */
export class RaceBoxRequests {
  #answers: RaceBoxAnswer[] = [];
  readonly #reader = new UbxFrameReader(KINDS, (frame) => this.#take(frame));

  feed(bytes: Uint8Array): RaceBoxAnswer[] {
    this.#answers = [];
    this.#reader.feed(bytes);
    return this.#answers;
  }

  #take({ code, payload }: UbxFrame): void {
    if (code === STATUS) this.#answers.push({ kind: 'status', status: readStatus(payload) });
    else if (code === ACCEPTED && payload.getUint16(0) === UNLOCK) this.#answers.push({ kind: 'unlocked' });
    else if (code === REFUSED) this.#answers.push({ kind: 'refused', of: nameRequest(payload.getUint16(0)) });
  }
}

function nameRequest(code: number): 'status' | 'unlock' | 'download' | 'other' {
  if (code === STATUS) return 'status';
  if (code === UNLOCK) return 'unlock';
  return code === DOWNLOAD ? 'download' : 'other';
}

function readStatus(payload: DataView): RaceBoxStatus {
  const security = payload.getUint8(2);
  return {
    isRecording: payload.getUint8(0) !== 0,
    usedPercent: Math.min(100, payload.getUint8(1)),
    isLocked: (security & 1) === 1 && (security & 2) === 0,
    recordCount: payload.getUint32(4, true),
    capacity: payload.getUint32(8, true),
  };
}

/**
 * Takes a download. The device always sends all of its memory; after a break it is asked again, and what was kept is passed over up to the last
 * kept record.
 */
export class RaceBoxDownload {
  readonly #rate = new DownloadRate();
  readonly #reader = new UbxFrameReader(KINDS, (frame) => this.#take(frame));
  /** The last record that was kept before the break, until it has come again. */
  #soughtRecord: Uint8Array | null = null;
  #keptRecords = 0;
  #phase: DownloadProgress['phase'] = 'waiting';
  #problem: string | null = null;
  #total: number | null = null;
  #seen = 0;
  #frames: Uint8Array[] = [];

  /** `kept` are the bytes of a download of the same memory that broke. */
  constructor(kept: Uint8Array = new Uint8Array(0)) {
    new UbxFrameReader(KINDS, (frame) => {
      this.#keptRecords += 1;
      if (frame.code === RECORD) this.#soughtRecord = wholeFrame(frame);
    }).feed(kept);
  }

  /** Takes what the device notified; returns the bytes to append to what is kept. */
  feed(bytes: Uint8Array, atMs: number): Uint8Array<ArrayBuffer> {
    this.#frames = [];
    const before = this.#seen;
    if (this.#phase !== 'done' && this.#phase !== 'failed') this.#reader.feed(bytes);
    this.#rate.add(atMs, bytes.length, this.#seen - before);
    return joined(this.#frames);
  }

  get progress(): DownloadProgress {
    const missing = this.#total === null ? null : this.#total - this.#seen;
    return {
      phase: this.#phase,
      received: this.#soughtRecord === null ? this.#seen : Math.max(this.#seen, this.#keptRecords),
      total: this.#total,
      bytesPerSecond: this.#rate.bytesPerSecond,
      remainingSeconds: this.#rate.remainingSeconds(missing),
      problem: this.#problem,
    };
  }

  #take(frame: UbxFrame): void {
    const { code, payload } = frame;
    if (code === RECORD || code === CHANGE) this.#takeStored(frame);
    else if (code === DOWNLOAD) {
      this.#total = payload.getUint32(0, true);
      this.#phase = 'running';
    } else if (code === REFUSED && payload.getUint16(0) === DOWNLOAD)
      this.#fail(
        'The receiver refuses the download. Stop its recording, unlock its memory, and connect again.',
      );
    else if (code === ACCEPTED && payload.getUint16(0) === DOWNLOAD) this.#end();
  }

  #takeStored(frame: UbxFrame): void {
    this.#phase = 'running';
    this.#seen += 1;
    if (this.#soughtRecord === null) this.#frames.push(wholeFrame(frame));
    else if (isSame(this.#soughtRecord, wholeFrame(frame))) this.#soughtRecord = null;
    else if (this.#seen > this.#keptRecords + SLACK_RECORDS) this.#fail(CHANGED);
  }

  #end(): void {
    if (this.#soughtRecord !== null) return this.#fail(CHANGED);
    if (this.#total !== null && this.#seen < this.#total - SLACK_RECORDS) {
      return this.#fail(
        'Some records were lost on their way. Go closer to the receiver, and download again.',
      );
    }
    this.#phase = 'done';
  }

  #fail(problem: string): void {
    this.#phase = 'failed';
    this.#problem = problem;
  }
}

/** So many records may be counted otherwise, such as one that was being written. */
const SLACK_RECORDS = 25;
const CHANGED =
  'The memory of the receiver has changed since the download began. Download it from the beginning.';

/** Cuts a whole download where a recording begins: every drive becomes a lap file of its own. Parts without a record are left out. */
export function splitRaceBoxDownload(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const drives: { frames: Uint8Array[]; records: number }[] = [{ frames: [], records: 0 }];
  new UbxFrameReader(KINDS, (frame) => {
    if (frame.code !== RECORD && frame.code !== CHANGE) return;
    if (frame.code === CHANGE && frame.payload.getUint8(0) === STARTED)
      drives.push({ frames: [], records: 0 });
    const drive = drives.at(-1);
    drive?.frames.push(wholeFrame(frame));
    if (drive !== undefined && frame.code === RECORD) drive.records += 1;
  }).feed(bytes);
  return drives.filter(({ records }) => records > 0).map(({ frames }) => joined(frames));
}

/** Returns the bytes of a frame with what stands around its payload. */
function wholeFrame({ payload }: UbxFrame): Uint8Array {
  const start = payload.byteOffset - HEADER_BYTES;
  return new Uint8Array(payload.buffer, start, payload.byteLength + FRAME_AROUND_BYTES).slice();
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    all.set(piece, offset);
    offset += piece.length;
  }
  return all;
}
