import type { RefObject } from 'react';
import FileText from 'lucide-react/icons/file-text';
import X from 'lucide-react/icons/x';
import { Badge, type BadgeTone } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import common from '#web/ui/common.module.css';
import styles from './lap-file-list.module.css';
import { formatFileSize, STATUS_LABELS, type LapFileStatus, type QueuedLapFile } from './lap-file-queue.ts';
import { removeFile } from './process-files.ts';
import { SendRefusedFile } from './send-refused-file.tsx';
import { useUpload, useUploadState } from './use-upload.ts';

const STATUS_TONES: Record<LapFileStatus, BadgeTone> = {
  ready: 'outline',
  uploading: 'accent',
  uploaded: 'pb',
  error: 'bad',
};

type LapFileListProps = {
  files: readonly QueuedLapFile[];
  label?: string;
  /** Takes the focus where a row is gone. */
  focusAfter: RefObject<HTMLElement | null>;
};

/** Shows chosen files, each with its status and what is happening to it. */
export function LapFileList({ files, label = 'Chosen files', focusAfter }: LapFileListProps) {
  const isSending = useUploadState().phase === 'sending';
  return (
    // The results of processing are announced, the progress of sending is not.
    <ul className={common['lines']} aria-label={label} aria-live={isSending ? 'off' : 'polite'}>
      {files.map((queued) => (
        <Row key={queued.id} queued={queued} focusAfter={focusAfter} />
      ))}
    </ul>
  );
}

type RowProps = Pick<LapFileListProps, 'focusAfter'> & { queued: QueuedLapFile };

function Row({ queued, focusAfter }: RowProps) {
  const { id, file, status, detail, sentShare, isUnreadable } = queued;
  const { name } = file;
  const upload = useUpload();
  const isSending = useUploadState().phase === 'sending';
  useFocusAfter(focusAfter);
  return (
    <li className={styles['file']}>
      <FileText size={20} aria-hidden="true" className={styles['icon']} />
      <div className={styles['text']}>
        <p className={styles['name']} title={name}>
          {name}
        </p>
        <p className={styles['detail']}>{detail}</p>
      </div>
      <Badge tone={STATUS_TONES[status]}>{STATUS_LABELS[status]}</Badge>
      {!isSending && (
        <IconButton
          label={`Remove ${name}`}
          icon={<X size={18} />}
          className={styles['remove']}
          onClick={() => removeFile(upload, id)}
        />
      )}
      {status === 'error' && isUnreadable && !isSending && (
        <div className={styles['help']}>
          <SendRefusedFile file={file} />
        </div>
      )}
      {status === 'uploading' && <Progress label={`Progress of ${name}`} share={sentShare} />}
    </li>
  );
}

/** Shows how far the positions of each video have been read. */
export function VideoList() {
  const { videos } = useUploadState();
  return (
    <ul aria-label="Videos" aria-live="polite" className={styles['videos']} hidden={videos.length === 0}>
      {videos.map(({ name, share, bytesRead, sizeBytes }) => (
        <li key={name}>
          {share < 1 ? (
            <label>
              Reading the GPS of {name}… <progress value={share} />
            </label>
          ) : (
            `GPS of ${name}: ${formatFileSize(bytesRead)} of ${formatFileSize(sizeBytes)} read. The video stays on your device.`
          )}
        </li>
      ))}
    </ul>
  );
}
