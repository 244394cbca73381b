import type { ColumnHead } from '../text/csv-header.ts';

/** Holds the same names without the blanks between their words: loggers write `gpsLatitude`, `gps_latitude` and `GPS Latitude`. */
export type ColumnNames = readonly string[];

function namesOf(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(', '));
}

function squash(name: string): string {
  return name.replaceAll(' ', '');
}

function squashed(names: readonly string[]): ColumnNames {
  return [...new Set(names.map(squash))];
}

/** `latitude` is also called `gps latitude`, `gnss latitude` or `position latitude`; the receiver's own column goes first. */
function withReceiver(names: readonly string[]): string[] {
  const prefixes = ['gps ', 'gnss ', 'vbox ', 'position ', 'location ', ''];
  return names.flatMap((name) => prefixes.map((prefix) => prefix + name));
}

/** Returns heads whose names can be compared with those here. */
export function squashHeads(heads: readonly ColumnHead[]): ColumnHead[] {
  return heads.map((head) => ({ ...head, name: squash(head.name) }));
}

const LATITUDE_MINUTES = namesOf('lat min, lat minutes, latitude min, latitude minutes');
const LATITUDE_SECONDS = namesOf('lat sec, lat seconds, latitude sec, latitude seconds');
const LONGITUDE_MINUTES = namesOf(
  'lon min, lon minutes, long min, long minutes, longitude min, longitude minutes, lng min, lng minutes',
);
const LONGITUDE_SECONDS = namesOf(
  'lon sec, lon seconds, long sec, long seconds, longitude sec, longitude seconds, lng sec, lng seconds',
);

// GR Cup's telemetry calls its degrees minutes, so that columns of minutes are the last choice.
export const LATITUDE_NAMES = squashed([
  ...withReceiver(
    namesOf('latitude, lat, latitude degrees, lat degrees, latitude deg, lat deg, latitude e7, lat e7'),
  ),
  ...withReceiver(namesOf('latitude e6, lat e6')),
  ...namesOf(
    'latitude n/s, breitengrad, breite, latitud, latitudine, breedtegraad, szerokość geograficzna, широта',
    'breddegrad, leveysaste, zeměpisná šířka, 緯度',
  ),
  ...withReceiver(LATITUDE_MINUTES),
]);
export const LONGITUDE_NAMES = squashed([
  ...withReceiver(
    namesOf('longitude, lon, lng, long, longitude degrees, lon degrees, long degrees, lng degrees'),
  ),
  ...withReceiver(namesOf('longitude deg, lon deg, long deg, lng deg')),
  ...withReceiver(namesOf('longitude e7, lon e7, lng e7, longitude e6, lon e6, lng e6')),
  ...namesOf('longitude e/w, längengrad, länge, laengengrad, longitud, longitudine, lengtegraad'),
  ...namesOf('długość geograficzna, долгота, længdegrad, lengdegrad, pituusaste, zeměpisná délka, 経度'),
  ...withReceiver(LONGITUDE_MINUTES),
]);
/**
 * Finds the latitude and longitude of a table that puts the same word to both: `vehicle latitude`, `geo_lat`, `lat wgs84`. Words of
 * other measures and of single places are none; `long` is not taken for a longitude, since it is an acceleration as often.
 */
export function findNamedPair(heads: readonly ColumnHead[]): { lat: number; lon: number } | null {
  const columns = new Map(heads.map(({ name, index }) => [name, index]));
  for (const { name, index } of heads) {
    const [, before = '', after = ''] = /^(.*?)(?:latitude|lat)(.*)$/.exec(name) ?? [];
    if (before + after === '' || OF_OTHER_THINGS.test(before) || OTHER_MEASURES.test(after)) continue;
    const lon = ['longitude', 'lon', 'lng'].map((word) => columns.get(before + word + after));
    const found = lon.find((column) => column !== undefined);
    if (found !== undefined) return { lat: index, lon: found };
  }
  return null;
}

const OF_OTHER_THINGS = /^g$|(?:start|begin|end|finish|split|home|min|max|ref|target|waypoint)$/;
const OTHER_MEASURES = /^(?:g$|acc|force|speed|vel|rate|err|std|dev|start|end|min|max)/;

export const LATITUDE_MINUTE_NAMES = squashed(withReceiver(LATITUDE_MINUTES));
export const LONGITUDE_MINUTE_NAMES = squashed(withReceiver(LONGITUDE_MINUTES));
export const LATITUDE_SECOND_NAMES = squashed(withReceiver(LATITUDE_SECONDS));
export const LONGITUDE_SECOND_NAMES = squashed(withReceiver(LONGITUDE_SECONDS));

