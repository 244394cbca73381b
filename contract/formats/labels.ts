/** The systems of units that a viewer may choose. Values inside and in the API are always SI or km/h. */
export const UNITS = ['metric', 'british', 'american'] as const;

export type Units = (typeof UNITS)[number];

export const UNITS_LABELS: Record<Units, string> = {
  metric: 'km/h, km, m, °C',
  british: 'mph, miles, m, °C',
  american: 'mph, miles, feet, °F',
};

/** The forms of dates and times that a viewer may choose; a region may have another one. */
export const DATES = [
  'MM/DD/YY h:mm A',
  'MM/DD/YY HH:mm',
  'DD/MM/YYYY HH:mm',
  'DD/MM/YYYY h:mm A',
  'DD.MM.YYYY HH:mm',
  'DD-MM-YYYY HH:mm',
  'YYYY-MM-DD HH:mm',
  'YYYY/MM/DD HH:mm',
] as const;

export type Dates = (typeof DATES)[number];

/** The forms in which a page shows units, dates and times. */
export type Formats = {
  units: Units;
  /** The date and the time, with one space between them. */
  dates: string;
};

/** The forms that a person or a browser has chosen; null follows the language of the browser. */
export type FormatChoice = { units: Units | null; dates: Dates | null };

export const NO_CHOICE: FormatChoice = { units: null, dates: null };

/** A visitor who is not signed in keeps the choice in this cookie, as JSON. */
export const FORMATS_COOKIE = 'formats';

/** The forms for a viewer who gives no hint: search engines, previews of links, and browsers set to 'English' without a region. */
export const SPECIFIED_FORMATS: Formats = { units: 'metric', dates: 'MM/DD/YY HH:mm' };

/** Puts a choice over the forms of the browser's language. */
export function chooseFormats(ofBrowser: Formats, { units, dates }: FormatChoice): Formats {
  return { units: units ?? ofBrowser.units, dates: dates ?? ofBrowser.dates };
}

const ISO_MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?)?/;

/**
 * Formats the day of an ISO 8601 date. The day is taken as written, with the track's own offset, and never converted to
 * the reader's time zone: a lap of Saturday evening stays one of Saturday. Other texts give 'N/A'.
 */
export function formatDate({ dates }: Formats, isoDate: string | null | undefined): string {
  return fillPattern(datePattern(dates), isoDate) ?? 'N/A';
}

/** Formats day and month without the year: '11/24', '24.11.' */
export function formatDayAndMonth({ dates }: Formats, isoDate: string): string {
  return fillPattern(datePattern(dates).replace(/^Y+[./-]|[/-]?Y+$/, ''), isoDate) ?? 'N/A';
}

/** Formats day and time of an ISO 8601 date, both as written; other texts stay. */
export function formatDateAndTime({ dates }: Pick<Formats, 'dates'>, iso: string): string {
  return /T\d{2}:\d{2}/.test(iso) ? (fillPattern(dates, iso) ?? iso) : iso;
}

/** Formats a moment to the second. */
export function formatDateAndSecond({ dates }: Pick<Formats, 'dates'>, iso: string): string {
  return formatDateAndTime({ dates: dates.replace('mm', 'mm:ss') }, iso);
}

function datePattern(dates: string): string {
  return dates.split(' ')[0] ?? '';
}

function fillPattern(pattern: string, iso: string | null | undefined): string | null {
  const [, year = '', month = '', day = '', hour = '', minute = '', second = ''] =
    ISO_MOMENT.exec(iso ?? '') ?? [];
  if (year === '') return null;
  const fields: Record<string, string> = {
    YYYY: year,
    YY: year.slice(2),
    MM: month,
    DD: day,
    HH: hour,
    h: String(Number(hour) % 12 || 12),
    mm: minute,
    ss: second,
    A: Number(hour) < 12 ? 'AM' : 'PM',
  };
  return pattern.replaceAll(/YYYY|YY|MM|DD|HH|h|mm|ss|A/g, (field) => fields[field] ?? field);
}
