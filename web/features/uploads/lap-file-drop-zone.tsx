import { LIMITS } from '#contract/limits.ts';
import { DropZone } from '#web/ui/drop-zone.tsx';

type LapFileDropZoneProps = {
  disabled: boolean;
  /** Once there are files, the next thing to do is another. */
  hasFiles: boolean;
  onFiles: (files: readonly File[]) => void;
};

const LAP_FILE_MEGABYTES_MAX = LIMITS.lapFileBytesMax / (1024 * 1024);

/** Takes lap files. The dialog offers what is analysed; the lap files of other loggers can be dropped all the same. */
export function LapFileDropZone({ disabled, hasFiles, onFiles }: LapFileDropZoneProps) {
  return (
    <DropZone
      label="Lap files"
      title="Drop your lap files here"
      titleWhileOver="Drop to add the files"
      hint={`.csv or .gpx, up to ${LAP_FILE_MEGABYTES_MAX} MB each, ${LIMITS.lapFilesPerUploadMax} files at once`}
      browseText="Browse Files"
      accept=".csv,.gpx,.gz"
      multiple
      disabled={disabled}
      isPrimary={!hasFiles}
      onFiles={onFiles}
    />
  );
}
