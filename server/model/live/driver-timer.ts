import type { LiveFix } from '#contract/live/schemas.ts';
import { toPlane } from '#engine/geo.ts';
import { type LineFrame, toLineFrame } from '#engine/timing-line.ts';
import type { Track } from '#engine/track.ts';
import type { Crossing } from './driver-progress.ts';

/** Finds the crossings of one driver, fix by fix. */
export type DriverTimer = { add: (fix: LiveFix) => Crossing[] };

// A car drives too far in a longer hole for a straight line through it.
const HOLE_MS = 2_000;

type Running = { lapStart: number; sectorStart: number; nextSector: number };

/** Times a driver on a track. Crossings lie on the straight line between two fixes. */
export function openDriverTimer(track: Track): DriverTimer {
  const start = track.startFinishLine && toLineFrame(track.startFinishLine);
  const sectors = track.sectors.map((line) => toLineFrame(line));
  let before: LiveFix | null = null;
  let running: Running | null = null;
  return {
    add: (fix) => {
      const from = before;
      before = fix;
      if (from === null) return [];
      // A lap with a hole has no time.
      if (fix[0] - from[0] > HOLE_MS) running = null;
      const sectorAt = running && findCrossing(sectors[running.nextSector], from, fix);
      const startAt = findCrossing(start, from, fix);
      const crossings: Crossing[] = [];
      if (running && sectorAt !== null) crossings.push(endSector(running, sectorAt));
      if (startAt !== null) {
        crossings.push(endLap(running, startAt, sectors.length));
        running = { lapStart: startAt, sectorStart: startAt, nextSector: 0 };
      }
      return crossings;
    },
  };
}

function endSector(running: Running, at: number): Crossing {
  const { sectorStart, nextSector } = running;
  running.sectorStart = at;
  running.nextSector += 1;
  return { kind: 'sector', at, sector: nextSector, sectorMs: Math.round(at - sectorStart) };
}

function endLap(running: Running | null, at: number, sectorCount: number): Crossing {
  const hasAllSectors = running !== null && running.nextSector === sectorCount;
  return {
    kind: 'start',
    at,
    lapMs: running && Math.round(at - running.lapStart),
    lastSectorMs: hasAllSectors ? Math.round(at - running.sectorStart) : null,
  };
}

/** Returns when the line was crossed in driving direction between two fixes; null where it was not. */
function findCrossing(frame: LineFrame | null | undefined, from: LiveFix, to: LiveFix): number | null {
  if (!frame) return null;
  const { plane, forward, right, halfWidthMeters } = frame;
  const a = toPlane(plane, { lat: from[1], lon: from[2] });
  const b = toPlane(plane, { lat: to[1], lon: to[2] });
  const before = a.x * forward.x + a.y * forward.y;
  const after = b.x * forward.x + b.y * forward.y;
  if (before >= 0 || after < 0) return null;
  const share = before / (before - after);
  const side = (a.x + share * (b.x - a.x)) * right.x + (a.y + share * (b.y - a.y)) * right.y;
  return Math.abs(side) > halfWidthMeters ? null : from[0] + share * (to[0] - from[0]);
}
