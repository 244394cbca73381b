const HASH_CHARACTERS = 64;

/** Returns whether the key of a stored lap file is that of a sample. */
export function isStoredSample(lapFileSha256: string): boolean {
  return lapFileSha256.length > HASH_CHARACTERS;
}

/** Returns the hash of the bytes from the key of a stored lap file. */
export function hashOfContent(lapFileSha256: string): string {
  return lapFileSha256.slice(0, HASH_CHARACTERS);
}
