import styles from './facts.module.css';

/** Shows facts in one line with dots between them. Where the line wraps, no dot is left at an end of it. */
export function Facts({ facts }: { facts: readonly (string | number | boolean | null | undefined)[] }) {
  return (
    <span className={styles['facts']}>
      {facts.filter(Boolean).map((fact, index) => (
        <span key={String(fact)} className={styles['fact']}>
          {index > 0 && <span className={styles['dot']}> · </span>}
          {fact}
        </span>
      ))}
    </span>
  );
}
