import { useEffect, useRef, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { hasNavigated } from './navigation.ts';
import styles from './page.module.css';

type PageProps = { width?: 'full' | 'narrow' | 'card'; className?: string | undefined; children: ReactNode };

/** Shows the column of a page: 1200 pixels wide, `narrow` 920, `card` for a single card. */
export function Page({ width = 'full', className, children }: PageProps) {
  return (
    <div className={classNames(styles['page'], width !== 'full' && styles[width], className)}>{children}</div>
  );
}

type PageTitleProps = {
  children: ReactNode;
  /** The title of the browser tab; required if the heading is not plain text. */
  documentTitle?: string;
  className?: string | undefined;
};

/** Shows the only `h1`. It names the tab, and takes the focus after a navigation, for screen readers. */
export function PageTitle({ children, documentTitle, className }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const title = documentTitle ?? (typeof children === 'string' ? children : 'Pitboard');

  useEffect(() => {
    document.title = title === 'Pitboard' ? title : `${title} · Pitboard`;
  }, [title]);

  useEffect(() => {
    if (hasNavigated()) heading.current?.focus({ preventScroll: true });
  }, []);

  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}
