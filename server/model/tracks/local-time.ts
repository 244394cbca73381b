import lookUpTimeZone from '@photostructure/tz-lookup';

/** Returns the IANA name of the time zone at a position, such as `Europe/Berlin`. */
export function timeZoneAt(lat: number, lon: number): string {
  return lookUpTimeZone(lat, lon);
}

/** Returns `instant` as local time in `timeZone`, with its offset from UTC: `2026-05-02T14:03:11+02:00`. */
export function toLocalIso(instant: Date, timeZone: string): string {
  const offsetMs = offsetFromUtcMs(instant, timeZone);
  const wallClock = new Date(instant.getTime() + offsetMs).toISOString().slice(0, 19);
  return wallClock + formatOffset(offsetMs);
}

/** Returns the instant at which local time in `timeZone` is `wallClockMs`, given as if that were UTC. */
export function fromWallClock(wallClockMs: number, timeZone: string): Date {
  // The offset in force is that of the instant sought; a guess with the offset nearby is right except in the hours
  // around a change of the clocks, where the second look puts it right.
  const guess = wallClockMs - offsetFromUtcMs(new Date(wallClockMs), timeZone);
  return new Date(wallClockMs - offsetFromUtcMs(new Date(guess), timeZone));
}

// One for each of some 400 time zones: to make one takes far longer than to use it.
const formats = new Map<string, Intl.DateTimeFormat>();

function offsetFromUtcMs(instant: Date, timeZone: string): number {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const parts = format.formatToParts(instant);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  const match = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(name);
  if (!match) throw new Error(`The offset of ${timeZone} cannot be read from ${JSON.stringify(name)}.`);
  const [, sign, hours = '0', minutes = '0'] = match;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? -offsetMs : offsetMs;
}

function formatOffset(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / 60_000;
  return `${offsetMs < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
