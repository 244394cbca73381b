import { parseDecimal } from '#contract/tracks/labels.ts';
import { distanceMeters, type Position } from '#engine/geo.ts';
import { AppError } from '#server/kernel/errors.ts';
import { isClosed } from '#server/model/tracks/track-outline.ts';

/** Tests if a text is a circuit file of Racelogic (`.cir`), which has the layout of a VBO file. */
export function isCircuitFile(text: string): boolean {
  return /^\s*\[data\]\s*$/im.test(text);
}

const MINUTES_PER_DEGREE = 60;
// Some files list both edges of a track one after the other: the second begins where the first has returned to its start.
const EDGE_GAP_METERS = 100;

/**
 * Reads a circuit file as an entry for `readTrack`: its points in order, and its gate if it has one. Positions are in minutes,
 * with longitude counted to the west.
 * @throws AppError where the file has no points
 */
export function readCircuitFile(text: string, name?: string): unknown {
  const sections = splitSections(text);
  const [columnNames = ''] = sections.get('column names') ?? [];
  const columns = columnNames.trim().toLowerCase().split(/\s+/);
  const [latColumn, lonColumn] = [columns.indexOf('lat'), columns.indexOf('long')];
  const isNamed = latColumn >= 0 && lonColumn >= 0;
  const points = (sections.get('data') ?? []).flatMap((row) => {
    const cells = row.trim().split(/\s+/);
    return readMinutes(cells[isNamed ? latColumn : 0], cells[isNamed ? lonColumn : 1]) ?? [];
  });
  if (points.length === 0) throw new AppError('invalid_input', 'This circuit file has no positions.');
  return {
    name,
    outline: findFirstEdge(points).map(({ lat, lon }) => [lat, lon]),
    ...readGates(sections.get('laptiming') ?? []),
  };
}

/** Lists the rows of each section by its name in lower case. */
function splitSections(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let rows: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [, section] = /^\s*\[([^\]]+)\]\s*$/.exec(line) ?? [];
    if (section !== undefined) sections.set(section.toLowerCase(), (rows = []));
    else if (line.trim() !== '') rows.push(line);
  }
  return sections;
}

function readMinutes(latitude: string | undefined, longitude: string | undefined): Position | null {
  const [lat, lon] = [latitude, longitude].map((text) => parseDecimal((text ?? '').replace(',', '.')));
  if (lat == null || lon == null) return null;
  return { lat: lat / MINUTES_PER_DEGREE, lon: -lon / MINUTES_PER_DEGREE };
}

/** Lists the points up to the first gap: the points after it are the other edge of the track. */
function findFirstEdge(points: readonly Position[]): readonly Position[] {
  const end = points.findIndex((point, index) => {
    const before = points[index - 1];
    return before !== undefined && distanceMeters(before, point) > EDGE_GAP_METERS;
  });
  const first = points.slice(0, end);
  return end > 0 && isClosed(first) ? first : points;
}

/** Reads the two ends of each gate, which are `Start long lat long lat`. */
function readGates(rows: readonly string[]): { startfinish?: unknown; finish?: unknown; sectors: unknown[] } {
  const gates = rows.map((row) => {
    const [kind = '', lon1, lat1, lon2, lat2] = row.trim().split(/\s+/);
    const [a, b] = [readMinutes(lat1, lon1), readMinutes(lat2, lon2)];
    return { kind: kind.toLowerCase(), line: a && b && { a, b } };
  });
  const find = (kind: string) => gates.find((gate) => gate.kind === kind)?.line ?? undefined;
  return {
    startfinish: find('start'),
    finish: find('finish'),
    sectors: gates.flatMap(({ kind, line }) => (kind === 'split' && line ? [line] : [])),
  };
}
