import type { LiveFix } from '#contract/live/schemas.ts';
import { toPlane } from '#engine/geo.ts';
import { type LineFrame, type TimingLine, toLineFrame } from '#engine/timing-line.ts';
import type { Track } from '#engine/track.ts';
import type { Crossing } from './driver-progress.ts';

export type DriverTimer = { add: (fix: LiveFix) => Crossing[] };

// PLACEHOLDER until the engine's live timing is here.
export function openDriverTimer(track: Track): DriverTimer {
  const start = track.startFinishLine && toLineFrame(track.startFinishLine);
  const sectors = track.sectors.map((line: TimingLine) => toLineFrame(line));
  let before: LiveFix | null = null;
  let lapStart: number | null = null;
  let sectorStart: number | null = null;
  let nextSector = 0;
  return {
    add: (fix) => {
      const from = before;
      before = fix;
      if (from === null || fix[0] - from[0] > 5_000) return [];
      const crossings: Crossing[] = [];
      const sector = sectors[nextSector];
      const sectorAt = sector && lapStart !== null ? findCrossing(sector, from, fix) : null;
      if (sectorAt !== null && lapStart !== null) {
        const sectorMs = sectorStart === null ? null : Math.round(sectorAt - sectorStart);
        crossings.push({ kind: 'sector', at: sectorAt, sector: nextSector, sectorMs });
        sectorStart = sectorAt;
        nextSector += 1;
      }
      const startAt = start ? findCrossing(start, from, fix) : null;
      if (startAt !== null) {
        const lapMs = lapStart === null ? null : Math.round(startAt - lapStart);
        const lastSectorMs =
          sectorStart === null || nextSector < sectors.length ? null : Math.round(startAt - sectorStart);
        crossings.push({ kind: 'start', at: startAt, lapMs, lastSectorMs });
        lapStart = startAt;
        sectorStart = startAt;
        nextSector = 0;
      }
      return crossings;
    },
  };
}

function findCrossing(frame: LineFrame, from: LiveFix, to: LiveFix): number | null {
  const a = toPlane(frame.plane, { lat: from[1], lon: from[2] });
  const b = toPlane(frame.plane, { lat: to[1], lon: to[2] });
  const before = a.x * frame.forward.x + a.y * frame.forward.y;
  const after = b.x * frame.forward.x + b.y * frame.forward.y;
  if (before >= 0 || after < 0) return null;
  const share = before / (before - after);
  const side = (a.x + share * (b.x - a.x)) * frame.right.x + (a.y + share * (b.y - a.y)) * frame.right.y;
  if (Math.abs(side) > frame.halfWidthMeters) return null;
  return from[0] + share * (to[0] - from[0]);
}
