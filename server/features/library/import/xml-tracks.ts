import { DOMParser, type Document, Element } from '@xmldom/xmldom';
import { kml } from '@tmcw/togeojson';
import { parseDecimal } from '#contract/tracks/labels.ts';
import { AppError } from '#server/kernel/errors.ts';
import { checkXmlSize } from './check-xml-size.ts';
import { readGeoJson } from './geojson-tracks.ts';

/** Tests if a text is XML, the format of KML and of Racelogic's circuits. */
export function isXml(text: string): boolean {
  return /^\uFEFF?\s*</.test(text);
}

const UNKNOWN_XML = 'This XML file is neither KML nor a start/finish database.';
const KNOWN_ELEMENT = /<(?:[\w.-]{1,40}:)?kml[\s>]|<circuit[\s/>]/;

/**
 * Lists the lines and areas of a KML file, or the circuits of a Racelogic start/finish database, as entries for `readTrack`.
 * @throws AppError where the text is neither
 */
export function readXmlTracks(text: string): unknown[] {
  // A document of another kind is refused before the slow part.
  if (!KNOWN_ELEMENT.test(text)) throw new AppError('invalid_input', UNKNOWN_XML);
  checkXmlSize(text);
  const root = parseXml(text);
  if (root.documentElement?.localName === 'kml') return readGeoJson(kml(root));
  const circuits = listElements(root, 'circuit');
  if (circuits.length > 0) return circuits.map(readCircuit);
  throw new AppError('invalid_input', UNKNOWN_XML);
}

function parseXml(text: string): Document {
  try {
    return new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') throw notXml(message);
      },
    }).parseFromString(text, 'text/xml');
  } catch (error) {
    throw error instanceof AppError ? error : notXml(error);
  }
}

function notXml(cause: unknown): AppError {
  return new AppError('invalid_input', 'This file is not valid XML.', { cause });
}

function listElements(root: Document | Element, name: string): Element[] {
  return Array.from(root.getElementsByTagName(name));
}

const COMBINED = /,|;/;
const MINUTES_PER_DEGREE = 60;

/** Reads a circuit of Racelogic: positions in minutes, longitude counted to the west, a gate without direction. */
function readCircuit(circuit: Element): unknown {
  const country = circuit.parentNode?.parentNode;
  const [start] = listElements(circuit, 'startFinish');
  const [name = '', configuration] = (circuit.getAttribute('name') ?? '').split(COMBINED);
  return {
    name: name.trim(),
    configuration: configuration?.trim(),
    country: country instanceof Element ? country.getAttribute('name') : null,
    lengthm: circuit.getAttribute('length'),
    startfinish: start && readMinutes(start),
    sectors: listElements(circuit, 'split').map(readMinutes),
  };
}

function readMinutes(element: Element): unknown {
  const [lat, lon] = ['lat', 'long'].map((name) => parseDecimal(element.getAttribute(name) ?? ''));
  if (lat == null || lon == null) return {};
  return { lat: lat / MINUTES_PER_DEGREE, lon: -lon / MINUTES_PER_DEGREE };
}
