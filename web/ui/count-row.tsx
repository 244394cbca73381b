import styles from './count-row.module.css';
import { formatCount } from './format.ts';

type CountRowProps = { counts: Readonly<Record<string, number>> };

/** Shows a few counts in a row, each below its name. */
export function CountRow({ counts }: CountRowProps) {
  return (
    <dl className={styles['counts']}>
      {Object.entries(counts).map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatCount(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
