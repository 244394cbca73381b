import { useEffect, useRef, type ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';
import styles from './admin-card.module.css';

type AdminCardProps = {
  title: string;
  lead?: ReactNode;
  /** The card has come as the answer to something and is where to go on: it takes the focus and the top of the window. */
  takesFocus?: boolean;
  children: ReactNode;
};

/** A part of an administration page, with its heading and what it is for. */
export function AdminCard({ title, lead, takesFocus = false, children }: AdminCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!takesFocus) return;
    heading.current?.focus({ preventScroll: true });
    heading.current?.scrollIntoView({ block: 'start' });
  }, [takesFocus]);
  return (
    <Card as="section" className={styles['card'] ?? ''} aria-label={title}>
      <div className={styles['words']}>
        <h2 ref={heading} tabIndex={-1} className={styles['heading']}>
          {title}
        </h2>
        {lead && <p className={styles['lead']}>{lead}</p>}
      </div>
      {children}
    </Card>
  );
}
