import type { DownloadProgress } from '#engine/receivers/download-progress.ts';

/** Describes something in a receiver's memory that can be downloaded. */
export type StoredItem = {
  /** Name of the file; for a RaceBox, which has one memory for all drives, a name for all of it. */
  name: string;
  bytes: number | null;
  /** Null for loggers with files. */
  records: number | null;
};

/** Says how a download goes on. */
export type DownloadOptions = {
  onProgress?: (progress: DownloadProgress) => void;
  /** Is called when the connection broke, and is being made again. */
  onBreak?: () => void;
  signal?: AbortSignal;
};

/** Describes a lap file made of a download. */
export type DownloadedFile = { name: string; bytes: Uint8Array<ArrayBuffer> };

/** Reads the memory of one device. Nothing in it is ever deleted. */
export type ReceiverMemory = {
  /** Names the device as it calls itself, without its serial number. */
  name: string;
  /** True where a code has to be sent first. */
  isLocked: () => boolean;
  /** Sends the code; false where it is wrong. */
  unlock: (code: number) => Promise<boolean>;
  list: () => Promise<StoredItem[]>;
  /**
   * Downloads, connects again after a break by itself and goes on; returns the lap files, one for every drive. Throws `ReceiverError` with a
   * sentence for the driver, and the reason of `signal` where that is given up.
   */
  download: (item: StoredItem, options?: DownloadOptions) => Promise<DownloadedFile[]>;
  close: () => void;
};
