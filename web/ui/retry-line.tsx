import { Button } from './button.tsx';
import styles from './retry-line.module.css';

type RetryLineProps = { children: string; onRetry: () => void };

/** One line beside a field or inside a card that could not be loaded, with a button to try again. */
export function RetryLine({ children, onRetry }: RetryLineProps) {
  return (
    <div role="alert" className={styles['line']}>
      <span>{children}</span>
      <Button size="small" variant="quiet" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