export const LATITUDE_LETTER_NAMES = squashed(
  namesOf(
    'n/s, ns, n/s indicator, ns indicator, latitude hemisphere, lat hemisphere, lat hem, lat dir, latitude dir',
    'lat direction, latitude direction, lat ns, latitude ns, lat n/s',
  ),
);
export const LONGITUDE_LETTER_NAMES = squashed(
  namesOf(
    'e/w, ew, e/w indicator, ew indicator, longitude hemisphere, lon hemisphere, lon hem, long hem, lon dir',
    'longitude dir, lon direction, longitude direction, long dir, lon ew, long ew, longitude ew, lon e/w, long e/w',
  ),
);

export const POSITION_NAMES = squashed(
  withReceiver(
    namesOf(
      'position, coordinates, coordinate, location, lat lon, lat lng, lat long, latlon, latlng',
      'latitude longitude, latitude/longitude, lat/lon, lat/lng, lat/long, gps',
    ),
  ),
);

export const SPEED_NAMES = squashed([
  ...withReceiver(namesOf('speed, velocity, ground speed, gvel, gspd, gnd spd, gspeed, kph, kmh, km/h, mph')),
  ...withReceiver(namesOf('speed kmh, speed kph, speed mph, speed mps, speed ms, speed knots')),
  ...withReceiver(namesOf('speed over ground, sog, speed 2d, 2d speed, spd, vel')),
  ...namesOf('geschwindigkeit, velocidad, vitesse, velocità, velocidade, snelheid, prędkość, скорость'),
  ...namesOf('hastighet, hastighed, fart, nopeus, rychlost, 速度'),
]);
export const LAP_NAMES = squashed(namesOf('lap number, lap, lap no, lap index'));

export const DATE_NAMES = squashed([
  ...withReceiver(namesOf('date, date utc, utc date, utc d, local date, lcl date')),
  ...namesOf('datum, fecha, data, dato, дата, 日付'),
]);

// The order is that of trust: a clock set by satellites, one that has the date, the seconds of the recording.
export const TIME_NAMES = squashed(
  withReceiver(
    namesOf(
      'utc, utc time, time utc, utc t, utc timestamp, timestamp utc, unix time, unix timestamp, unix, posix, epoch, epoch time',
      'timestamp since1970, datetime, date time, date/time, datetime utc, timestamp, time stamp, time, postime, local time',
      'timestamp ns, time ns, recorded at, created at, logging time, system time, log time, sample time, clock',
      'ts, utc seconds, fecha hora, fecha/hora, fecha y hora, asctime, date heure, date/heure, data ora, data/ora, data hora',
      'data/hora, datum zeit, datum/zeit, datum uhrzeit, datum/uhrzeit, tid, tidpunkt, tidspunkt, aika, čas, 時刻, 日時',
      'lcl time, time of day, zeit, uhrzeit, zeitstempel, hora, ora, heure, temps, tempo, tijd, czas, время',
      'itow, tow, time of week, week time',
      'elapsed time, elapsed, time elapsed, seconds elapsed, elapsed seconds, elapsed ms, session time, running time',
      'relative time, total time, time since start, time since boot, uptime, seconds, secs, millis, milliseconds',
      'micros, microseconds, interval, t, ms',
    ),
  ),
);

/** Lists what a column beside the longitudes is called where its letter O means west, or east. */
export const O_IS_WEST_NAMES = squashed(namesOf('e/o, eo, est/ouest, este/oeste, est/ovest'));
export const O_IS_EAST_NAMES = squashed(namesOf('o/w, ow, w/o, wo, ost/west'));

/** The parts of a date and a time that some loggers write into columns of their own, each with its other names. */
export const TIME_PART_NAMES = {
  year: squashed(withReceiver(namesOf('year, yyyy'))),
  month: squashed(withReceiver(namesOf('month'))),
  day: squashed(withReceiver(namesOf('day'))),
  hour: squashed(withReceiver(namesOf('hour, hours, hh'))),
  minute: squashed(withReceiver(namesOf('minute, minutes, min'))),
  second: squashed(withReceiver(namesOf('second, seconds, sec'))),
  millisecond: squashed(withReceiver(namesOf('millisecond, milliseconds, millis, ms, msec'))),
};
