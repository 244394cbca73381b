import {
  formatDate,
  formatDateAndSecond,
  formatDateAndTime,
  formatDayAndMonth,
  type Formats,
  SPECIFIED_FORMATS,
} from '#contract/formats/labels.ts';

// The reader's forms of units, dates and times. Every component reads them while it renders: on the server a page is
// rendered in one go, so that pages of different visitors never mix; in the browser there is one visitor.
let shown: Formats = SPECIFIED_FORMATS;

/** Sets the forms in which everything here formats from now on. */
export function showFormats(formats: Formats): void {
  // The object stays the same while its values do, for the memory of components.
  if (formats.units !== shown.units || formats.dates !== shown.dates) shown = formats;
}

export function shownFormats(): Formats {
  return shown;
}

/** Formats the day of a date as written, at the track: 11/24/26 or 24.11.2026. Other texts give 'N/A'. */
export function formatLapDate(isoDate: string | null | undefined): string {
  return formatDate(shown, isoDate);
}

/** Formats day and month, where the year is known or the room small: 11/24 or 24.11. */
export function formatShortDate(isoDate: string): string {
  return formatDayAndMonth(shown, isoDate);
}

/** Formats a moment in UTC: '11/22/26 12:40 UTC'. */
export function formatMoment(iso: string): string {
  return `${formatTableMoment(iso)} UTC`;
}

/** Formats a moment in UTC for a table whose head names the time zone: '11/22/26 12:40'. */
export function formatTableMoment(iso: string): string {
  return formatDateAndTime(shown, iso);
}

/** Formats a moment in UTC to the second: '11/22/26 12:40:05'. */
export function formatExactMoment(iso: string): string {
  return formatDateAndSecond(shown, iso);
}

/** Formats the time of day of a moment where this device is: '14:37'. */
export function formatClock(epochMs: number): string {
  return new Date(epochMs).toTimeString().slice(0, 5);
}

/** Formats the day of a moment where this device is: 11/24/26 or 24.11.2026. */
export function formatLocalDate(epochMs: number): string {
  const moment = new Date(epochMs);
  const offsetMs = moment.getTimezoneOffset() * 60_000;
  return formatLapDate(new Date(epochMs - offsetMs).toISOString());
}

/** Formats how long something took: '23 min 41 s', '1 h 5 min'. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.round(durationMs / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

const KMH_PER_MPH = 1.609344;
const METERS_PER_MILE = 1609.344;
const METERS_PER_FOOT = 0.3048;
const METERS_PER_INCH = 0.0254;

export function speedUnit(): string {
  return shown.units === 'metric' ? 'km/h' : 'mph';
}

/** Returns a speed in the reader's unit. */
export function toShownSpeed(kmh: number): number {
  return shown.units === 'metric' ? kmh : kmh / KMH_PER_MPH;
}

/** Returns a speed in the reader's unit as all texts show it, so that their differences agree. */
export function roundSpeed(kmh: number): number {
  return Math.round(toShownSpeed(kmh));
}

/** Formats a speed: '107 km/h' or '66 mph'. */
export function formatSpeed(kmh: number): string {
  return `${roundSpeed(kmh)} ${speedUnit()}`;
}

/** Returns the unit of lengths along a lap. */
export function lengthUnit(): string {
  return shown.units === 'american' ? 'ft' : 'm';
}

/** Returns how many metres one of the reader's units of length has. */
export function metersPerUnit(): number {
  return shown.units === 'american' ? METERS_PER_FOOT : 1;
}

/** Returns a length in the reader's unit as all texts show it. */
export function roundLength(meters: number): number {
  return Math.round(meters / metersPerUnit());
}

/** Formats a length for screen readers, which may read 'm' as a letter: '1,424 metres'. */
export function spellLength(meters: number): string {
  return `${formatCount(roundLength(meters))} ${shown.units === 'american' ? 'feet' : 'metres'}`;
}

/** Formats a length along a lap or beside it: '1,424 m' or '4,672 ft'. */
export function formatLength(meters: number, decimals = 0): string {
  return `${decimals === 0 ? formatCount(roundLength(meters)) : (meters / metersPerUnit()).toFixed(decimals)} ${lengthUnit()}`;
}

