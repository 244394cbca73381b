import { FileText, X } from 'lucide-react';
import { Badge, type BadgeTone } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { Progress } from '#web/ui/progress.tsx';
import styles from './lap-file-list.module.css';
import { STATUS_LABELS, type LapFileStatus, type QueuedLapFile } from './lap-file-queue.ts';

type LapFileListProps = {
  queue: readonly QueuedLapFile[];
  label?: string;
  /** Absent while nothing may be removed. */
  onRemove?: (fileId: string) => void;
};

const STATUS_TONES: Record<LapFileStatus, BadgeTone> = {
  ready: 'outline',
  uploading: 'accent',
  uploaded: 'pb',
  error: 'bad',
};

/** The chosen files, each with its status and, in words, what is happening to it. */
export function LapFileList({ queue, label = 'Chosen files', onRemove }: LapFileListProps) {
  return (
    // What has become of a file is announced, the progress of sending it is not.
    <ul className={styles['list']} aria-label={label} aria-live={onRemove ? 'polite' : 'off'}>
      {queue.map((queued) => (
        <li key={queued.id} className={styles['file']}>
          <FileText size={20} aria-hidden="true" className={styles['icon']} />
          <div className={styles['words']}>
            <p className={styles['name']} title={queued.file.name}>
              {queued.file.name}
            </p>
            <p className={styles['detail']}>{queued.detail}</p>
          </div>
          <Badge tone={STATUS_TONES[queued.status]}>{STATUS_LABELS[queued.status]}</Badge>
          {onRemove && (
            <IconButton
              label={`Remove ${queued.file.name}`}
              icon={<X size={18} />}
              className={styles['remove']}
              onClick={() => onRemove(queued.id)}
            />
          )}
          {queued.status === 'uploading' && (
            <Progress label={`Progress of ${queued.file.name}`} share={queued.sentShare} />
          )}
        </li>
      ))}
    </ul>
  );
}
