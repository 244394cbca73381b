import type { LucideIcon } from 'lucide-react';
import Copy from 'lucide-react/icons/copy';
import Download from 'lucide-react/icons/download';
import Rss from 'lucide-react/icons/rss';
import { useState } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { Button, buttonClassName } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { writeFilter, type BoardFilter } from './board-filter.ts';
import common from '#web/ui/common.module.css';
import styles from './share-board-dialog.module.css';

type ShareBoardDialogProps = { trackId: TrackId; filter: BoardFilter; onClose: () => void };

const EMBEDDED_HEIGHT_PX = 600;

/** Offers a board with its current filters as an embedded page, a display, a spreadsheet or a feed. */
export function ShareBoardDialog({ trackId, filter, onClose }: ShareBoardDialogProps) {
  const query = writeFilter(new URLSearchParams(), filter).toString();
  const search = query === '' ? '' : `?${query}`;
  const id = encodeURIComponent(trackId);
  return (
    <Dialog closesOutside title="Share board" onClose={onClose}>
      <section className={styles['part']}>
        <h3 className={styles['title']}>QR code for the paddock wall</h3>
        <QrCode url={`/api/tracks/${id}/qr-code.svg${search}`} fileName={`${trackId}.svg`} />
      </section>
      <section className={styles['part']}>
        <h3 className={styles['title']}>On your own site</h3>
        <EmbedCode path={`/api/embed/track/${id}`} query={query} />
      </section>
      <section className={styles['part']}>
        <h3 className={styles['title']}>As data</h3>
        <div className={common['row']}>
          <FileLink icon={Download} href={`/api/tracks/${id}/board.csv${search}`} download="">
            CSV
          </FileLink>
          <FileLink icon={Download} href={`/api/laps/track/${id}/best${search}`} download={`${trackId}.json`}>
            JSON
          </FileLink>
          <FileLink icon={Rss} href={`/api/feed/records?track=${id}`}>
            Feed of records
          </FileLink>
        </div>
      </section>
    </Dialog>
  );
}

function QrCode({ url, fileName }: { url: string; fileName: string }) {
  return (
    <>
      <img
        className={styles['code']}
        src={url}
        alt="QR code of this board's address"
        width={180}
        height={180}
      />
      <FileLink icon={Download} href={url} download={fileName}>
        Download SVG
      </FileLink>
    </>
  );
}

type FileLinkProps = { icon: LucideIcon; href: string; download?: string; children: string };

function FileLink({ icon: Icon, children, ...link }: FileLinkProps) {
  return (
    <a {...link} className={buttonClassName({ size: 'small' })}>
      <Icon size={16} aria-hidden="true" />
      {children}
    </a>
  );
}

const THEMES = { auto: "The reader's computer", dark: 'A dark page', light: 'A light page' };

/** Shows the code of the frame, in the colours of the page around it. */
function EmbedCode({ path, query }: { path: string; query: string }) {
  const [theme, setTheme] = useState('auto');
  const search = new URLSearchParams(query);
  if (theme !== 'auto') search.set('theme', theme);
  const url = `${window.location.origin}${path}${search.size === 0 ? '' : `?${search.toString()}`}`;
  const code = `<iframe src="${url.replaceAll('&', '&amp;')}" width="100%" height="${EMBEDDED_HEIGHT_PX}" style="border:0" title="Pitboard leaderboard"></iframe>`;
  return (
    <>
      <SelectField label="Colours of" value={theme} onChange={(event) => setTheme(event.currentTarget.value)}>
        {Object.entries(THEMES).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <code className={styles['snippet']}>{code}</code>
      <Button size="small" onClick={() => void copyText('Code', code, 'Paste it into a page of your site.')}>
        <Copy size={16} aria-hidden="true" />
        Copy Code
      </Button>
    </>
  );
}
