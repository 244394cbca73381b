import { middle } from './geo.ts';
import type { TimingLine } from './timing-line.ts';

/** A sector ends at each of these lines; the last sector of a lap ends at the start/finish line. */
export type SectorLine = TimingLine & { name: string };

/** Describes one point of an outline: latitude and longitude in degrees. */
export type OutlinePoint = [lat: number, lon: number];

/** Describes one layout of a venue, as far as the engine needs to know it. */
export type Track = {
  id: string;
  name: string;
  configuration: string | null;
  /** Length of one lap along the track; null where unknown. */
  lengthMeters: number | null;
  centerLat: number;
  centerLon: number;
  /** A trace that never comes this close to the centre was not driven here. */
  radiusMeters: number;
  startFinishLine: TimingLine | null;
  /** Line where a run ends on a stage that does not lead back to its start, such as a hill climb; missing on circuits. */
  finishLine?: TimingLine | null | undefined;
  /** Sector lines in driving order, without the start/finish line. */
  sectors: SectorLine[];
  /** The centre line in driving order from the start/finish line; open with a finish line. Null where unknown. */
  outline: OutlinePoint[] | null;
};

export function trackFromLine(line: TimingLine): Track {
  const center = middle(line.a, line.b);
  return {
    id: OWN_LINE_ID,
    name: 'Line of your own',
    configuration: null,
    lengthMeters: null,
    centerLat: center.lat,
    centerLon: center.lon,
    radiusMeters: 0,
    startFinishLine: line,
    sectors: [],
    outline: null,
  };
}

/** No track of the library has this id. */
export const OWN_LINE_ID = 'own-line';
