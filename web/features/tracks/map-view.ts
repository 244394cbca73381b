import { planeAround, toPlane, toPosition, type Plane, type PlanePoint, type Position } from '#engine/geo.ts';
import type { OutlinePoint } from '#engine/track.ts';

/** The visible part of a map: its middle in metres on a plane, and the metres per pixel. North is up. */
export type MapView = { plane: Plane; center: PlanePoint; metersPerPixel: number };

/** Pixels of a map, and points on it from its upper left corner. */
export type MapSize = { width: number; height: number };

const PADDING_PIXELS = 28;
/** The padding keeps lines out from under the buttons on the right. */
const PADDING_RIGHT_PIXELS = 64;
const METERS_PER_PIXEL = { min: 0.05, max: 100 } as const;

/** Returns the view that shows all of these points. */
export function fitView(points: readonly OutlinePoint[], { width, height }: MapSize): MapView {
  const [first = [0, 0]] = points;
  const plane = planeAround({ lat: first[0], lon: first[1] });
  const onPlane = points.map(([lat, lon]) => toPlane(plane, { lat, lon }));
  const [xs, ys] = [onPlane.map(({ x }) => x), onPlane.map(({ y }) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const metersPerPixel = Math.max(
    (right - left) / Math.max(1, width - PADDING_PIXELS - PADDING_RIGHT_PIXELS),
    (top - bottom) / Math.max(1, height - 2 * PADDING_PIXELS),
  );
  const scale = clampScale(metersPerPixel);
  const toTheLeft = ((PADDING_RIGHT_PIXELS - PADDING_PIXELS) / 2) * scale;
  return {
    plane,
    center: { x: (left + right) / 2 + toTheLeft, y: (bottom + top) / 2 },
    metersPerPixel: scale,
  };
}

/** Converts a position to pixels of the map. */
export function toPixel(view: MapView, { width, height }: MapSize, position: Position): PlanePoint {
  const { x, y } = toPlane(view.plane, position);
  return {
    x: width / 2 + (x - view.center.x) / view.metersPerPixel,
    y: height / 2 - (y - view.center.y) / view.metersPerPixel,
  };
}

/** Converts a pixel of the map to a position. */
export function atPixel(view: MapView, { width, height }: MapSize, pixel: PlanePoint): Position {
  return toPosition(view.plane, {
    x: view.center.x + (pixel.x - width / 2) * view.metersPerPixel,
    y: view.center.y - (pixel.y - height / 2) * view.metersPerPixel,
  });
}

/** Moves the view by a number of pixels: the point under the pointer stays under it. */
export function panned(view: MapView, byX: number, byY: number): MapView {
  const { center, metersPerPixel } = view;
  return {
    ...view,
    center: { x: center.x - byX * metersPerPixel, y: center.y + byY * metersPerPixel },
  };
}

export function centered(view: MapView, position: Position): MapView {
  return { ...view, center: toPlane(view.plane, position) };
}

/** Zooms the view by a factor; the point at `pixel` stays there. */
export function zoomed(view: MapView, size: MapSize, factor: number, pixel?: PlanePoint): MapView {
  const metersPerPixel = clampScale(view.metersPerPixel / factor);
  const [x, y] = [
    (pixel?.x ?? size.width / 2) - size.width / 2,
    (pixel?.y ?? size.height / 2) - size.height / 2,
  ];
  const change = view.metersPerPixel - metersPerPixel;
  return {
    ...view,
    metersPerPixel,
    center: { x: view.center.x + x * change, y: view.center.y - y * change },
  };
}

function clampScale(metersPerPixel: number): number {
  return Math.max(METERS_PER_PIXEL.min, Math.min(METERS_PER_PIXEL.max, metersPerPixel));
}

/** An image of a background map and its position in pixels. */
export type MapTile = { url: string; x: number; y: number; width: number; height: number };

const TILE_PIXELS = 256;
const ZOOM_MAX = 19;
const TILES_MAX = 60;

/** Lists the tiles that cover a map; `template` is a URL with {z}, {x} and {y}, in the usual scheme of web maps. */
export function listTiles(view: MapView, size: MapSize, template: string): MapTile[] {
  const northWest = atPixel(view, size, { x: 0, y: 0 });
  const southEast = atPixel(view, size, { x: size.width, y: size.height });
  const worldPixels = (size.width * 360) / Math.max(1e-9, southEast.lon - northWest.lon);
  const zoom = Math.max(0, Math.min(ZOOM_MAX, Math.round(Math.log2(worldPixels / TILE_PIXELS))));
  const count = 2 ** zoom;
  const column = (lon: number) => Math.floor(((lon + 180) / 360) * count);
  const row = (lat: number) => Math.floor(mercator(lat) * count);
  const tiles: MapTile[] = [];
  for (let y = row(northWest.lat); y <= row(southEast.lat); y += 1) {
    for (let x = column(northWest.lon); x <= column(southEast.lon); x += 1) {
      if (x < 0 || y < 0 || x >= count || y >= count || tiles.length >= TILES_MAX) continue;
      const corner = toPixel(view, size, getCorner(x, y, count));
      const next = toPixel(view, size, getCorner(x + 1, y + 1, count));
      const url = template.replace('{z}', `${zoom}`).replace('{x}', `${x}`).replace('{y}', `${y}`);
      tiles.push({ url, ...corner, width: next.x - corner.x, height: next.y - corner.y });
    }
  }
  return tiles;
}

/** Projects a latitude with the spherical Mercator projection: 0 is the north of the world map, 1 its south. */
function mercator(lat: number): number {
  const sine = Math.sin((lat * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

function getCorner(x: number, y: number, count: number): Position {
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / count))) * 180) / Math.PI;
  return { lat, lon: (x / count) * 360 - 180 };
}
