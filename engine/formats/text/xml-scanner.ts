import { parseDecimal } from './decimal.ts';

/** Describes a piece of text: the bytes from `start` up to `end`. */
export type Slice = { bytes: Uint8Array; start: number; end: number };

/**
 * Walks through the tags of an XML document from front to back, over bytes and without building anything. It knows comments, CDATA,
 * processing instructions, quoted attributes with `>` in them and namespace prefixes. It never looks into a document type, so that
 * entities declared there mean nothing, and it goes on after errors in the markup: a lap file that was cut off is still worth reading.
 */
export class XmlScanner {
  readonly #bytes: Uint8Array;
  #position = 0;
  #nameStart = 0;
  #nameEnd = 0;
  #attributesEnd = 0;
  /** Offset behind the attribute that was found last: attributes are mostly asked for in their order. */
  #attributesRead = 0;
  /** True where the current open tag closes itself: `<trkseg/>`. */
  isSelfClosing = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): 'open' | 'close' | 'end' {
    for (;;) {
      const bytes = this.#bytes;
      const tag = indexOrEnd(bytes, LESS_THAN, this.#position);
      if (tag === bytes.length) return 'end';
      const first = bytes[tag + 1];
      if (first === EXCLAMATION_MARK) this.#position = skipDeclaration(bytes, tag);
      else if (first === QUESTION_MARK) this.#position = findEnd(bytes, INSTRUCTION_END, tag + 2);
      else if (first === SLASH) return this.#readCloseTag(tag + 2);
      else if (isNameByte(first)) return this.#readOpenTag(tag + 1);
      else this.#position = tag + 1;
    }
  }

  /** Returns whether the current tag has this name, whatever its namespace prefix. */
  isNamed(name: Uint8Array): boolean {
    const start = this.#nameEnd - name.length;
    const isWhole =
      start === this.#nameStart || (start > this.#nameStart && this.#bytes[start - 1] === COLON);
    return isWhole && matches(this.#bytes, start, name);
  }

  /** Returns the value of an attribute of the current open tag, in any order and either kind of quotes; null where it has none. */
  attribute(name: Uint8Array): Slice | null {
    const start = this.#findAttribute(name);
    return start < 0 ? null : resolved({ bytes: this.#bytes, start, end: this.#attributesRead - 1 });
  }

  /** Returns the number that an attribute holds; NaN for none. */
  attributeNumber(name: Uint8Array): number {
    const start = this.#findAttribute(name);
    if (start < 0) return Number.NaN;
    const end = this.#attributesRead - 1;
    const plain = parseDecimal(this.#bytes, start, end);
    return Number.isNaN(plain) ? parseSlice(resolved({ bytes: this.#bytes, start, end })) : plain;
  }

  /** Returns the offset at which the value of an attribute begins; -1 where the current open tag has no such attribute. */
  #findAttribute(name: Uint8Array): number {
    const found = this.#findAttributeBetween(name, this.#attributesRead, this.#attributesEnd);
    return found < 0 ? this.#findAttributeBetween(name, this.#nameEnd, this.#attributesRead) : found;
  }

  #findAttributeBetween(name: Uint8Array, from: number, tagEnd: number): number {
    const bytes = this.#bytes;
    for (let at = from; at < tagEnd;) {
      const start = skip(bytes, at, tagEnd, BLANK | OTHER);
      const end = skip(bytes, start, tagEnd, NAME);
      const equalsSign = skip(bytes, end, tagEnd, BLANK);
      const opening = skip(bytes, equalsSign + 1, tagEnd, BLANK);
      const quote = bytes[opening];
      if (bytes[equalsSign] !== EQUALS || (quote !== QUOTE && quote !== APOSTROPHE)) {
        at = end + 1;
        continue;
      }
      const closing = indexOrEnd(bytes, quote, opening + 1, tagEnd);
      if (closing >= tagEnd) return -1;
      at = closing + 1;
      if (!equals(bytes, start, end, name)) continue;
      this.#attributesRead = at;
      return opening + 1;
    }
    return -1;
  }

  /** Returns the text between the current open tag and the next tag, with CDATA and characters written as references resolved. */
  text(): Slice {
    const bytes = this.#bytes;
    const start = this.#position;
    if (this.isSelfClosing) return { bytes, start, end: start };
    const end = indexOrEnd(bytes, LESS_THAN, start);
    if (bytes[end + 1] !== EXCLAMATION_MARK) return resolved({ bytes, start, end });
    return this.#textOfPieces(start, end);
  }

  /** Returns what `parse` makes of the text between the current open tag and the next tag; NaN for nothing. */
  parseText(parse: (bytes: Uint8Array, start: number, end: number) => number): number {
    const bytes = this.#bytes;
    const start = this.#position;
    const end = this.isSelfClosing ? start : indexOrEnd(bytes, LESS_THAN, start);
    const plain = parse(bytes, start, end);
    if (!Number.isNaN(plain) && bytes[end + 1] !== EXCLAMATION_MARK) {
      this.#position = end;
      return plain;
    }
    const text = this.text();
    return parse(text.bytes, text.start, text.end);
  }

  /** Returns text that is interrupted by comments or CDATA. */
  #textOfPieces(start: number, firstEnd: number): Slice {
    const bytes = this.#bytes;
    const pieces = [resolved({ bytes, start, end: firstEnd })];
    let end = firstEnd;
    while (bytes[end + 1] === EXCLAMATION_MARK && pieces.length < MOST_PIECES) {
      const pieceEnd = skipDeclaration(bytes, end);
      if (matches(bytes, end, CDATA_START)) {
        pieces.push({ bytes, start: end + CDATA_START.length, end: pieceEnd - CDATA_END.length });
      }
      end = indexOrEnd(bytes, LESS_THAN, pieceEnd);
      pieces.push(resolved({ bytes, start: pieceEnd, end }));
    }
    this.#position = end;
    return joined(pieces);
  }

  #readCloseTag(nameStart: number): 'close' {
    this.#readName(nameStart);
    this.#position = endOfTag(this.#bytes, this.#nameEnd);
    this.isSelfClosing = false;
    return 'close';
  }

  #readOpenTag(nameStart: number): 'open' {
    this.#readName(nameStart);
    const end = endOfTag(this.#bytes, this.#nameEnd);
    this.isSelfClosing = this.#bytes[end - 2] === SLASH;
    this.#attributesRead = this.#nameEnd;
    this.#attributesEnd = end - 1;
    this.#position = end;
    return 'open';
  }

  #readName(start: number): void {
    const bytes = this.#bytes;
    let at = start;
    while (isNameByte(bytes[at])) at++;
    this.#nameStart = start;
    this.#nameEnd = at;
  }
}

/** The bytes of a name, to compare tags and attributes with. */
export function xmlName(name: string): Uint8Array {
  return Uint8Array.from(name, (letter) => letter.charCodeAt(0));
}

/** Returns whether the first element of a document has this name, whatever its namespace prefix. */
export function hasRootElement(bytes: Uint8Array, head: string, name: Uint8Array): boolean {
  if (!head.trimStart().startsWith('<')) return false;
  const scanner = new XmlScanner(bytes);
  return scanner.next() === 'open' && scanner.isNamed(name);
}

/** Parses the number that a piece of text consists of; NaN for none. */
export function parseSlice(slice: Slice | null): number {
  return slice === null ? Number.NaN : parseDecimal(slice.bytes, slice.start, slice.end);
}

const SPACE = 0x20;
const EXCLAMATION_MARK = 0x21;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const APOSTROPHE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS_THAN = 0x3c;
const EQUALS = 0x3d;
const GREATER_THAN = 0x3e;
const QUESTION_MARK = 0x3f;
const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;

const COMMENT_START = xmlName('<!--');
const COMMENT_END = xmlName('-->');
const CDATA_START = xmlName('<![CDATA[');
const CDATA_END = xmlName(']]>');
const INSTRUCTION_END = xmlName('?>');

// A text that we read is one number or one time; text in a thousand pieces is neither.
const MOST_PIECES = 1000;
const LONGEST_VALUE = 1000;

/** Tags consist of these kinds of bytes. Names hold letters, digits, `_`, `-`, `.`, `:` and everything that is not ASCII. */
const NAME = 1;
const BLANK = 2;
const OTHER = 4;
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte <= SPACE) return BLANK;
  return byte >= 0x80 || /[\w.:-]/.test(String.fromCharCode(byte)) ? NAME : OTHER;
});

