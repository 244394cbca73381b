import { formatCarName, tireLabel } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import type { Track } from '#contract/tracks/schemas.ts';
import { drawCircuit } from '#engine/drawing/circuit-path.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { html } from '#server/kernel/html.ts';
import type { EmbeddedFonts } from './embedded-fonts.ts';

type EmbeddedBoard = {
  siteName: string;
  track: Pick<Track, 'name' | 'configuration' | 'outline' | 'sectors' | 'finishLine' | 'origin'>;
  fonts: EmbeddedFonts;
  records: readonly LapRecord[];
  isFiltered: boolean;
  theme: 'dark' | 'light' | 'auto';
  /** This URL leads to the board with the same filters. */
  link: string;
};

/** Renders a board as a separate page without scripts, whose only further requests are for the letters of the site. */
export function embeddedBoard(board: EmbeddedBoard): string {
  const { siteName, track, fonts, records, isFiltered, theme, link } = board;
  const { origin } = track;
  const trackName = [track.name, track.configuration].filter(Boolean).join(' ');
  return html`<!doctype html>
    <html lang="en" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${trackName} – ${siteName}</title>
        <style>
          ${{ html: writeFonts(fonts) + STYLE }}
        </style>
      </head>
      <body>
        <main>
          <header>
            <h1><a href="${link}" target="_blank" rel="noopener">${trackName}</a></h1>
            ${drawOutline(track)}
          </header>
          ${records.length === 0 ? html`<p>${isFiltered ? 'No lap matches these filters.' : 'No laps yet.'}</p>` : drawTable(records)}
          <p class="foot">
            <a href="${link}" target="_blank" rel="noopener">The whole board on ${siteName}</a>
          </p>
          ${origin ? html`<p class="foot">Track: ${origin.title} · ${origin.attribution} · ${origin.licence}</p>` : null}
        </main>
      </body>
    </html> `.html;
}

function drawTable(records: readonly LapRecord[]) {
  const rows = records.map(
    (record) =>
      html`<tr>
        <td class="number">${record.rank}</td>
        <th scope="row">${record.userName}<small>${describeCar(record)}</small></th>
        <td class="number time">${formatLapTime(record.lapTimeMs)}</td>
        <td class="number gap">${record.gapMs === 0 ? '—' : `+${(record.gapMs / 1000).toFixed(3)}`}</td>
      </tr>`,
  );
  return html`<table>
    <thead>
      <tr>
        <th scope="col" class="number">Pos</th>
        <th scope="col">Driver</th>
        <th scope="col" class="number">Lap Time</th>
        <th scope="col" class="number gap">Gap</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

const BOX = { width: 132, height: 72, padding: 5 };

function drawOutline(track: EmbeddedBoard['track']) {
  const circuit = drawCircuit(track, BOX);
  return (
    circuit &&
    html`<svg
      viewBox="0 0 ${BOX.width} ${BOX.height}"
      width="${BOX.width}"
      height="${BOX.height}"
      aria-hidden="true"
    >
      <path d="${circuit.lap}" />
      <path class="start" d="${circuit.startTick}${circuit.finishTick ?? ''}" />
    </svg>`
  );
}

/** Declares the letters of the site; without them the page has those of the reader's system. */
function writeFonts({ text, display }: EmbeddedFonts): string {
  return writeFont('Archivo Text', text, '400 700') + writeFont('Archivo Display', display, '750');
}

function writeFont(family: string, url: string | null, weight: string): string {
  if (url === null) return '';
  return `@font-face{font-family:"${family}";src:url("${url}") format("woff2");font-weight:${weight};font-display:swap}`;
}

function describeCar(record: LapRecord): string {
  return [formatCarName(record), record.tireCompound && tireLabel(record.tireCompound)]
    .filter(Boolean)
    .join(' · ');
}

const DARK =
  'color-scheme:dark;--canvas:#0b0d11;--line:#2a2f36;--text:#f2f4f6;--quiet:#b5bbc2;--accent:#37d2f2';
const LIGHT =
  'color-scheme:light;--canvas:#fff;--line:#dfe3e8;--text:#151a20;--quiet:#474e57;--accent:#006d91';

const STYLE = `
:root{${LIGHT}}
@media (prefers-color-scheme:dark){:root{${DARK}}}
:root[data-theme=dark]{${DARK}}
:root[data-theme=light]{${LIGHT}}
*{box-sizing:border-box}
body{margin:0;padding:12px;background:var(--canvas);color:var(--text);font:15px/1.4 "Archivo Text",system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{display:flex;align-items:center;justify-content:space-between;gap:16px;margin-bottom:8px}
h1{margin:0;font:750 18px/1.25 "Archivo Display","Archivo Text",system-ui,sans-serif}
svg{flex:none;max-width:36%;height:auto;fill:none;stroke:var(--text);stroke-width:2.5;stroke-linejoin:round}
.start{stroke:var(--accent);stroke-width:3}
a{color:inherit;text-decoration:none}
a:hover{text-decoration:underline}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{width:100%;border-collapse:collapse}
th,td{padding:6px 8px;border-bottom:1px solid var(--line);text-align:left;font-weight:400;overflow-wrap:anywhere}
thead th{color:var(--quiet);font-size:12px;font-weight:600}
tbody th{font-weight:600}
small{display:block;color:var(--quiet);font-size:12px;font-weight:400}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.time{font-weight:700}
.gap{color:var(--quiet)}
.foot{margin:8px 0 0;color:var(--quiet);font-size:13px}
@media (max-width:360px){.gap{display:none}}
`;
