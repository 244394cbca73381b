import { formatCarName } from '#contract/laps/labels.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { drawCircuit } from '#engine/drawing/circuit-path.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { drawLine, type LetterStyle, measureLine, toDrawable } from './glyphs.ts';

/** All sites that show shared links ask for this size. */
const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

export type PreviewedTrack = Pick<
  Track,
  'name' | 'configuration' | 'location' | 'outline' | 'sectors' | 'lengthMeters' | 'origin'
>;
export type PreviewedRecord = Pick<
  LapRecord,
  'userName' | 'lapTimeMs' | 'carMake' | 'carModel' | 'carVariant' | 'carGeneration'
>;

// These are the colours of the dark theme.
const CANVAS = '#0B0D11';
const LINE = '#292E34';
const TEXT = '#F2F4F6';
const TEXT_2 = '#B5BBC2';
const ACCENT = '#37D2F2';
const BEST = '#CB89FA';
const OTHER_LAP = '#FC9E47';

const LEFT = 72;
const TEXT_WIDTH = 560;
const PICTURE = { x: 664, y: 92, width: 464, height: 446, padding: 16 };
const NAME_SIZES_PX = [66, 58, 50, 44, 38];
const NAME_LINES_MAX = 2;

/** Draws the picture of a link to a track, as SVG with paths only: its outline, its name, and its record if it has one. */
export function drawTrackPreview(track: PreviewedTrack, record: PreviewedRecord | undefined): string {
  const time = record
    ? drawLapTime(record, 'Track record', BEST)
    : plain('No laps recorded yet', 522, { sizePx: 34, fill: TEXT_2 });
  return drawTrack(track, time, record ? BEST : TEXT);
}

/** Draws the picture of a link to a lap; `place` is its rank on the board, if it has one. */
export function drawLapPreview(track: PreviewedTrack, lap: PreviewedRecord, place: string | null): string {
  return drawTrack(track, drawLapTime(lap, place ?? 'Lap', ACCENT), ACCENT);
}

/** Draws the picture of a link to a comparison: the reference, the other lap, and its gap. */
export function drawComparisonPreview(
  track: PreviewedTrack,
  [reference, other]: readonly [PreviewedRecord, PreviewedRecord],
): string {
  const differenceMs = other.lapTimeMs - reference.lapTimeMs;
  const sign = differenceMs === 0 ? '' : differenceMs < 0 ? '-' : '+';
  const gap = `${sign}${(Math.abs(differenceMs) / 1000).toFixed(3)} s`;
  const gapWidth = measureLine(gap, COMPARED_GAP_PX, 'display');
  const drawn = [
    drawComparedLap(reference, 408, ACCENT),
    drawComparedLap(other, 466, OTHER_LAP),
    display(gap, 562, COMPARED_GAP_PX),
    drawLine({
      text: 'at the line',
      x: LEFT + gapWidth + 18,
      y: 562,
      sizePx: 26,
      style: 'text',
      fill: TEXT_2,
    }),
  ];
  return drawTrack(track, drawn.join(''), TEXT);
}

const NAMED_TIME_PX = 42;
const COMPARED_GAP_PX = 66;

/** Draws the driver and the time in the colour of the lap's page, solid for the reference, else dashed. */
function drawComparedLap({ userName, lapTimeMs }: PreviewedRecord, y: number, color: string): string {
  const keyWidth = 40;
  const dashes = color === ACCENT ? '' : ' stroke-dasharray="16 8"';
  return [
    `<path d="M${LEFT} ${y - 14}h${keyWidth}" stroke="${color}" stroke-width="6"${dashes}/>`,
    drawNamedTime({ lapTimeMs, name: userName, color }, { x: LEFT + keyWidth + 16, y }),
  ].join('');
}

/** Describes a lap time with the name of its driver, or of its track. */
export type NamedTime = { lapTimeMs: number; name: string };

function drawNamedTime(
  { lapTimeMs, name, color }: NamedTime & { color: string },
  { x, y, timeWidth = measureTime(lapTimeMs) }: { x: number; y: number; timeWidth?: number },
): string {
  const nameX = x + timeWidth + 20;
  const shown = shorten(name, 28, 'text', LEFT + TEXT_WIDTH - nameX);
  return [
    drawLine({
      text: formatLapTime(lapTimeMs),
      x,
      y,
      sizePx: NAMED_TIME_PX,
      style: 'display',
      fill: color,
    }),
    drawLine({ text: shown, x: nameX, y, sizePx: 28, style: 'text', fill: TEXT }),
  ].join('');
}

function measureTime(lapTimeMs: number): number {
  return measureLine(formatLapTime(lapTimeMs), NAMED_TIME_PX, 'display');
}

/** Three lap times fit below their heading. */
export const NAMED_TIMES_MAX = 3;