function isNameByte(byte: number | undefined): boolean {
  return byte !== undefined && KIND[byte] === NAME;
}

/** Returns the first offset whose byte is of none of these kinds. */
function skip(bytes: Uint8Array, start: number, end: number, kinds: number): number {
  let at = start;
  while (at < end && ((KIND[bytes[at] ?? SPACE] ?? OTHER) & kinds) !== 0) at++;
  return at;
}

function equals(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  return end - start === name.length && matches(bytes, start, name);
}

function matches(bytes: Uint8Array, start: number, pattern: Uint8Array): boolean {
  for (let index = 0; index < pattern.length; index++)
    if (bytes[start + index] !== pattern[index]) return false;
  return true;
}

/** Finds a byte by a loop, which is quicker than a call of `indexOf`: it is nearly always near. */
function indexOrEnd(bytes: Uint8Array, wanted: number, start: number, end = bytes.length): number {
  let at = start;
  while (at < end && bytes[at] !== wanted) at++;
  return Math.min(at, end);
}

/** Finds the offset behind the next occurrence of `pattern`; the end of the document where there is none. */
function findEnd(bytes: Uint8Array, pattern: Uint8Array, start: number): number {
  const last = pattern.at(-1) ?? GREATER_THAN;
  const before = pattern.length - 1;
  for (let at = bytes.indexOf(last, start + before); at >= 0; at = bytes.indexOf(last, at + 1)) {
    if (matches(bytes, at - before, pattern)) return at + 1;
  }
  return bytes.length;
}

