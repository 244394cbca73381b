import type { Readable } from 'node:stream';

/** One stored object, as a sweep sees it. */
export type StoredObject = { key: string; storedAt: Date };

/** Keeps files by key. A key is made of parts of letters, digits, `-`, `_` and `.`, joined by `/`. */
export type Storage = {
  /** Takes over the file at `path`: when this resolves, it is kept even if the power fails, and `path` is gone. */
  put: (key: string, path: string) => Promise<void>;
  /** Reads an object. The stream fails where there is none. */
  openRead: (key: string) => Readable;
  /** Does nothing where there is no such object. */
  remove: (key: string) => Promise<void>;
  /** All objects whose key begins with the folder `prefix`, in no order. */
  list: (prefix: string) => AsyncIterable<StoredObject>;
};
