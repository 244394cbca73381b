// Spreadsheets take a cell that begins like this for a formula (OWASP, CSV injection), also with full-width signs. One that was
// set to split at semicolons or tabs, as in many countries, finds such a beginning within a text.
const FORMULA = /(?<=^|[;\t\r\n])(?= *[=+\-@＝＋－＠])/g;

/** Writes a cell (RFC 4180) that no spreadsheet takes for a formula, quoted where it must be or `isQuoted`. */
export function writeCsvCell(value: string | number, { isQuoted = false } = {}): string {
  if (typeof value === 'number' && !isQuoted) return String(value);
  const text = String(value);
  const safe = typeof value === 'string' ? text.replaceAll(FORMULA, "'") : text;
  return isQuoted || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
