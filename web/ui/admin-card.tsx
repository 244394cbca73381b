import { type ReactNode, useEffect, useRef } from 'react';
import { Card } from './card.tsx';
import { formatCount, pluralize } from './format.ts';
import common from './common.module.css';
import styles from './admin.module.css';

type AdminCardProps = {
  title: string;
  lead?: ReactNode;
  /** True if the card is the result of an action: it takes the focus and scrolls to the top of the window. */
  takesFocus?: boolean;
  children: ReactNode;
};

/** Shows a part of an administration page, with its heading and its purpose. */
export function AdminCard({ title, lead, takesFocus = false, children }: AdminCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [takesFocus]);
  return (
    <Card as="section" className={styles['card']} aria-label={title}>
      <div className={common['lines']}>
        <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
          {title}
        </h2>
        {lead && <p className={styles['lead']}>{lead}</p>}
      </div>
      {children}
    </Card>
  );
}

// Further warnings are only counted.
const SHOWN_MAX = 100;

/** Shows the server's messages about single entries, collapsed if there are many. */
export function Warnings({ sentences, noun = 'warning' }: { sentences: readonly string[]; noun?: string }) {
  if (sentences.length === 0) return null;
  const hiddenCount = sentences.length - SHOWN_MAX;
  return (
    <details className={styles['warnings']} open={sentences.length <= 5}>
      <summary>{pluralize(sentences.length, noun)}</summary>
      <ul>
        {sentences.slice(0, SHOWN_MAX).map((sentence, index) => (
          // Two entries may have the same message.
          <li key={`${index} ${sentence}`}>{sentence}</li>
        ))}
        {hiddenCount > 0 && <li>and {formatCount(hiddenCount)} more</li>}
      </ul>
    </details>
  );
}
