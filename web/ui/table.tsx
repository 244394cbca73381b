import type { ReactNode } from 'react';
import styles from './table.module.css';

type TableProps = {
  /** The name of the table for screen readers. */
  caption: string;
  head: ReactNode;
  children: ReactNode;
};

export function Table({ caption, head, children }: TableProps) {
  return (
    <div className={styles['frame']}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** Describes the columns of a table by heading: phones omit the `wide` ones, and a heading `for-screen-readers` is not shown. */
export type Columns = Readonly<Record<string, '' | 'wide' | 'number' | 'wide number' | 'for-screen-readers'>>;

export function Headings({ columns }: { columns: Columns }) {
  return Object.entries(columns).map(([heading, kind]) => (
    <th
      key={heading}
      scope="col"
      className={
        kind
          .split(' ')
          .map((name) => styles[name])
          .join(' ') || undefined
      }
    >
      {kind === 'for-screen-readers' ? <span className="visually-hidden">{heading}</span> : heading}
    </th>
  ));
}
