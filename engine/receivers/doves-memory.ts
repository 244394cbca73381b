/**
 * The files of DovesDataLogger, read over Bluetooth. Facts: the logger's own description of its protocol.
 *
 * - Commands are text: `LIST`, `GET:` with a name. Three channels answer: the list, the bytes of a file, and the status.
 * - The list is `name:bytes` parted by `|` and ends with `END`, which may come in one piece with what is before it.
 * - A file is announced by `SIZE:` on the status channel and ends with `DONE` there; several lines may come in one piece.
 * - Nothing here deletes or changes a file.
 */
import { DownloadRate, type DownloadProgress } from './download-progress.ts';

/** Describes a file on the logger; `bytes` is what the list says. */
export type DovesFile = { name: string; bytes: number | null };

const LIST_MOST_CHARACTERS = 100_000;
/** No drive is longer; a larger number is damaged. */
const FILE_MOST_BYTES = 500_000_000;
const SETTINGS = 'settings.json';

export const DOVES_LIST_REQUEST = asciiBytes('LIST');

export function dovesGetRequest(name: string): Uint8Array<ArrayBuffer> {
  return asciiBytes(`GET:${name}`);
}

/** Collects the list of files. */
export class DovesList {
  #text = '';

  /** Takes what the list channel notified; returns the files once all are there. */
  feed(bytes: Uint8Array): DovesFile[] | null {
    this.#text = (this.#text + asciiText(bytes)).slice(0, LIST_MOST_CHARACTERS);
    return /(?:^|\|)END\s*$/.test(this.#text) ? this.files() : null;
  }

  /** Returns the files so far: a logger may forget the end. */
  files(): DovesFile[] {
    return this.#text
      .replace(/(?:^|\|)END\s*$/, '')
      .split('|')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map(parseEntry)
      .filter(({ name }) => name.toLowerCase() !== SETTINGS);
  }
}

function parseEntry(entry: string): DovesFile {
  const colon = entry.indexOf(':');
  if (colon < 0) return { name: entry, bytes: null };
  const digits = entry.slice(colon + 1);
  return { name: entry.slice(0, colon), bytes: /^\d{1,9}$/.test(digits) ? Number(digits) : null };
}

/** Takes the download of a file. After a break it is asked for again, and bytes that were kept are passed over where they are the same. */
export class DovesDownload {
  readonly #kept: Uint8Array;
  readonly #rate = new DownloadRate();
  #received = 0;
  #total: number | null = null;
  #isAnnouncedDone = false;
  #phase: DownloadProgress['phase'] = 'waiting';
  #problem: string | null = null;

  constructor(kept: Uint8Array = new Uint8Array(0)) {
    this.#kept = kept;
  }

  /** Takes bytes of the file; returns those to append to what is kept. */
  feedData(bytes: Uint8Array, atMs: number): Uint8Array<ArrayBuffer> {
    if (this.#phase === 'done' || this.#phase === 'failed') return new Uint8Array(0);
    const start = this.#received;
    this.#received += bytes.length;
    this.#rate.add(atMs, bytes.length, bytes.length);
    if (this.#total !== null && this.#received > this.#total) {
      this.#fail('The logger sent more than the file holds. Download it again.');
      return new Uint8Array(0);
    }
    this.#phase = 'running';
    const known = Math.max(0, Math.min(bytes.length, this.#kept.length - start));
    for (let index = 0; index < known; index += 1) {
      if (bytes[index] !== this.#kept[start + index]) {
        this.#fail(
          'The file on the logger has changed since the download began. Download it from the beginning.',
        );
        return new Uint8Array(0);
      }
    }
    this.#endWhereWhole();
    return Uint8Array.from(bytes.subarray(known));
  }

  /** Takes what the status channel notified. */
  feedStatus(bytes: Uint8Array): void {
    // A piece holds whole lines, whether a line break follows or not.
    for (const line of asciiText(bytes).split(/[\r\n]+/)) this.#takeLine(line.trim());
    this.#endWhereWhole();
  }

  get progress(): DownloadProgress {
    const missing = this.#total === null ? null : this.#total - this.#received;
    return {
      phase: this.#phase,
      received: Math.max(this.#received, Math.min(this.#kept.length, this.#total ?? this.#kept.length)),
      total: this.#total,
      bytesPerSecond: this.#rate.bytesPerSecond,
      remainingSeconds: this.#rate.remainingSeconds(missing),
      problem: this.#problem,
    };
  }

  #takeLine(line: string): void {
    const size = /^SIZE:(\d{1,10})$/.exec(line);
    if (size !== null && Number(size[1]) <= FILE_MOST_BYTES) this.#total = Number(size[1]);
    else if (line === 'DONE') this.#isAnnouncedDone = true;
    else if (line === 'ERROR' || line.startsWith('TERR:'))
      this.#fail('The logger cannot open this file. Look whether its card is in place.');
  }

  /** The end may be announced before the last bytes, since these come on another channel. */
  #endWhereWhole(): void {
    if (this.#isAnnouncedDone && this.#received === this.#total && this.#phase !== 'failed')
      this.#phase = 'done';
  }

  /** Says that nothing more will come after the end was announced. */
  giveUp(): void {
    if (this.#phase !== 'done')
      this.#fail('Some bytes were lost on their way. Go closer to the logger, and download again.');
  }

  #fail(problem: string): void {
    this.#phase = 'failed';
    this.#problem ??= problem;
  }
}

function asciiBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}

function asciiText(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}
