import { useQuery } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import Trash2 from 'lucide-react/icons/trash';
import { useRef, useState } from 'react';
import type { RefusedFile } from '#contract/upload/refused-files.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { AdminCard } from '#web/ui/admin-card.tsx';
import { buttonClassName, IconButton } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { formatCount, formatMoment } from '#web/ui/format.ts';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import styles from '#web/ui/card-list.module.css';

export const refusedFilesQuery = apiQuery('GET /api/admin/refused-files');

/** Shows owners the files that drivers have sent because they could not be read. */
export function RefusedFilesCard() {
  const query = useQuery(refusedFilesQuery);
  const { data } = query;
  const list = useRef<HTMLUListElement>(null);
  const [toDelete, setToDelete] = useState<RefusedFile | null>(null);
  return (
    <AdminCard
      title="Files That Could Not Be Read"
      lead="Drivers have sent them to the owners. Each comes with what the engine found in it, and is deleted after 90 days."
    >
      <QueryState noun="files" query={query} />
      {data?.files.length === 0 && <EmptyState title="No files">None is kept at the moment.</EmptyState>}
      <ul ref={list} tabIndex={-1} className={styles['list']} aria-label="Refused files">
        {data?.files.map((file) => (
          <RefusedFileRow key={file.id} file={file} onDelete={() => setToDelete(file)} />
        ))}
      </ul>
      {toDelete && (
        <ConfirmDialog
          title="Delete this file?"
          confirmText="Delete"
          focusAfter={list}
          onConfirm={(send) =>
            send('DELETE /api/admin/refused-files/:fileId', { params: { fileId: toDelete.id } })
          }
          onClose={() => setToDelete(null)}
        >
          {toDelete.fileName}, sent by {toDelete.userName}, is deleted for good.
        </ConfirmDialog>
      )}
    </AdminCard>
  );
}

function RefusedFileRow({ file, onDelete }: { file: RefusedFile; onDelete: () => void }) {
  const { id, fileName, userName, byteCount, sentAt, report } = file;
  return (
    <li className={styles['row']}>
      <div>
        <p className={styles['name']}>{fileName}</p>
        <p className={styles['target']}>
          {userName}, {formatMoment(sentAt)}, {formatCount(Math.ceil(byteCount / 1024))} KB
        </p>
        <p className={styles['problem']}>
          {report.sentence ?? `The engine reads it now: ${formatCount(report.positionCount)} positions.`}
        </p>
      </div>
      <span>
        <a
          href={`/api/admin/refused-files/${id}/archive.zip`}
          download
          aria-label={`Download ${fileName}`}
          title={`Download ${fileName}`}
          className={buttonClassName({ variant: 'quiet' })}
        >
          <Download size={18} aria-hidden="true" />
        </a>
        <IconButton label={`Delete ${fileName}`} icon={<Trash2 size={18} />} onClick={onDelete} />
      </span>
    </li>
  );
}
