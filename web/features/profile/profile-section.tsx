import type { ReactNode } from 'react';
import { Card } from '#web/ui/card.tsx';
import common from '#web/ui/common.module.css';

type ProfileSectionProps = {
  title: string;
  /** The id of the heading, if it names a field. */
  id?: string;
  children: ReactNode;
};

/** Shows one section of the page on which users edit their profile. */
export function ProfileSection({ title, id, children }: ProfileSectionProps) {
  return (
    <Card as="section" className={common['stack']}>
      <h2 id={id} className={common['heading']}>
        {title}
      </h2>
      {children}
    </Card>
  );
}
