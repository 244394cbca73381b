import styles from './progress.module.css';

type ProgressProps = {
  label: string;
  /** From 0 to 1; null while nobody knows how much is done. */
  share: number | null;
};

/** A bar that fills, or one that only moves while somebody else works. */
export function Progress({ label, share }: ProgressProps) {
  return (
    <progress className={styles['progress']} aria-label={label} {...(share !== null && { value: share })} />
  );
}
