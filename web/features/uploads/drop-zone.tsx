import { useEffect } from 'react';
import { useDropzone } from 'react-dropzone';
import { Upload } from 'lucide-react';
import { LIMITS } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import styles from './drop-zone.module.css';

type DropZoneProps = {
  disabled: boolean;
  /** Once there are files, the next thing to do is another. */
  hasFiles: boolean;
  onFiles: (files: readonly File[]) => void;
};

const LAP_FILE_MEGABYTES_MAX = LIMITS.lapFileBytesMax / (1024 * 1024);

/** Takes lap files, from the button or dropped anywhere on the zone. */
export function DropZone({ disabled, hasFiles, onFiles }: DropZoneProps) {
  useWindowDropProtection();
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    disabled,
    // The button is what opens the file dialog: a zone that is one would be a button without a name.
    noClick: true,
    noKeyboard: true,
    onDrop: (files) => onFiles(files),
  });
  return (
    <div
      {...getRootProps({ role: 'group' })}
      aria-label="Lap files"
      className={classNames(styles['zone'], isDragActive && styles['over'])}
    >
      {/* The dialog offers what is analysed; the lap files of other loggers can be dropped all the same. */}
      <input {...getInputProps({ accept: '.csv,.gpx', 'aria-label': 'Lap files' })} />
      <span className={styles['icon']} aria-hidden="true">
        <Upload size={22} />
      </span>
      <p className={styles['title']}>
        {isDragActive ? 'Let go to add the files' : 'Drop your lap files here'}
      </p>
      <p className={styles['hint']}>
        .csv or .gpx, up to {LAP_FILE_MEGABYTES_MAX} MB each, {LIMITS.lapFilesPerUploadMax} files at once
      </p>
      <Button
        variant={hasFiles ? 'secondary' : 'primary'}
        className={styles['browse'] ?? ''}
        disabled={disabled}
        onClick={open}
      >
        Browse Files
      </Button>
    </div>
  );
}

/** A file dropped beside the zone would otherwise replace the page, and everything filled in with it. */
function useWindowDropProtection(): void {
  useEffect(() => {
    window.addEventListener('dragover', keepPage);
    window.addEventListener('drop', keepPage);
    return () => {
      window.removeEventListener('dragover', keepPage);
      window.removeEventListener('drop', keepPage);
    };
  }, []);
}

function keepPage(event: DragEvent): void {
  event.preventDefault();
}
