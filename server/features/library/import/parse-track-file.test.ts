import { expect, test } from 'vitest';
import { distanceMeters, middle } from '#engine/geo.ts';
import { parseTrackFile } from './parse-track-file.ts';

const one = (value: unknown) => {
  const [track, another] = parseTrackFile(value);
  if (!track || another) throw new Error('There should be one track.');
  return track;
};

/** Corners of a circuit some 600 m wide, clockwise. */
const CORNERS: [number, number][] = [
  [45.5949, -122.6945],
  [45.598, -122.6945],
  [45.598, -122.69],
  [45.5949, -122.69],
];
const corner = (lat: number, lon: number) => ({ latitude: lat, longitude: lon });
const end = (lon: number) => ({ lat_deg: 51.5, lon_deg: lon });
const inUnits = ([lat, lon]: [number, number]) => ({
  lat: Math.round(lat * 1e7),
  lon: Math.round(lon * 1e7),
  elev: 0,
});
const POINT_ALONE =
  'There is no start/finish line. It is a point. A line needs two ends, or a point with bearing and width.';

const MADE_FROM_POINT =
  'The file has a point, so the start/finish line was made square to the outline there.';

test('a track in our own fields comes out as it is', () => {
  const track = {
    name: 'Own Ring',
    location: 'Town',
    configuration: 'Full',
    country: 'Belgium',
    lengthMeters: 4_000,
    status: 'community_submitted',
    radiusMeters: 900,
    centerLat: 45.6,
    centerLon: -122.69,
    startFinishLine: { a: { lat: 45.6, lon: -122.69 }, b: { lat: 45.6, lon: -122.6903 }, bearingDeg: 315.1 },
    sectors: [
      { name: 'S1', a: { lat: 45.61, lon: -122.69 }, b: { lat: 45.61, lon: -122.6903 }, bearingDeg: null },
    ],
    outline: null,
  };
  expect(one([track])).toEqual({ ...track, row: 1, problems: {}, warnings: [] });
  expect(one({ tracks: [track] })).toEqual(one([track]));
});

test('a RaceCapture venue keeps its outline, to which its point makes a square line, for either direction', () => {
  const track = one({
    venues: [
      {
        id: 'x',
        name: 'Portland',
        configuration: 'Chicane',
        country_code: 'US',
        length: 1.9,
        start_finish: '{"latitude": 45.5949, "longitude": -122.6945}',
        sector_points: [[45.598, -122.69]],
        track_map_array: CORNERS.map(([lat, lon]) => [String(lat), lon]),
      },
    ],
  });
  expect(track).toMatchObject({
    name: 'Portland',
    configuration: 'Chicane',
    country: 'United States',
    startFinishLine: { bearingDeg: null },
    sectors: [],
    problems: { location: 'The city or region is missing.' },
  });
  // The file does not say what unit its length has; the outline does.
  expect(track.lengthMeters).toBeGreaterThan(1_300);
  expect(track.lengthMeters).toBeLessThan(1_500);
  expect(track.outline?.[0]).toEqual(CORNERS[0]);
  expect(track.outline?.at(-1)).toEqual(CORNERS[0]);
  expect(track.warnings).toContain(`${MADE_FROM_POINT} Laps count in either direction.`);
  const line = track.startFinishLine;
  if (!line) throw new Error('There is no line.');
  const start = { lat: 45.5949, lon: -122.6945 };
  expect(distanceMeters(middle(line.a, line.b), start)).toBeLessThan(0.1);
  expect(distanceMeters(line.a, line.b)).toBeCloseTo(24, 1);
  expect(track.centerLat).toBeCloseTo(45.59645, 6);
});

test('the RaceCapture firmware knows points only; their name is for the administrator to give', () => {
  const track = one({
    addTrackDb: { index: 0, mode: 2, track: { type: 0, sf: [51.1, 1.2], sec: [[51.2, 1.3]] } },
  });
  expect(track).toMatchObject({ name: null, centerLat: 51.1, centerLon: 1.2, startFinishLine: null });
  expect(track.problems['name']).toBe('The name is missing.');
  expect(track.warnings).toContain(POINT_ALONE);
});

test('zaggyai writes positions in units of 1e-7 degrees, and its line lies square to the points', () => {
  const [start] = CORNERS;
  const track = one({
    name: 'Portland',
    short_name: 'PIR',
    start_finish: start && inUnits(start),
    pts: CORNERS.map(inUnits),
  });
  expect(track).toMatchObject({ name: 'Portland', configuration: 'PIR' });
  expect(track.outline?.slice(0, 4)).toEqual(CORNERS);
  const line = track.startFinishLine;
  if (!line || !start) throw new Error('There is no line.');
  // Between the way to the west, which the lap ends on, and that to the north.
  expect(line.bearingDeg).toBeCloseTo(314.5, 0);
  expect(distanceMeters(line.a, line.b)).toBeCloseTo(24, 1);
  expect(distanceMeters(middle(line.a, line.b), { lat: start[0], lon: start[1] })).toBeLessThan(0.1);
  expect(track.warnings).toContain(MADE_FROM_POINT);
});

