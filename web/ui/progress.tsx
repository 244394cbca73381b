import styles from './progress.module.css';

type ProgressProps = {
  label: string;
  /** The share from 0 to 1; null if it is not known. */
  share: number | null;
};

/** Shows a progress bar; without a share it only moves. */
export function Progress({ label, share }: ProgressProps) {
  return (
    <progress className={styles['progress']} aria-label={label} {...(share !== null && { value: share })} />
  );
}
