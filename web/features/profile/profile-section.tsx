import type { ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';
import styles from './profile-section.module.css';

type ProfileSectionProps = {
  title: string;
  /** The id of the heading, if it names a field. */
  id?: string;
  children: ReactNode;
};

/** Shows one section of the page on which users edit their profile. */
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
