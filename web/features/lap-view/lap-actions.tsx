import Bookmark from 'lucide-react/icons/bookmark';
import Download from 'lucide-react/icons/download';
import GitCompareArrows from 'lucide-react/icons/git-compare-arrows';
import Pencil from 'lucide-react/icons/pencil';
import Plus from 'lucide-react/icons/plus';
import Share2 from 'lucide-react/icons/share-2';
import X from 'lucide-react/icons/x';
import { useState, type ReactNode } from 'react';
import { Button, ButtonLink, IconButton } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { Dialog } from '#web/ui/dialog.tsx';
import { DownloadDialog, type ExportedPath } from '#web/ui/download-dialog.tsx';
import styles from './lap-actions.module.css';
import { useBoardHref } from './lap-head.tsx';
import { showToast } from '#web/ui/toasts.ts';

type LapActionsProps = {
  title: string;
  /** Each of these is offered where it is given. */
  onSwap?: (() => void) | undefined;
  onAdd?: (() => void) | undefined;
  onSave?: (() => void) | undefined;
  onEdit?: (() => void) | undefined;
  /** The lap as a file, and for its driver the whole session. */
  exports?: readonly ExportedPath[];
};

type Action = { label: string; icon: ReactNode; run: () => void };

/** Shows the actions of the page as icons; on phones those but closing are in a sheet. */
export function LapActions({ title, onSwap, onAdd, onSave, onEdit, exports = [] }: LapActionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isDownloading, setIsDownloading] = useState(false);
  const boardHref = useBoardHref();
  const actions: Action[] = [
    ...list('Share', <Share2 size={18} />, () => void shareLap(title)),
    ...list('Swap the laps', <GitCompareArrows size={18} />, onSwap),
    ...list('Add a lap', <Plus size={18} />, onAdd),
    ...list('Save the comparison', <Bookmark size={18} />, onSave),
    ...list(
      'Download',
      <Download size={18} />,
      exports.length > 0 ? () => setIsDownloading(true) : undefined,
    ),
    ...list('Edit Session', <Pencil size={18} />, onEdit),
  ];
  return (
    <div className={styles['actions']}>
      <span className={styles['desk']}>
        {actions.map(({ label, icon, run }) => (
          <IconButton key={label} label={label} icon={icon} onClick={run} />
        ))}
      </span>
      <span className={styles['phone']}>
        <IconButton label="Share and more" icon={<Share2 size={18} />} onClick={() => setIsOpen(true)} />
      </span>
      <ButtonLink href={boardHref} variant="quiet" className={styles['close']} aria-label="Close the lap">
        <X size={20} aria-hidden="true" />
      </ButtonLink>
      {isDownloading && <DownloadDialog exports={exports} onClose={() => setIsDownloading(false)} />}
      {isOpen && <ActionSheet actions={actions} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function ActionSheet({ actions, onClose }: { actions: readonly Action[]; onClose: () => void }) {
  return (
    <Dialog closesOutside title="Share and more" onClose={onClose}>
      <div className={common['lines']}>
        {actions.map(({ label, icon, run }) => (
          <Button
            key={label}
            wide
            onClick={() => {
              onClose();
              run();
            }}
          >
            {icon}
            {label}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

function list(label: string, icon: ReactNode, run: (() => void) | undefined): Action[] {
  return run ? [{ label, icon, run }] : [];
}

/** Shares the URL of the page with the device's share menu, or copies it if there is none. */
async function shareLap(title: string): Promise<void> {
  const url = window.location.href;
  try {
    // Desktop browsers have it as well, but show an uncommon window.
    if ('share' in navigator && window.matchMedia('(pointer: coarse)').matches) {
      await navigator.share({ title, url });
      return;
    }
    await navigator.clipboard.writeText(url);
    showToast({ title: 'Link Copied', description: title });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    showToast({ title: 'Link Not Copied', description: url, destructive: true });
  }
}
