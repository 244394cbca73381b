/**
 * The bytes of a text file in an encoding whose ASCII characters are single bytes, without a byte-order mark.
 * UTF-8 and the 8-bit encodings are left as they are, so that even a large file costs nothing; UTF-16, with or without its mark,
 * is written out as UTF-8.
 */
export function toByteText(bytes: Uint8Array): Uint8Array {
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return bytes.subarray(3);
  if (startsWith(bytes, [0xff, 0xfe])) return utf16ToUtf8(bytes.subarray(2), LITTLE_ENDIAN);
  if (startsWith(bytes, [0xfe, 0xff])) return utf16ToUtf8(bytes.subarray(2), BIG_ENDIAN);
  if (looksLikeUtf16(bytes, LITTLE_ENDIAN)) return utf16ToUtf8(bytes, LITTLE_ENDIAN);
  if (looksLikeUtf16(bytes, BIG_ENDIAN)) return utf16ToUtf8(bytes, BIG_ENDIAN);
  return bytes;
}

/** Returns the characters of a piece of text: UTF-8, or windows-1252 where it is not valid UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

export function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** Says which of the two bytes of a UTF-16 unit holds its low half. */
const LITTLE_ENDIAN = 0;
const BIG_ENDIAN = 1;
type LowByte = typeof LITTLE_ENDIAN | typeof BIG_ENDIAN;

// The header of a lap file is English and long enough for this many letters.
const UTF16_EVIDENCE_UNITS = 8;

/** Returns true for text without a mark that has plain ASCII letters, each beside a zero, from the very beginning. */
function looksLikeUtf16(bytes: Uint8Array, low: LowByte): boolean {
  for (let unit = 0; unit < UTF16_EVIDENCE_UNITS; unit++) {
    const letter = bytes[2 * unit + low] ?? 0;
    if (letter < 0x09 || letter > 0x7e || bytes[2 * unit + 1 - low] !== 0) return false;
  }
  return true;
}

function utf16ToUtf8(bytes: Uint8Array, low: LowByte): Uint8Array {
  const unitCount = bytes.length >> 1;
  const utf8 = new Uint8Array(utf8Length(bytes, low));
  let at = 0;
  for (let unit = 0; unit < unitCount; unit++) {
    const code = unitAt(bytes, unit, low);
    if (code < 0x80) utf8[at++] = code;
    else if (code < 0x800) {
      utf8[at++] = 0xc0 | (code >> 6);
      utf8[at++] = 0x80 | (code & 0x3f);
    } else {
      // Characters beyond the first plane come out as two halves. Nothing that is read from a lap file contains any.
      utf8[at++] = 0xe0 | (code >> 12);
      utf8[at++] = 0x80 | ((code >> 6) & 0x3f);
      utf8[at++] = 0x80 | (code & 0x3f);
    }
  }
  return utf8;
}

function utf8Length(bytes: Uint8Array, low: LowByte): number {
  let length = 0;
  for (let unit = 0; unit < bytes.length >> 1; unit++) {
    const code = unitAt(bytes, unit, low);
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
  }
  return length;
}

function unitAt(bytes: Uint8Array, unit: number, low: LowByte): number {
  return (bytes[2 * unit + low] ?? 0) | ((bytes[2 * unit + 1 - low] ?? 0) << 8);
}
