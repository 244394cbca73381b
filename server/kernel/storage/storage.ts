import type { Readable } from 'node:stream';

export type StoredObject = { key: string; storedAt: Date };

/** Holds the object of a key. Read `content` to its end or destroy it: it holds a file or a connection open. */
export type StoredContent = { content: Readable; byteCount: number };

/** Addresses to which a browser can PUT an object without a sign-in of its own: the signature in them is the permission. */
export type UploadAddresses = {
  /** An address that takes the object `key` for `lastsSeconds`. */
  sign: (key: string, lastsSeconds: number) => Promise<string>;
  /** The key that an address was signed for; null where it is no such address of ours. Whether it still lasts is not asked. */
  keyOf: (address: string) => string | null;
  origin: string;
};

/** Keeps files by key. A key is made of parts of letters, digits, `-`, `_` and `.`, joined by `/`. */
export type Storage = {
  /** Takes over the file at `path`: when this resolves, it is kept even if the power fails, and `path` is gone. */
  put: (key: string, path: string) => Promise<void>;
  openRead: (key: string) => Promise<StoredContent | null>;
  /** Does nothing where there is no such object. */
  remove: (key: string) => Promise<void>;
  /** All objects whose key begins with the folder `prefix`, in no order. Passes over files whose names are not keys, such as those of the system. */
  list: (prefix: string) => AsyncIterable<StoredObject>;
  /** Signs addresses; null where browsers cannot reach the storage. */
  uploadAddresses: UploadAddresses | null;
};