function drawNamedTimes(heading: string, times: readonly (NamedTime & { color: string })[]): string {
  const shown = times.slice(0, NAMED_TIMES_MAX);
  const timeWidth = Math.max(...shown.map(({ lapTimeMs }) => measureTime(lapTimeMs)));
  const rows = shown.map((time, index) => drawNamedTime(time, { x: LEFT, y: 460 + index * 56, timeWidth }));
  return [plain(heading, 404, { sizePx: 24, fill: TEXT_2 }), ...rows].join('');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export type PreviewedDriver = {
  name: string;
  trackCount: number;
  lapCount: number;
  /** The best laps with the names of their tracks. */
  bests: readonly (NamedTime & { isRecord: boolean })[];
};

/** Draws the picture of a link to a driver, with the track of the first of the best laps; records have their colour. */
export function drawDriverPreview(track: PreviewedTrack, driver: PreviewedDriver): string {
  const { name, trackCount, lapCount, bests } = driver;
  const times = bests.map(({ isRecord, ...best }) => ({ ...best, color: isRecord ? BEST : ACCENT }));
  return drawCard({
    title: name,
    subtitle: [count(trackCount, 'track'), count(lapCount, 'ranked lap')],
    details: drawNamedTimes('Best laps', times),
    track,
    color: times[0]?.color ?? TEXT,
  });
}

/** Draws the picture of a link to a live session with its fastest drivers, which it may not have yet. */
export function drawLivePreview(
  track: PreviewedTrack,
  { title, fastest }: { title: string | null; fastest: readonly NamedTime[] },
): string {
  const times = fastest.map((time, index) => ({ ...time, color: index === 0 ? BEST : ACCENT }));
  const subtitle = title === null ? [track.configuration, track.location] : [track.name, track.configuration];
  return drawCard({
    title: title ?? track.name,
    subtitle,
    details:
      times.length > 0
        ? drawNamedTimes('Live', times)
        : plain('Live: no lap completed yet', 522, { sizePx: 34, fill: TEXT_2 }),
    track,
    color: ACCENT,
  });
}

export type PreviewedEvent = {
  name: string;
  /** The days of the event, as the specified form of dates writes them. */
  days: string;
  /** The state in words. */
  state: string;
  /** The heading of the first rows of the results. */
  heading: string;
  /** The first of the results with their totals. */
  first: readonly NamedTime[];
};

/** Draws the picture of a link to an event with the track of its first course, and the first of its results once there are any. */
export function drawEventPreview(track: PreviewedTrack, event: PreviewedEvent): string {
  const { name, days, state, heading, first } = event;
  const times = first.map((time, index) => ({ ...time, color: index === 0 ? BEST : ACCENT }));
  return drawCard({
    title: name,
    subtitle: [days, track.name],
    details:
      times.length > 0 ? drawNamedTimes(heading, times) : plain(state, 522, { sizePx: 34, fill: TEXT_2 }),
    track,
    color: ACCENT,
  });
}

function drawTrack(track: PreviewedTrack, details: string, color: string): string {
  return drawCard({
    title: track.name,
    subtitle: [track.configuration, track.location],
    details,
    track,
    color,
  });
}

type Card = {
  title: string;
  subtitle: readonly (string | null)[];
  /** The lower half, as SVG. */
  details: string;
  track: PreviewedTrack;
  color: string;
};

function drawCard({ title, subtitle, details, track, color }: Card): string {
  const drawable = subtitle.map((part) => toDrawable(part ?? '')).filter(Boolean);
  const name = fitName(toDrawable(title));
  const lines = name.lines.map((text, index) => display(text, 208 + index * name.sizePx * 1.08, name.sizePx));
  const subtitleY = 208 + (name.lines.length - 1) * name.sizePx * 1.08 + 50;
  return drawPage([
    drawBrand(),
    ...lines,
    plain(drawable.join(' · '), subtitleY, { sizePx: 28, fill: TEXT_2 }),
    details,
    drawOutline(track, color),
    drawOrigin(track),
  ]);
}

/** Names the published set that the outline comes from. */
function drawOrigin({ origin }: PreviewedTrack): string {
  if (!origin) return '';
  // The letters have no copyright sign.
  const source = `${origin.attribution} · ${origin.licence}`.replaceAll('©', '(c)');
  const text = shorten(source, 18, 'text', PICTURE.width);
  return drawLine({ text, x: PICTURE.x, y: 596, sizePx: 18, style: 'text', fill: TEXT_2 });
}

/** Draws the picture of a link to any other page: a description of Pitboard beside a circuit. */
export function drawHomePreview(track: PreviewedTrack): string {
  const headline = ['Your Racing Hub.', 'Every Lap.', 'Every Rival.'];
  return drawPage([
    drawBrand(),
    ...headline.map((text, index) => display(text, 236 + index * 72, 60)),
    plain('GPS lap files in, proven lap times out:', 476, { sizePx: 30, fill: TEXT_2 }),
    plain('one leaderboard per track.', 518, { sizePx: 30, fill: TEXT_2 }),
    drawOutline(track, TEXT),
  ]);
}

/** Draws the mark of Pitboard as in the header of the web client, a pit board on its handle: 22 by 24. */
export function drawMark(): string {
  return `<g fill="none" stroke="${TEXT}" stroke-width="2.2" stroke-linecap="round">
    <rect x="1.5" y="2" width="19" height="14" rx="3"/><path d="M11 16v6.5"/>
    <path d="M5.8 7h10.4" stroke="${ACCENT}"/><path d="M5.8 11.2h5.7"/></g>`;
}

function drawPage(parts: readonly string[]): string {
  const { width, height } = PREVIEW_SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="${width}" height="${height}" fill="${CANVAS}"/>${parts.join('')}</svg>`;
}

function drawBrand(): string {
  const wordmark = drawLine({ text: 'Pitboard', x: 56, y: 34, sizePx: 30, style: 'display', fill: TEXT });
  return `<g transform="translate(${LEFT} 62)"><g transform="scale(1.9)">${drawMark()}</g>${wordmark}</g>`;
}

function drawLapTime(record: PreviewedRecord, label: string, color: string): string {
  const { userName, carGeneration } = record;
  const car = [formatCarName(record), carGeneration && `(${carGeneration})`].filter(Boolean).join(' ');
  const driver = toDrawable(userName);
  return [
    plain(label, 404, { sizePx: 24, fill: TEXT_2 }),
    `<rect x="${LEFT}" y="424" width="6" height="58" rx="3" fill="${color}"/>`,
    drawLine({
      text: formatLapTime(record.lapTimeMs),
      x: LEFT + 26,
      y: 480,
      sizePx: 76,
      style: 'display',
      fill: color,
    }),
    plain(driver, 532, { sizePx: 32, fill: TEXT }),
    plain(car, driver ? 572 : 532, { sizePx: 26, fill: TEXT_2 }),
  ].join('');
}

function drawOutline(track: PreviewedTrack, color: string): string {
  const { x, y, ...box } = PICTURE;
  const circuit = drawCircuit(track, box);
  if (!circuit) return '';
  const dots = circuit.sectorStarts
    .slice(1)
    .map((dot) => `<circle cx="${dot.x}" cy="${dot.y}" r="7" fill="${CANVAS}" stroke-width="4"/>`);
  return `<g transform="translate(${x} ${y})" fill="none" stroke="${color}" stroke-width="7" stroke-linejoin="round">
    <path d="${circuit.lap}" stroke="${LINE}" stroke-width="15"/><path d="${circuit.lap}"/>${dots.join('')}
    <path d="${circuit.startTick}${circuit.finishTick ?? ''}" stroke="${TEXT}" stroke-width="5" stroke-linecap="round"/></g>`;
}

function display(text: string, y: number, sizePx: number): string {
  return drawLine({ text, x: LEFT, y, sizePx, style: 'display', fill: TEXT });
}

function plain(text: string, y: number, { sizePx, fill }: { sizePx: number; fill: string }): string {
  return drawLine({ text: shorten(text, sizePx, 'text'), x: LEFT, y, sizePx, style: 'text', fill });
}

type SizedLines = { lines: string[]; sizePx: number };

/** Finds the largest letters in which the name fits on its lines; a name that does not fit in the smallest is cut. */
function fitName(name: string): SizedLines {
  const tries = NAME_SIZES_PX.map((sizePx) => ({ lines: wrap(name, sizePx), sizePx }));
  const fitting = tries.find(fits);
  if (fitting) return fitting;
  const { lines, sizePx } = tries.at(-1) ?? { lines: [], sizePx: 0 };
  const [first = '', ...rest] = lines;
  return {
    sizePx,
    lines: [first, rest.join(' ')].filter(Boolean).map((line) => shorten(line, sizePx, 'display')),
  };
}

function fits({ lines, sizePx }: SizedLines): boolean {
  return (
    lines.length <= NAME_LINES_MAX &&
    lines.every((line) => measureLine(line, sizePx, 'display') <= TEXT_WIDTH)
  );
}

function wrap(name: string, sizePx: number): string[] {
  const lines: string[] = [];
  for (const word of name.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && measureLine(longer, sizePx, 'display') <= TEXT_WIDTH) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

function shorten(text: string, sizePx: number, style: LetterStyle, width = TEXT_WIDTH): string {
  if (measureLine(text, sizePx, style) <= width) return text;
  const characters = Array.from(toDrawable(text));
  while (characters.length > 0 && measureLine(`${characters.join('')}…`, sizePx, style) > width) {
    characters.pop();
  }
  return `${characters.join('').trimEnd()}…`;
}
