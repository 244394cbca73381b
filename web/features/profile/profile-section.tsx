import type { ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';
import styles from './profile-section.module.css';

type ProfileSectionProps = {
  title: string;
  /** Of the heading, where it names a field. */
  id?: string;
  children: ReactNode;
};

/** One subject of the page on which users change what is theirs. */
export function ProfileSection({ title, id, children }: ProfileSectionProps) {
  return (
    <Card as="section" className={styles['card']}>
      <h2 id={id} className={styles['heading']}>
        {title}
      </h2>
      {children}
    </Card>
  );
}
