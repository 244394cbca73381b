import styles from './position.module.css';

const MEDAL_COLORS = ['#F4C855', '#C2C8CF', '#DA915F'];

/** Shows a rank: a medal for the first three, a number otherwise. */
export function Position({ rank }: { rank: number }) {
  const medal = MEDAL_COLORS[rank - 1];
  if (!medal) return <span className={styles['number']}>{rank}</span>;
  return (
    <span className={styles['medal']}>
      <svg viewBox="0 0 26 28" aria-hidden="true">
        <path d="M6 1h5l3 9H9zM20 1h-5l-3 9h5z" fill="var(--line-strong)" />
        <circle cx="13" cy="17.5" r="9" fill={medal} />
      </svg>
      <b>{rank}</b>
    </span>
  );
}
