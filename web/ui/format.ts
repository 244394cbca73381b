export { formatLapDate } from '#contract/laps/labels.ts';

/**
 * Formats a whole number with commas between thousands: 12,345. The browser's own formatting takes 13 ms on its first
 * use, four times that on a phone.
 */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a time in seconds to the millisecond: 12.040. */
export function formatSeconds(timeMs: number): string {
  return (timeMs / 1000).toFixed(3);
}

/** Formats a difference of times in seconds to the millisecond, with its sign: +0.485 or −0.112. */
export function formatDifference(differenceMs: number): string {
  const rounded = Math.round(differenceMs);
  const sign = rounded < 0 ? '−' : rounded > 0 ? '+' : '';
  return `${sign}${formatSeconds(Math.abs(rounded))}`;
}

/** Formats a length in kilometres to the metre, on one line: 5.278 km. */
export function formatLengthKm(lengthMeters: number): string {
  return `${(lengthMeters / 1000).toFixed(3)}\u00A0km`;
}

/** Returns the first two letters of a name in capitals, which a board shows if there is no avatar. */
export function firstTwoLetters(name: string): string {
  return firstLetters(name.trim(), 2);
}

/** Returns the first letters of the first and the last word of a name in capitals. */
export function formatInitials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = ''] = words;
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return firstLetters(first, 1) + firstLetters(last, 1);
}

// Code points keep a letter outside the basic plane in one piece.
function firstLetters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('').toUpperCase();
}

/** Formats a number with its noun: '1 track', '10,000 tracks'. */
export function pluralize(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats an ISO 8601 time as '2026-06-07 02:23 UTC'. */
export function formatMoment(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** Formats a moment in UTC for a table: '11/22/26 12:40'. */
export function formatTableMoment(iso: string): string {
  const [, year = '', month, day, time] = /^\d\d(\d\d)-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(iso) ?? [];
  return time === undefined ? iso : `${month}/${day}/${year} ${time}`;
}
