import { DropZone } from '#web/ui/drop-zone.tsx';
import { LoadingState } from '#web/ui/state-message.tsx';
import { LIBRARY_FILE_MEGABYTES_MAX, type LibraryFileType } from './library-file.ts';
import styles from './library-upload.module.css';

type LibraryUploadProps = {
  /** What the file holds: `Track file`. */
  label: string;
  type: LibraryFileType;
  /** Said while the file is read; null while none is. */
  busyText: string | null;
  disabled: boolean;
  isPrimary: boolean;
  /** Why the last file could not be read. */
  problem: string | null;
  onFiles: (files: readonly File[]) => void;
};

/** Takes one file of tracks or cars, and says what came of it. */
export function LibraryUpload({ label, type, busyText, problem, ...zone }: LibraryUploadProps) {
  const thing = label.toLowerCase();
  return (
    <div className={styles['upload']}>
      <DropZone
        {...zone}
        label={label}
        title={`Drop a ${thing} here`}
        titleWhileOver={`Let go to read the ${thing}`}
        hint={`${type}, up to ${LIBRARY_FILE_MEGABYTES_MAX} MB`}
        browseText="Browse Files"
        accept={type}
      />
      {busyText !== null && <LoadingState>{busyText}</LoadingState>}
      <p role="alert" className={styles['problem']} hidden={problem === null}>
        {problem}
      </p>
    </div>
  );
}
