import { drawPositions } from '#engine/drawing/circuit-path.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { timeAt } from '#engine/video/timed-places.ts';
import { formatDifference, formatSpeed } from '#web/ui/format.ts';
import { entry, nearestStation } from '../lap-lines.ts';
import type { LapMap } from '../shown-laps.ts';
import type { ClipFrame, ClipSide } from './clip-plan.ts';

type Box = { x: number; y: number; width: number; height: number };

type Drawing = OffscreenCanvasRenderingContext2D;

/** The colours of laps in the dark theme, which the plates have. */
const LAP_COLORS = ['#37d2f2', '#fc9e47'];
const INK = '#f2f4f6';
const FAINT = '#b5bbc2';
const GROUND = 'rgb(11 13 17 / 72%)';
const FONT = "'Archivo Text', system-ui, sans-serif";
const MAP_PX = 150;
const PADDING_PX = 14;

/** Draws what the charts say over one frame of a clip: time, gap, speed, sectors, and where the car is. */
export function drawOverlay(
  drawing: Drawing,
  {
    map,
    sides,
    frame,
    boxes,
  }: { map: LapMap; sides: readonly ClipSide[]; frame: ClipFrame; boxes: readonly Box[] },
): void {
  const scale = (boxes[0]?.height ?? 720) / 540;
  sides.forEach((side, index) => {
    const [box, now] = [boxes[index], frame.sides[index]];
    if (!box || !now) return;
    const lines = describeSide(side, { now: now.elapsedMs, meters: frame.meters, map });
    drawPlate(drawing, { box, scale, color: LAP_COLORS[index] ?? INK, lines });
  });
  const [box] = boxes.slice(-1);
  if (box) drawMap(drawing, { map, frame, box, scale });
}

type Line = readonly [text: string, color: string];

function describeSide(
  side: ClipSide,
  { now, meters, map }: { now: number; meters: number; map: LapMap },
): Line[] {
  const station = nearestStation(map.meters, meters);
  return [
    [side.name, FAINT],
    [formatLapTime(Math.round(now)), INK],
    [formatSpeed(side.speedsKmh[station] ?? Number.NaN), INK],
    ...(side.hasGap ? [[`Gap ${formatDifference(now - timeAt(map, meters))}`, INK] as const] : []),
    ...listSectors(side, now).map((text): Line => [text, FAINT]),
  ];
}

/** Lists the times of the sectors that the lap has finished, up to one that was not timed. */
function listSectors({ sectorTimesMs }: ClipSide, now: number): string[] {
  let endMs = 0;
  return sectorTimesMs.flatMap((timeMs, index) => {
    endMs += timeMs ?? Number.POSITIVE_INFINITY;
    return timeMs !== null && now >= endMs ? [`S${index + 1}  ${formatLapTime(timeMs)}`] : [];
  });
}

type Plate = { box: Box; scale: number; color: string; lines: readonly Line[] };

function drawPlate(drawing: Drawing, { box, scale, color, lines }: Plate): void {
  const [padding, lineHeight] = [PADDING_PX * scale, 26 * scale];
  const [x, y] = [box.x + padding, box.y + padding];
  const width = 190 * scale;
  const height = lines.length * lineHeight + padding;
  drawing.fillStyle = GROUND;
  drawing.fillRect(x, y, width, height);
  drawing.fillStyle = color;
  drawing.fillRect(x, y, 4 * scale, height);
  drawing.textBaseline = 'top';
  lines.forEach(([text, ink], line) => {
    const size = (line === 1 ? 23 : 17) * scale;
    drawing.font = `${line === 1 ? 700 : 500} ${size}px ${FONT}`;
    drawing.fillStyle = ink;
    drawing.fillText(text, x + padding, y + padding / 2 + line * lineHeight, width - padding * 1.5);
  });
}

function drawMap(
  drawing: Drawing,
  { map, frame, box, scale }: { map: LapMap; frame: ClipFrame; box: Box; scale: number },
): void {
  const size = MAP_PX * scale;
  const padding = PADDING_PX * scale;
  const [left, top] = [box.x + box.width - size - padding, box.y + padding];
  const positions = map.lats.map((lat, index) => ({ lat, lon: entry(map.lons, index) }));
  const points = drawPositions(positions, { width: size, height: size, padding });
  drawing.fillStyle = GROUND;
  drawing.fillRect(left, top, size, size);
  drawing.beginPath();
  for (const { x, y } of points) drawing.lineTo(left + x, top + y);
  drawing.strokeStyle = FAINT;
  drawing.lineWidth = 3 * scale;
  drawing.stroke();
  const here = points[nearestStation(map.meters, frame.meters)];
  if (!here) return;
  drawing.beginPath();
  drawing.arc(left + here.x, top + here.y, 6 * scale, 0, 2 * Math.PI);
  drawing.fillStyle = INK;
  drawing.fill();
}
