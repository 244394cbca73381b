import { expect, test } from 'vitest';
import { distanceMeters, middle } from '#engine/geo.ts';
import { kartTrackAt } from '#engine/testing/kart-track.ts';
import { readTrackDocument, readVenueNames } from './read-track-document.ts';

const KART = kartTrackAt({ lat: 48.1, lon: 11.6 });
const POINTS = (KART.outline ?? []).map(([lat, lon]) => ({ lat, lon }));
const CLOSED = [...POINTS, ...POINTS.slice(0, 1)];
const COORDINATES = CLOSED.map(({ lat, lon }) => [lon, lat]);
const START = POINTS[0] ?? { lat: 0, lon: 0 };

const one = (text: string, context = {}) => {
  const [track, another] = readTrackDocument(text, context);
  if (!track || another) throw new Error('There should be one track.');
  return track;
};

const feature = (type: string, coordinates: unknown, properties: object) => ({
  type: 'Feature',
  geometry: { type, coordinates },
  properties,
});
const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });

function expectLineAtStart({ startFinishLine: line }: ReturnType<typeof one>): void {
  if (!line) throw new Error('There is no line.');
  expect(distanceMeters(middle(line.a, line.b), START)).toBeLessThan(1);
  // The oval is driven anticlockwise: northwards at its eastern end.
  expect(Math.cos(((line.bearingDeg ?? 180) * Math.PI) / 180)).toBeGreaterThan(0.98);
}

test('GeoJSON: a line string with a name and a start point is a circuit with a line square to it', () => {
  const track = one(
    collection(
      feature('LineString', COORDINATES, { name: 'Geo Ring', country: 'DE' }),
      feature('Point', [START.lon, START.lat], { name: 'Start/Finish' }),
      feature('LineString', COORDINATES.slice(0, 5), { name: 'Pit lane' }),
      feature('Point', [2, 50], { name: 'Café' }),
    ),
  );
  expect(track).toMatchObject({
    name: 'Geo Ring',
    country: 'Germany',
    problems: { location: expect.anything() },
  });
  expect(track.outline).toHaveLength(CLOSED.length);
  expectLineAtStart(track);
});

test('GeoJSON: each line and the outer ring of an area is a track, with the marks that lie on it', () => {
  const far = COORDINATES.map(([lon = 0, lat = 0]) => [lon + 1, lat]);
  const tracks = readTrackDocument(
    collection(
      feature('Polygon', [COORDINATES, COORDINATES.slice(0, 4)], { name: 'Here' }),
      feature('MultiLineString', [far], { name: 'There' }),
      feature('Point', [START.lon + 1, START.lat], { kind: 'start' }),
    ),
  );
  expect(tracks.map(({ name, startFinishLine }) => [name, startFinishLine !== null])).toEqual([
    ['Here', false],
    ['There', true],
  ]);
});

test('the open track database: a layout has the names of its venue, and lines with bearing and width', () => {
  const names = readVenueNames(JSON.stringify({ id: 'v', name: 'Open Ring', city: 'Town', country: 'FR' }));
  const sector = POINTS[20] ?? START;
  const text = collection(
    feature('LineString', COORDINATES, { kind: 'centerline' }),
    feature('Point', [START.lon, START.lat], { kind: 'start', bearingDeg: 1, widthM: 18 }),
    feature('Point', [sector.lon, sector.lat], { kind: 'sector', bearingDeg: 250, widthM: 18, name: 'T5' }),
    feature('LineString', COORDINATES, { kind: 'pitlane' }),
  );
  const track = one(text, { names: { ...names, configuration: 'club' } });
  expect(track).toMatchObject({
    name: 'Open Ring',
    configuration: 'club',
    location: 'Town',
    country: 'France',
    startFinishLine: { bearingDeg: 1 },
    sectors: [{ name: 'T5', bearingDeg: 250 }],
    problems: {},
  });
  const line = track.startFinishLine;
  expect(line && distanceMeters(line.a, line.b)).toBeCloseTo(18, 1);
});

test('KML: placemarks with lines and points', () => {
  const path = COORDINATES.map(([lon, lat]) => `${lon},${lat},0`).join(' ');
  const track = one(`<?xml version="1.0"?>
    <kml xmlns="http://www.opengis.net/kml/2.2"><Document><Folder>
      <Placemark><name>Earth &amp; Ring</name><LineString><coordinates>${path}</coordinates></LineString></Placemark>
      <Placemark><name>Start Finish</name><Point><coordinates>${START.lon},${START.lat}</coordinates></Point></Placemark>
    </Folder></Document></kml>`);
  expect(track.name).toBe('Earth & Ring');
  expectLineAtStart(track);
});

const minutes = (degrees: number) => (degrees < 0 ? '' : '+') + (60 * degrees).toFixed(6);

test('Racelogic: the rows of a circuit file are minutes with longitude to the west, and its gate has two ends', () => {
  const rows = CLOSED.map(({ lat, lon }) => `${minutes(lat)} ${minutes(-lon)} 000.0`);
  const gate = [START.lon - 0.0001, START.lon + 0.0001].map(
    (lon) => `${minutes(-lon)} ${minutes(START.lat)}`,
  );
  const text = [
    '[header]',
    'latitude',
    '[laptiming]',
    `Start ${gate.join(' ')} Start/Finish`,
    '[column names]',
    'lat long velocity',
    '[data]',
    ...rows,
  ].join('\r\n');
  const track = one(text, { fileName: 'CIR Files/Vbox Ring.cir' });
  expect(track.name).toBe('Vbox Ring');
  expect(track.outline).toHaveLength(CLOSED.length);
  const line = track.startFinishLine;
  if (!line) throw new Error('There is no line.');
  expect(distanceMeters(middle(line.a, line.b), START)).toBeLessThan(0.1);
  expect(() => readTrackDocument('[data]\n')).toThrow('This circuit file has no positions.');
});

test('Racelogic: a start/finish database has a point for each circuit, by country', () => {
  const tracks = readTrackDocument(`<database><country name="United Kingdom"><circuits>
      <circuit name="Lydden Hill, Club" length="1600" gatewidth="25">
        <splitinfo><startFinish lat="3070.662" long="-71.934"/><split lat="3070.7" long="-71.9"/></splitinfo>
      </circuit>
      <circuit name="Nowhere"/>
    </circuits></country></database>`);
  expect(tracks[0]).toMatchObject({
    name: 'Lydden Hill',
    configuration: 'Club',
    country: 'United Kingdom',
    lengthMeters: 1600,
    centerLat: expect.closeTo(51.1777, 4),
    centerLon: expect.closeTo(1.1989, 4),
    startFinishLine: null,
  });
  expect(tracks[1]?.problems['centerLat']).toBe('The position of the track is missing.');
});

test.each([
  ['{ "type": "FeatureCollection", "features": [] }', 'No valid tracks found in file'],
  [
    '{ "type": "FeatureCollection", "features": [1, null, {"geometry":{"type":"Point"}}] }',
    'No valid tracks',
  ],
  ['<gpx></gpx>', 'This XML file is neither KML nor a start/finish database.'],
  ['<kml><Document>', 'This file is not valid XML.'],
  [
    '<!DOCTYPE kml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><kml><name>&b;</name></kml>',
    'This file is not valid XML.',
  ],
  ['milk, eggs', 'This file is not valid JSON.'],
])('%s is refused in words', (text, sentence) => {
  expect(() => readTrackDocument(text)).toThrow(sentence);
});
