import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import common from './common.module.css';
import styles from './state-message.module.css';

type EmptyStateProps = {
  title: string;
  icon?: ReactNode;
  /** One of the pictures, in the place of the icon. */
  picture?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
};

export function EmptyState({ title, icon, picture, children, actions }: EmptyStateProps) {
  return (
    <div className={styles['message']}>
      {picture && <span className={styles['picture']}>{picture}</span>}
      {icon && (
        <span className={styles['icon']} aria-hidden="true">
          {icon}
        </span>
      )}
      <p className={styles['title']}>{title}</p>
      {children && <p className={styles['body']}>{children}</p>}
      {actions && <div className={styles['actions']}>{actions}</div>}
    </div>
  );
}

type FailedStateProps = { title: string; children?: ReactNode; onRetry: () => void };

export function FailedState({ title, children, onRetry }: FailedStateProps) {
  return (
    <div role="alert">
      <EmptyState
        title={title}
        icon={<CircleAlert size={22} />}
        actions={<Button onClick={onRetry}>Retry</Button>}
      >
        {children}
      </EmptyState>
    </div>
  );
}

/** Reports that content is loading, after a short delay. */
export function LoadingState({ children }: { children: string }) {
  return (
    <output className={styles['loading']}>
      <span className={styles['spinner']} aria-hidden="true" />
      {children}
    </output>
  );
}

/** Shows the loading state of a whole page, which has a heading like every page. */
export function PendingPage({ children }: { children: string }) {
  return (
    <>
      <h1 className="visually-hidden">Pitboard</h1>
      <LoadingState>{children}</LoadingState>
    </>
  );
}

/** Shows one line at a field or in a card that could not be loaded, with a button to try again. */
export function RetryLine({ children, onRetry }: { children: string; onRetry: () => void }) {
  return (
    <div role="alert" className={styles['line']}>
      <span>{children}</span>
      <Button size="small" variant="quiet" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

type QueryStateProps = {
  /** Names what is fetched, such as `tracks`. */
  noun: string;
  query: { data: unknown; isError: boolean; refetch: () => unknown };
};

/**
 * Says what a query lacks: that its data are loading, that they could not be loaded, or that those on the page could not be loaded
 * again. Data stay after a failure, so pages show them wherever they are there.
 */
export function QueryState({ noun, query: { data, isError, refetch } }: QueryStateProps) {
  const retry = () => void refetch();
  if (data === undefined && !isError) return <LoadingState>{`Loading ${noun}...`}</LoadingState>;
  if (data === undefined) return <FailedState title={`The ${noun} could not be loaded.`} onRetry={retry} />;
  if (!isError) return null;
  return (
    <RetryLine onRetry={retry}>
      {`The ${noun} could not be loaded again. What is shown may be out of date.`}
    </RetryLine>
  );
}

/** Says in a form why its last attempt failed; null shows nothing. In a dialog or card of its own it is `boxed`. */
export function Failure({ children, boxed = false }: { children: string | null; boxed?: boolean }) {
  if (children === null) return null;
  return (
    <p ref={scrollIntoView} role="alert" className={classNames(common['failure'], boxed && common['boxed'])}>
      {children}
    </p>
  );
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
