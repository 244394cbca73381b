import { formatCount } from '#web/ui/format-count.ts';
import { counted } from './counted.ts';
import styles from './warnings.module.css';

// More than anybody reads at once; the rest is counted.
const SHOWN_MAX = 100;

type WarningsProps = { sentences: readonly string[]; noun?: string };

/** What the server has to say about single entries, to be opened where there is much of it. */
export function Warnings({ sentences, noun = 'warning' }: WarningsProps) {
  if (sentences.length === 0) return null;
  const hiddenCount = sentences.length - SHOWN_MAX;
  return (
    <details className={styles['warnings']} open={sentences.length <= 5}>
      <summary>{counted(sentences.length, noun)}</summary>
      <ul>
        {sentences.slice(0, SHOWN_MAX).map((sentence, index) => (
          // Two entries may be worth the same sentence.
          <li key={`${index} ${sentence}`}>{sentence}</li>
        ))}
        {hiddenCount > 0 && <li>and {formatCount(hiddenCount)} more</li>}
      </ul>
    </details>
  );
}
