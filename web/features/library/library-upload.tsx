import { DropZone } from '#web/ui/drop-zone.tsx';
import { Failure, LoadingState } from '#web/ui/state-message.tsx';
import common from '#web/ui/common.module.css';
import { LIMITS } from '#contract/limits.ts';

type LibraryUploadProps = {
  label: string;
  type: LibraryFileType;
  /** The text while the file is read; null otherwise. */
  busyText: string | null;
  disabled: boolean;
  isPrimary: boolean;
  problem: string | null;
  onFiles: (files: readonly File[]) => void;
};

/** Takes one file of tracks or cars, and shows why it could not be read. */
export function LibraryUpload({ label, type, busyText, problem, ...zone }: LibraryUploadProps) {
  const thing = label.toLowerCase();
  return (
    <div className={common['list']}>
      <DropZone
        {...zone}
        label={label}
        title={`Drop a ${thing} here`}
        titleWhileOver={`Drop to read the ${thing}`}
        hint={`${type}, up to ${LIBRARY_FILE_MEGABYTES_MAX} MB`}
        browseText="Browse Files"
        accept={FILE_ENDINGS[type].join()}
      />
      {busyText !== null && <LoadingState>{busyText}</LoadingState>}
      <Failure>{problem}</Failure>
    </div>
  );
}

export type LibraryFileType = '.json' | '.csv' | '.zip';

/** The suffixes for each kind; tracks may come in files of other programs. */
const FILE_ENDINGS: Record<LibraryFileType, readonly string[]> = {
  '.json': ['.json', '.geojson', '.kml', '.xml', '.cir'],
  '.csv': ['.csv'],
  // An export of another Pitboard server is one JSON file.
  '.zip': ['.zip', '.json'],
};

const LIBRARY_FILE_MEGABYTES_MAX = LIMITS.libraryFileBytesMax / (1024 * 1024);

/** Returns the one file to read, or a sentence about the problem with the chosen files. */
export function validateLibraryFile<F extends Pick<File, 'name' | 'size'>>(
  files: readonly F[],
  type: LibraryFileType,
): F | string {
  const [file, ...others] = files;
  if (!file || others.length > 0) return 'Please choose one file.';
  const name = file.name.toLowerCase();
  if (!FILE_ENDINGS[type].some((ending) => name.endsWith(ending))) return `Please choose a ${type} file.`;
  if (file.size > LIMITS.libraryFileBytesMax) {
    return `Please choose a file of at most ${LIBRARY_FILE_MEGABYTES_MAX} MB.`;
  }
  return file;
}
