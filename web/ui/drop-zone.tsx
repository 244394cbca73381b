import { Upload } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { useDropzone } from 'react-dropzone';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import styles from './drop-zone.module.css';

type DropZoneProps = {
  /** What is asked for; names the zone for screen readers. */
  label: string;
  /** What can be done here. */
  title: string;
  /** What letting go will do. */
  titleWhileOver: string;
  hint: ReactNode;
  browseText: string;
  /** What the file dialog offers, such as `.csv,.gpx`. Anything can be dropped all the same. */
  accept: string;
  /** Whether the file dialog takes several files. */
  multiple?: boolean;
  disabled: boolean;
  /** Whether choosing files is the one thing to do now. */
  isPrimary: boolean;
  onFiles: (files: readonly File[]) => void;
};

/** Takes files, from the button or dropped anywhere on the zone. Brings react-dropzone, so use it in lazy chunks only. */
export function DropZone(props: DropZoneProps) {
  const { label, accept, multiple = false, disabled, onFiles } = props;
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
        // Not `disabled`, so that it keeps the focus; nothing opens meanwhile.
        aria-disabled={disabled}
        onClick={open}
      >
        {props.browseText}
      </Button>
    </div>
  );
}

/** The browser would open a file that is dropped outside the zone, and lose everything filled in. */
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
