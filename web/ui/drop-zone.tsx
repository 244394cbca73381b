import Upload from 'lucide-react/icons/upload';
import { useEffect, type ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './drop-zone.module.css';

type DropZoneProps = {
  /** The label of the requested file, which names the zone for screen readers. */
  label: string;
  title: string;
  /** The title while files are over the zone. */
  titleWhileOver: string;
  hint: ReactNode;
  browseText: string;
  /** The file types in the file dialog, such as `.csv,.gpx`. Dropped files may have any type. */
  accept: string;
  /** True if the file dialog takes several files. */
  multiple?: boolean;
  disabled: boolean;
  /** True if choosing files is the main action at the moment. */
  isPrimary: boolean;
  onFiles: (files: readonly File[]) => void;
};

/** Takes files, from the button or dropped anywhere on the zone. Brings react-dropzone, so use it in lazy chunks only. */
export function DropZone(props: DropZoneProps) {
  const { label, accept, multiple = false, disabled, onFiles } = props;
  useWindowDropProtection();
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    disabled,
    // The button opens the file dialog: a zone that does so would be a button without a name.
    noClick: true,
    noKeyboard: true,
    noPaste: true,
    onDrop: (files) => onFiles(files),
  });
  return (
    <div
      {...getRootProps({ role: 'group' })}
      aria-label={label}
      className={classNames(styles['zone'], isDragActive && styles['over'])}
    >
      <input {...getInputProps({ accept, multiple, 'aria-label': label })} />
      <span className={styles['icon']} aria-hidden="true">
        <Upload size={22} />
      </span>
      <p className={styles['title']}>{isDragActive ? props.titleWhileOver : props.title}</p>
      <p className={styles['hint']}>{props.hint}</p>
      <Button
        variant={props.isPrimary ? 'primary' : 'secondary'}
        className={styles['browse']}
        // The button is not `disabled`, so that it keeps the focus; nothing opens meanwhile.
        aria-disabled={disabled}
        onClick={open}
      >
        {props.browseText}
      </Button>
    </div>
  );
}

/** Ignores files that are dropped outside the zone: the browser would open them, and lose all input. */
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
