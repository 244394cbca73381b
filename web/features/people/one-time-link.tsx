import { renderSVG } from 'uqr';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-text.ts';
import { TextField } from '#web/ui/field.tsx';
import styles from '#web/ui/admin.module.css';
import common from '#web/ui/common.module.css';

/** Shows a link once, as text and as a QR code for the phone of its recipient. */
export function OneTimeLink({ title, url }: { title: string; url: string }) {
  const image = `data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(url))}`;
  return (
    <div className={common['list']}>
      <output>{title}</output>
      <TextField label="Link" readOnly value={url} />
      <Button className={styles['narrow']} onClick={() => void copyText('Link', url)}>
        Copy link
      </Button>
      <div>
        <img src={image} alt="QR code of the link" width={220} height={220} />
      </div>
    </div>
  );
}
