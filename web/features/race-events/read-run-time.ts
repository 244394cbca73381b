const FORM = /^(?:\d{1,2}:\d{2}:\d{2}|\d{1,4}:\d{2}|\d{1,5})(?:[.,]\d{1,3})?$/;

/** Reads a time as timekeepers type it: '1:04.123', '64.123', '64,1' or '1:02:03.4'. Returns milliseconds; null for another text. */
export function readRunTime(typed: string): number | null {
  const text = typed.trim();
  const [whole = '', fraction = ''] = text.split(/[.,]/);
  const [first = NaN, ...others] = whole.split(':').map(Number);
  if (!FORM.test(text) || others.some((part) => part > 59)) return null;
  const seconds = others.reduce((sum, part) => sum * 60 + part, first);
  return seconds * 1000 + Number(fraction.padEnd(3, '0'));
}
