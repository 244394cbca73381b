import { formatCarName, tireLabel } from '#contract/laps/labels.ts';
import type { LapRecord } from '#contract/laps/schemas.ts';
import type { TrackOrigin } from '#contract/tracks/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { html } from '#server/kernel/html.ts';

type EmbeddedBoard = {
  trackName: string;
  /** The published set that the track comes from. */
  origin: TrackOrigin | null;
  records: readonly LapRecord[];
  theme: 'dark' | 'light' | 'auto';
  /** This URL leads to the board with the same filters. */
  link: string;
};

/** Renders a board as a separate page without scripts or further requests. */
export function embeddedBoard({ trackName, origin, records, theme, link }: EmbeddedBoard): string {
  const rows = records.map(
    (record) =>
      html`<tr>
        <td class="number">${record.rank}</td>
        <th scope="row">${record.userName}<small>${describeCar(record)}</small></th>
        <td class="number time">${formatLapTime(record.lapTimeMs)}</td>
        <td class="number gap">${record.gapMs === 0 ? '—' : `+${(record.gapMs / 1000).toFixed(3)}`}</td>
      </tr>`,
  );
  const table = html`<table>
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
  return html`<!doctype html>
    <html lang="en" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${trackName} – Pitboard</title>
        <style>
          ${{ html: STYLE }}
        </style>
      </head>
      <body>
        <main>
          <h1><a href="${link}" target="_blank" rel="noopener">${trackName}</a></h1>
          ${records.length === 0 ? html`<p>No laps yet.</p>` : table}
          <p class="foot"><a href="${link}" target="_blank" rel="noopener">The whole board on Pitboard</a></p>
          ${origin && html`<p class="foot">Track: ${origin.title} · ${origin.attribution} · ${origin.licence}</p>`}
        </main>
      </body>
    </html> `.html;
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
body{margin:0;padding:12px;background:var(--canvas);color:var(--text);font:15px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
h1{margin:0 0 8px;font-size:18px;line-height:1.25}
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
