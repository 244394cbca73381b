/** Describes a recording in the memory of a receiver, as far as the receiver tells it before a download; null for what it does not tell. */
export type StoredRecording = {
  /** Names it for the driver: a file name, or 'Everything in the memory' where the receiver gives no list. */
  title: string;
  startedAtMs: number | null;
  /** Positions in it. */
  fixes: number | null;
  sizeBytes: number | null;
};

/** `received` and `expected` are positions or bytes, whichever the receiver counts. */
export type DownloadProgress = { received: number; expected: number | null };

export type DownloadOptions = {
  onProgress: (progress: DownloadProgress) => void;
  /** Reports a connection that breaks, and one that is there again: the download goes on where it was. */
  onConnection: (state: 'connected' | 'lost') => void;
  signal: AbortSignal;
};

/** Reads the memory of a receiver. It never erases anything. */
export type ReceiverMemory = {
  name: string;
  list: () => Promise<StoredRecording[]>;
  /** Gives the lap files of one entry of the list, each checked; several where the receiver keeps sessions without a list. Throws a `ReceiverError`. */
  download: (recording: StoredRecording, options: DownloadOptions) => Promise<File[]>;
  close: () => Promise<void>;
};

/** Asks for a receiver and opens its memory; must be called by a press. Null where the driver closes the browser's list. */
export type OpenMemory = () => Promise<ReceiverMemory | null>;
