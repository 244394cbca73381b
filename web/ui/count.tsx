import { formatCount } from './format.ts';
import styles from './count.module.css';

const COUNT_MAX = 99;

/** Shows how many things wait, next to the name of their place; renders nothing for none. */
export function Count({ count, className }: { count: number; className?: string | undefined }) {
  if (count === 0) return null;
  return (
    <span className={className ?? styles['count']}>
      {count > COUNT_MAX ? `${COUNT_MAX}+` : formatCount(count)}
      <span className="visually-hidden"> to decide</span>
    </span>
  );
}
