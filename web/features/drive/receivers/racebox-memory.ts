import {
  RACEBOX_CANCEL_REQUEST,
  RACEBOX_DOWNLOAD_REQUEST,
  RACEBOX_STATUS_REQUEST,
  RaceBoxDownload,
  RaceBoxRequests,
  raceBoxUnlockRequest,
  splitRaceBoxDownload,
  type RaceBoxAnswer,
  type RaceBoxStatus,
} from '#engine/receivers/racebox-memory.ts';
import { LostLink, type GattLink, type GattProfile } from './gatt-link.ts';
import type { DownloadedFile, DownloadOptions, ReceiverMemory, StoredItem } from './memory-types.ts';
import { ReceiverError } from './receiver.ts';
import { downloadWhole } from './resume-download.ts';

export const RACEBOX_PROFILE: GattProfile = {
  service: '6e400001-b5a3-f393-e0a9-e50e24dcca9e',
  listens: { answers: '6e400003-b5a3-f393-e0a9-e50e24dcca9e' },
  writes: '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
};

const ANSWER_MS = 5000;
const RECORD_BYTES = 88;
// Clones do not know the question.
const NO_ANSWER =
  'The receiver does not answer. Only RaceBox Mini S and Micro have a memory: a Mini and most clones have none. If it is one of them, switch it off and on, and connect again.';

/** Reads the memory of a RaceBox Mini S or Micro. */
export class RaceBoxMemory implements ReceiverMemory {
  readonly name: string;
  readonly #link: GattLink;
  #status: RaceBoxStatus | null = null;

  constructor(name: string, link: GattLink) {
    this.name = name;
    this.#link = link;
  }

  isLocked(): boolean {
    return this.#status?.isLocked ?? false;
  }

  async list(): Promise<StoredItem[]> {
    const status = await this.#askForStatus();
    this.#status = status;
    if (status.recordCount === 0) return [];
    const { recordCount: records } = status;
    return [{ name: `${this.name} memory`, bytes: records * RECORD_BYTES, records }];
  }

  async unlock(code: number): Promise<boolean> {
    const answer = await this.#ask(raceBoxUnlockRequest(code), (one) =>
      one.kind === 'unlocked' || (one.kind === 'refused' && one.of === 'unlock') ? one : null,
    );
    if (answer.kind === 'unlocked') await this.list();
    return answer.kind === 'unlocked';
  }

  async download(_item: StoredItem, options: DownloadOptions = {}): Promise<DownloadedFile[]> {
    try {
      const bytes = await downloadWhole(this.#link, (kept) => this.#attempt(kept), options);
      const drives = splitRaceBoxDownload(bytes);
      return drives.map((drive, index) => ({ name: `${this.name} ${index + 1}.ubx`, bytes: drive }));
    } catch (error) {
      // The device would go on sending otherwise.
      if (options.signal?.aborted === true)
        await this.#link.write(RACEBOX_CANCEL_REQUEST).catch(() => undefined);
      throw error;
    }
  }

  close(): void {
    this.#link.close();
  }

  #attempt(kept: Uint8Array) {
    const download = new RaceBoxDownload(kept);
    return {
      begin: () => this.#link.write(RACEBOX_DOWNLOAD_REQUEST),
      take: (_channel: string, bytes: Uint8Array) => download.feed(bytes, Date.now()),
      progress: () => download.progress,
    };
  }

  async #askForStatus(): Promise<RaceBoxStatus> {
    const answer = await this.#ask(RACEBOX_STATUS_REQUEST, (one) =>
      one.kind === 'status' || (one.kind === 'refused' && one.of === 'status') ? one : null,
    );
    if (answer.kind !== 'status')
      throw new ReceiverError('This RaceBox has no memory: only Mini S and Micro have one.');
    return answer.status;
  }

  async #ask(
    request: Uint8Array<ArrayBuffer>,
    choose: (answer: RaceBoxAnswer) => RaceBoxAnswer | null,
  ): Promise<RaceBoxAnswer> {
    const requests = new RaceBoxRequests();
    try {
      return await this.#link.listen(
        () => this.#link.write(request),
        (_channel, bytes) => requests.feed(bytes).find((answer) => choose(answer) !== null) ?? null,
        { patienceMs: ANSWER_MS },
      );
    } catch (error) {
      if (error instanceof LostLink) throw new ReceiverError(NO_ANSWER);
      throw error;
    }
  }
}
