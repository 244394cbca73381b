import Copy from 'lucide-react/icons/copy';
import type { LiveCode } from '#contract/live/code.ts';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './live.module.css';

/** Offers the link of a live session, as text and as a QR code. */
export function ShareLiveDialog({ code, onClose }: { code: LiveCode; onClose: () => void }) {
  const url = `${window.location.origin}/live/${code}`;
  return (
    <Dialog closesOutside title="Share live session" width="form" onClose={onClose}>
      <div className={styles['share']}>
        <img
          src={`/api/live/${code}/qr-code.svg`}
          alt="QR code of this live session"
          width={200}
          height={200}
        />
        <code>{url}</code>
        <Button onClick={() => void copyText('Link', url)}>
          <Copy size={16} aria-hidden="true" />
          Copy Link
        </Button>
        <p>
          Who has the link can watch, until the last driver stops. Drivers who open it share their drive
          there, too.
        </p>
      </div>
    </Dialog>
  );
}
