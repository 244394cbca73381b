import type { Ref } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { LAP_FILE_EXTENSIONS } from '#engine/formats/lap-file-names.ts';
import { DropZone } from '#web/ui/drop-zone.tsx';
import { chooseFiles } from './process-files.ts';
import { useUpload, useUploadState } from './use-upload.ts';

const ACCEPTED_NAMES = [...LAP_FILE_EXTENSIONS, '.ldx', '.gz', '.mp4', '.360'].join(',');
const LAP_FILE_MEGABYTES_MAX = LIMITS.lapFileBytesMax / (1024 * 1024);

/** Takes lap files and GoPro videos, and the focus where a row of theirs is gone. The file dialog offers all their endings. */
export function LapFileDropZone({ ref }: { ref: Ref<HTMLDivElement> }) {
  const upload = useUpload();
  const { phase, queue } = useUploadState();
  return (
    <div ref={ref} tabIndex={-1}>
      <DropZone
        label="Lap files"
        title="Drop your lap files here"
        titleWhileOver="Drop to add the files"
        hint={`.csv, .gpx or the logger's own file, up to ${LAP_FILE_MEGABYTES_MAX} MB each, ${LIMITS.lapFilesPerUploadMax} files at once`}
        browseText="Browse Files"
        accept={ACCEPTED_NAMES}
        multiple
        disabled={phase === 'sending'}
        isPrimary={queue.length === 0}
        onFiles={(files) => void chooseFiles(upload, files)}
      />
    </div>
  );
}
