import ArrowRight from 'lucide-react/icons/arrow-right';
import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import styles from './steps.module.css';

export type Step = {
  title: string;
  text: ReactNode;
  isDone: boolean;
  /** The page that does the step; absent if an earlier step leads to it. */
  href?: string;
};

/** Shows steps in their order, those that are done with a tick, each with a link to its page. */
export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={styles['steps']}>
      {steps.map(({ title, text, isDone, href }, index) => (
        <li key={title} className={isDone ? styles['done'] : undefined}>
          <span className={styles['mark']}>
            {isDone ? <Check size={16} aria-hidden="true" /> : index + 1}
            {isDone && <span className="visually-hidden">Done</span>}
          </span>
          <div>
            <p className={styles['title']}>
              {isDone || href === undefined ? (
                title
              ) : (
                <Link href={href}>
                  {title}
                  <ArrowRight size={16} aria-hidden="true" />
                </Link>
              )}
            </p>
            <p className={styles['text']}>{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
