import type { ParsedTrack } from '#contract/library/schemas.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readFields } from '#server/model/cars/imported-fields.ts';
import { isGeoJson, readGeoJson, type TrackNames } from './geojson-tracks.ts';
import { parseTrackFile } from './parse-track-file.ts';
import { isCircuitFile, readCircuitFile } from './racelogic-circuit.ts';
import { isXml, readXmlTracks } from './xml-tracks.ts';

/** The context of a file adds to its text: names for its tracks, such as those of its venue, and its own name. */
type DocumentContext = { names?: TrackNames; fileName?: string };

/** The reader supports files with these extensions. */
export const TRACK_FILE_NAMES = /\.(?:json|geojson|kml|xml|cir)$/i;

/**
 * Reads a file of tracks of any known format, which it detects by the content: JSON (see `parseTrackFile`), GeoJSON, KML, a
 * circuit file or a start/finish database of Racelogic.
 * @throws AppError where it is none of these, or has no track
 */
export function readTrackDocument(text: string, { names, fileName }: DocumentContext = {}): ParsedTrack[] {
  if (isXml(text)) return parseTrackFile(readXmlTracks(text));
  const title = fileName?.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '');
  if (isCircuitFile(text)) return parseTrackFile([readCircuitFile(text, title)]);
  const value = parseJson(text);
  if (!isGeoJson(value)) return parseTrackFile(value);
  return parseTrackFile(readGeoJson(value, names));
}

/** Reads the names that the `venue.json` of the open track database gives to the layouts beside it; null for any other file. */
export function readVenueNames(text: string): TrackNames | null {
  const fields = readFields(parseJson(text));
  if (!fields || fields.get('name') === undefined) return null;
  const location =
    fields.get('city') ?? fields.get('locality') ?? fields.get('region') ?? fields.get('location');
  return {
    name: fields.get('name'),
    ...(typeof location === 'string' && { location }),
    country: fields.get('country') ?? fields.get('countrycode'),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('invalid_input', 'This file is not valid JSON.', { cause });
  }
}
