import {
  DOVES_LIST_REQUEST,
  DovesDownload,
  dovesGetRequest,
  DovesList,
} from '#engine/receivers/doves-memory.ts';
import { LostLink, type GattLink, type GattProfile } from './gatt-link.ts';
import type { DownloadedFile, DownloadOptions, ReceiverMemory, StoredItem } from './memory-types.ts';
import { ReceiverError } from './receiver.ts';
import { downloadWhole } from './resume-download.ts';

export const DOVES_SERVICE = 0x1820;
export const DOVES_PROFILE: GattProfile = {
  service: DOVES_SERVICE,
  listens: { list: 0x2a3d, data: 0x2a3f, status: 0x2a40 },
  writes: 0x2a3e,
};

const LIST_MS = 4000;

/** Reads the files of a DovesDataLogger. */
export class DovesMemory implements ReceiverMemory {
  readonly name: string;
  readonly #link: GattLink;

  constructor(name: string, link: GattLink) {
    this.name = name;
    this.#link = link;
  }

  isLocked(): boolean {
    return false;
  }

  unlock(): Promise<boolean> {
    return Promise.resolve(true);
  }

  async list(): Promise<StoredItem[]> {
    const list = new DovesList();
    try {
      await this.#link.listen(
        () => this.#link.write(DOVES_LIST_REQUEST),
        (channel, bytes) => (channel === 'list' ? list.feed(bytes) : null),
        { patienceMs: LIST_MS },
      );
    } catch (error) {
      if (!(error instanceof LostLink)) throw error;
      // The logger may forget to say that the list ends.
      if (list.files().length === 0)
        throw new ReceiverError('The logger does not answer. Switch it off and on, and connect again.');
    }
    return list.files().map(({ name, bytes }) => ({ name, bytes, records: null }));
  }

  async download(item: StoredItem, options: DownloadOptions = {}): Promise<DownloadedFile[]> {
    const bytes = await downloadWhole(
      this.#link,
      (kept) => {
        const download = new DovesDownload(kept);
        return {
          begin: () => this.#link.write(dovesGetRequest(item.name)),
          take: (channel, piece) => {
            if (channel === 'data') return download.feedData(piece, Date.now());
            if (channel === 'status') download.feedStatus(piece);
            return new Uint8Array(0);
          },
          progress: () => download.progress,
        };
      },
      options,
    );
    return [{ name: item.name, bytes }];
  }

  close(): void {
    this.#link.close();
  }
}
