import { LIMITS } from '#contract/limits.ts';
import { LAP_FILE_EXTENSIONS } from '#engine/formats/lap-file-names.ts';
import { DropZone } from '#web/ui/drop-zone.tsx';

type LapFileDropZoneProps = {
  disabled: boolean;
  /** Makes the button secondary: the driver has something else to do next. */
  hasFiles: boolean;
  onFiles: (files: readonly File[]) => void;
};

const ACCEPTED_NAMES = [...LAP_FILE_EXTENSIONS, '.gz', '.mp4', '.360'].join(',');
const LAP_FILE_MEGABYTES_MAX = LIMITS.lapFileBytesMax / (1024 * 1024);

/** Takes lap files and GoPro videos. The file dialog offers all their endings. */
export function LapFileDropZone({ disabled, hasFiles, onFiles }: LapFileDropZoneProps) {
  return (
    <DropZone
      label="Lap files"
      title="Drop your lap files here"
      titleWhileOver="Drop to add the files"
      hint={`.csv, .gpx or the logger's own file, up to ${LAP_FILE_MEGABYTES_MAX} MB each, ${LIMITS.lapFilesPerUploadMax} files at once`}
      browseText="Browse Files"
      accept={ACCEPTED_NAMES}
      multiple
      disabled={disabled}
      isPrimary={!hasFiles}
      onFiles={onFiles}
    />
  );
}