test('a path of zaggyai that does not come back is a stage from its first to its last point', () => {
  const hill = Array.from({ length: 12 }, (_, index): [number, number] => [46 + 0.001 * index, 11]);
  const track = one({ name: 'Hill', start_finish: inUnits(hill[0] ?? [0, 0]), pts: hill.map(inUnits) });
  expect(track.startFinishLine?.bearingDeg).toBeCloseTo(0, 3);
  expect(track.finishLine?.a.lat).toBeCloseTo(46.011, 6);
  expect(track.outline).toHaveLength(12);
});

test('zaggyai: a start far from the points makes no line', () => {
  const track = one({ name: 'Far', start_finish: inUnits([46, -122]), pts: CORNERS.map(inUnits) });
  expect(track.startFinishLine).toBeNull();
  expect(track.warnings).toContain(POINT_ALONE);
});

test('LapsHub writes longitude first, and its finish line runs along the middle of a polygon', () => {
  const track = one([
    {
      id: '1',
      name: 'Road America',
      finishLinePolygon: [
        corner(43.79791, -87.98976),
        corner(43.7978, -87.98976),
        corner(43.7978, -87.98944),
        corner(43.79791, -87.98944),
      ],
      overlay: { gpsShape: CORNERS.map(([lat, lon]) => [lon + 34.7, lat - 1.8]) },
      locationGps: corner(43.797, -87.99),
    },
  ]);
  expect(track).toMatchObject({ centerLat: 43.797, centerLon: -87.99, location: null });
  const line = track.startFinishLine;
  if (!line) throw new Error('There is no line.');
  expect(distanceMeters(line.a, line.b)).toBeCloseTo(25.7, 0);
  expect(middle(line.a, line.b).lat).toBeCloseTo(43.797855, 6);
  expect(track.outline?.[0]?.[0]).toBeCloseTo(43.798, 1);
});

test('Doves has a track for each course, with two-ended lines of unknown direction', () => {
  const ends = {
    start_a_lat: 39.5698,
    start_a_lng: -104.831,
    start_b_lat: 39.56987,
    start_b_lng: -104.83105,
  };
  const sector = { a_lat: 39.57026, a_lng: -104.83087, b_lat: 39.57019, b_lng: -104.8309, major: true };
  const legacy = {
    sector_2_a_lat: 39.5,
    sector_2_a_lng: -104.8,
    sector_2_b_lat: 39.5001,
    sector_2_b_lng: -104.8,
  };
  const tracks = parseTrackFile({
    'Colorado Karting Circuit': {
      shortName: 'CKC',
      defaultCourse: 'CCW',
      courses: [
        { name: 'CCW', lengthFt: 4_201, ...ends, sectors: [sector] },
        { name: 'CW', ...ends, ...legacy },
      ],
    },
  });
  expect(tracks).toMatchObject([
    {
      name: 'Colorado Karting Circuit',
      configuration: 'CCW',
      lengthMeters: 1_280.5,
      startFinishLine: {
        a: { lat: 39.5698, lon: -104.831 },
        b: { lat: 39.56987, lon: -104.83105 },
        bearingDeg: null,
      },
      sectors: [{ name: 'S1', bearingDeg: null }],
    },
    { configuration: 'CW', sectors: [{ a: { lat: 39.5, lon: -104.8 } }] },
  ]);
});

test('BRL writes four numbers; a sector that is a point is left out', () => {
  const track = one({
    name: 'Salzburgring',
    country: 'Österreich',
    length_km: 4.241,
    is_circuit: true,
    sf: [47.7834, 13.1846, 47.7832, 13.1846],
    sectors: [
      { lat: 47.78415, lon: 13.184, name: 'S1' },
      { lat: 47.78, lon: 13.18, lat2: 47.7801, lon2: 13.18, name: 'S2' },
    ],
  });
  expect(track).toMatchObject({
    lengthMeters: 4_241,
    startFinishLine: {
      a: { lat: 47.7834, lon: 13.1846 },
      b: { lat: 47.7832, lon: 13.1846 },
      bearingDeg: null,
    },
    sectors: [{ name: 'S2' }],
    centerLat: 47.7833,
  });
  expect(track.warnings.join(' ')).toContain('Sector 1 was left out.');
});

test('ESP32 lap timers and the "track timer" schema tell the direction of their lines', () => {
  const esp = one([
    {
      id: 1,
      name: 'Kartland',
      center_lat: 51.5,
      center_lon: 0.1,
      approx_length_m: 1_200,
      start_finish: { lat1: 51.5, lon1: 0.1, lat2: 51.5, lon2: 0.1002, heading: -90 },
      sectors: [{ lat1: 51.501, lon1: 0.1, lat2: 51.501, lon2: 0.1002, heading: 90 }],
    },
  ]);
  expect(esp).toMatchObject({
    lengthMeters: 1_200,
    startFinishLine: { bearingDeg: 270 },
    sectors: [{ bearingDeg: 90 }],
  });
  const timer = one([
    {
      schema_version: 1,
      name: 'Timer Ring',
      reference: end(0.1),
      geofence: { center_lat_deg: 51.501, center_lon_deg: 0.101, radius_m: 700 },
      start_finish: { a: end(0.1), b: end(0.1002), direction_heading_deg: 0 },
      sectors: [],
    },
  ]);
  expect(timer).toMatchObject({ radiusMeters: 700, centerLat: 51.501, startFinishLine: { bearingDeg: 0 } });
});