/**
 * Returns the offset behind a tag. A `>` in a quoted attribute does not end it. A `<` always does: it may not be in
 * a tag at all, so that a missing quote spoils one tag and not the rest of the file.
 */
function endOfTag(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? SPACE;
    // Most bytes are letters, which is one question instead of four.
    if (byte > GREATER_THAN) continue;
    if (byte === GREATER_THAN) return at + 1;
    if (byte === LESS_THAN) return at;
    if (byte === QUOTE || byte === APOSTROPHE) {
      do at++;
      while (at < bytes.length && bytes[at] !== byte && bytes[at] !== LESS_THAN);
      if (bytes[at] === LESS_THAN) return at;
    }
  }
  return bytes.length;
}

/** Returns the offset behind a comment, a CDATA section or a document type, which begins with `<!` at `start`. */
function skipDeclaration(bytes: Uint8Array, start: number): number {
  if (matches(bytes, start, COMMENT_START)) return findEnd(bytes, COMMENT_END, start + COMMENT_START.length);
  if (matches(bytes, start, CDATA_START)) return findEnd(bytes, CDATA_END, start + CDATA_START.length);
  let depth = 0;
  for (let at = start + 2; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE || byte === APOSTROPHE) at = indexOrEnd(bytes, byte, at + 1);
    else if (byte === LEFT_BRACKET) depth++;
    else if (byte === RIGHT_BRACKET) depth--;
    else if (byte === GREATER_THAN && depth <= 0) return at + 1;
    else if (byte === LESS_THAN && matches(bytes, at, COMMENT_START))
      at = findEnd(bytes, COMMENT_END, at + 4) - 1;
  }
  return bytes.length;
}

/** Resolves references to characters, where there are any. Other entities are left as written: they are no part of a number. */
function resolved(slice: Slice): Slice {
  const { bytes, start, end } = slice;
  if (end - start > LONGEST_VALUE || !hasAmpersand(slice)) return slice;
  const text = String.fromCharCode(...bytes.subarray(start, end));
  const plain = text.replaceAll(
    /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi,
    (_, hex: string | undefined, decimal: string | undefined) =>
      String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
  const resolvedBytes = xmlName(plain);
  return { bytes: resolvedBytes, start: 0, end: resolvedBytes.length };
}

function hasAmpersand({ bytes, start, end }: Slice): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === AMPERSAND) return true;
  return false;
}

function joined(pieces: readonly Slice[]): Slice {
  const parts = pieces.map(({ bytes, start, end }) =>
    bytes.subarray(start, Math.min(Math.max(start, end), start + LONGEST_VALUE)),
  );
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, start: 0, end: bytes.length };
}
