import { open } from 'node:fs/promises';

// ISO/IEC 14496-12 and 23008-12: a file begins with the length of its first box, `ftyp`, its brand, a version, and the brands
// that it is compatible with. HEIC has the brands of HEVC; AVIF has the same container and the brand `avif`.
const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx']);
const BOX_BYTES_MAX = 256;

/** Tells whether the file at `path` is a HEIC photo, the format of iPhones. The libvips of sharp cannot decode it. */
export async function isHeic(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BOX_BYTES_MAX), 0, BOX_BYTES_MAX, 0);
    const text = buffer.subarray(0, bytesRead).toString('latin1');
    if (text.slice(4, 8) !== 'ftyp') return false;
    const brands = (text.slice(8, buffer.readUInt32BE(0)).match(/.{4}/gs) ?? []).filter((_, i) => i !== 1);
    return !brands.includes('avif') && brands.some((brand) => HEIC_BRANDS.has(brand));
  } finally {
    await handle.close();
  }
}