/** Formats a length that is much shorter than a car: '1.2 cm' or '0.5 in'. */
export function formatFineLength(meters: number): string {
  if (shown.units !== 'american') return `${(100 * meters).toFixed(1)} cm`;
  return `${(meters / METERS_PER_INCH).toFixed(1)} in`;
}

export function distanceUnit(): string {
  return shown.units === 'metric' ? 'km' : 'mi';
}

/** Returns how many metres one of the reader's units of distance has. */
export function metersPerDistanceUnit(): number {
  return shown.units === 'metric' ? 1000 : METERS_PER_MILE;
}

/** Formats a way between places: '12 km' or '7 mi'. */
export function formatDistance(meters: number): string {
  return `${formatCount(Math.round(meters / metersPerDistanceUnit()))} ${distanceUnit()}`;
}

const QUANTITY = /(, )?((?:[\d.,]*\d to )?\d[\d,]*(?:\.\d+)?) (km\/h|km|m)(?![\w/])/g;

/**
 * Writes the metric speeds and lengths of a sentence of the server in the reader's units, with as many decimals. A number after
 * a comma belongs to a name that is stored like this, such as 'Track near Adria, 1.230 km'.
 */
export function formatSentence(sentence: string): string {
  if (shown.units === 'metric') return sentence;
  return sentence.replaceAll(
    QUANTITY,
    (written, comma: string | undefined, numbers: string, unit: string) => {
      if (comma !== undefined) return written;
      const converted = numbers.split(' to ').map((number) => convertWritten(number, unit));
      return `${converted.join(' to ')} ${toShownUnit(unit)}`;
    },
  );
}

function toShownUnit(unit: string): string {
  if (unit === 'km/h') return speedUnit();
  return unit === 'km' ? distanceUnit() : lengthUnit();
}

function convertWritten(written: string, unit: string): string {
  const value = Number(written.replaceAll(',', ''));
  const decimals = written.split('.')[1]?.length ?? 0;
  const converted =
    unit === 'km/h'
      ? toShownSpeed(value)
      : unit === 'km'
        ? (1000 * value) / metersPerDistanceUnit()
        : value / metersPerUnit();
  return decimals === 0 ? formatCount(Math.round(converted)) : converted.toFixed(decimals);
}

/** Formats the length of a track to the thousandth, on one line: '5.278 km' or '3.280 mi'. */
export function formatTrackLength(lengthMeters: number): string {
  return `${(lengthMeters / metersPerDistanceUnit()).toFixed(3)}\u00A0${distanceUnit()}`;
}

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

/** Formats the time of a sector in seconds to the millisecond; a dash for one that is not known. */
export function formatSector(timeMs: number | null | undefined): string {
  return typeof timeMs === 'number' ? formatSeconds(timeMs) : '—';
}

/** Formats a difference of times in seconds to the millisecond, with its sign: +0.485 or −0.112. */
export function formatDifference(differenceMs: number): string {
  const rounded = Math.round(differenceMs);
  const sign = rounded < 0 ? '−' : rounded > 0 ? '+' : '';
  return `${sign}${formatSeconds(Math.abs(rounded))}`;
}

/** Formats the length of a track in kilometres for every reader, as in names of layouts and where a track is chosen. */
export function formatKilometers(lengthMeters: number): string {
  return `${(lengthMeters / 1000).toFixed(3)} km`;
}

/** Writes a size in millions of bytes, without the unit: 12.3. */
export function countMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

/** Formats a size in millions of bytes: 12.3 MB. */
export function formatMegabytes(bytes: number): string {
  return `${countMegabytes(bytes)} MB`;
}

/** Formats a size in billions of bytes from one on, else in millions: 1.2 GB, 12.3 MB. */
export function formatBytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : formatMegabytes(bytes);
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
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Formats the time of day at a place: 14:41. Without knowledge of the zone it is that of UTC. */
export function formatClockAt(atMs: number, timeZone: string): string {
  const form = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-GB', { ...form, timeZone }).format(atMs);
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...form, timeZone: 'UTC' }).format(atMs);
  }
}
