const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})/;

/**
 * The day of an ISO 8601 date as MM/DD/YY. The day is taken as written, with the track's own offset, and never moved
 * into the reader's time zone: a lap of Saturday evening stays one of Saturday. Anything else gives 'N/A'.
 */
export function formatLapDate(isoDate: string | null | undefined): string {
  const [, year, month, day] = ISO_DATE.exec(isoDate ?? '') ?? [];
  return year && month && day ? `${month}/${day}/${year.slice(2)}` : 'N/A';
}
