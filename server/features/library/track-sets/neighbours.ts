import { distanceMeters } from '#engine/geo.ts';

// The centres of the layouts of one venue are closer together.
const VENUE_METERS = 2_000;

export type Place = { centerLat: number; centerLon: number };

const CELL_DEGREES = 0.05;

/** Indexes things by position, and finds those within two kilometres. */
export function openNeighbours<Thing>() {
  const cells = new Map<string, { place: Place; thing: Thing }[]>();
  return {
    add: (place: Place, thing: Thing) => {
      const key = `${findCell(place.centerLat)} ${findCell(place.centerLon)}`;
      const others = cells.get(key);
      if (others) others.push({ place, thing });
      else cells.set(key, [{ place, thing }]);
    },
    find: (place: Place, isWanted: (thing: Thing) => boolean): Thing | undefined => {
      for (const key of keysAround(place)) {
        for (const other of cells.get(key) ?? [])
          if (isNear(place, other.place) && isWanted(other.thing)) return other.thing;
      }
      return undefined;
    },
  };

  function* keysAround({ centerLat, centerLon }: Place) {
    const [row, column] = [findCell(centerLat), findCell(centerLon)];
    // Two kilometres span more degrees of longitude nearer the pole.
    const reach = Math.ceil(1 / Math.max(Math.cos((centerLat * Math.PI) / 180), 0.05) / 2);
    for (let north = -1; north <= 1; north += 1)
      for (let east = -reach; east <= reach; east += 1) yield `${row + north} ${column + east}`;
  }
}

function findCell(degrees: number): number {
  return Math.floor(degrees / CELL_DEGREES);
}

export function isNear(one: Place, other: Place): boolean {
  const [from, to] = [one, other].map(({ centerLat: lat, centerLon: lon }) => ({ lat, lon }));
  return from !== undefined && to !== undefined && distanceMeters(from, to) <= VENUE_METERS;
}
