import styles from './progress.module.css';

type ProgressProps = {
  label: string;
  /** From 0 to 1; null while that is unknown. */
  share: number | null;
};

/** A progress bar; without a share it only moves. */
export function Progress({ label, share }: ProgressProps) {
  return (
    <progress className={styles['progress']} aria-label={label} {...(share !== null && { value: share })} />
  );
}
