import type { HTMLAttributes } from 'react';
import styles from './card.module.css';
import { classNames } from './class-names.ts';

type CardProps = HTMLAttributes<HTMLElement> & {
  as?: 'div' | 'section' | 'article' | 'li' | 'aside';
  /** False if the content extends to the edge. */
  padded?: boolean;
};

/** Shows a surface one step above the page, with a hairline around it. */
export function Card({ as: Element = 'div', padded = true, className, ...rest }: CardProps) {
  return <Element {...rest} className={classNames(styles['card'], padded && styles['padded'], className)} />;
}
