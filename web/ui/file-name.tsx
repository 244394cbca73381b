import FileText from 'lucide-react/icons/file-text';
import styles from './file-name.module.css';

/** Names the file that a dialog is about. */
export function FileName({ name }: { name: string }) {
  return (
    <p className={styles['file']}>
      <FileText size={18} aria-hidden="true" />
      {name}
    </p>
  );
}
