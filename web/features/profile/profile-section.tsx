import type { ReactNode, RefObject } from 'react';
import { Card } from '#web/ui/card.tsx';
import common from '#web/ui/common.module.css';

type ProfileSectionProps = {
  title: string;
  /** The id of the heading, if it names a field. */
  id?: string;
  /** Gets the heading, which can take the focus of a row that is removed. */
  heading?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
};

/** Shows one section of the page on which users edit their profile. */
export function ProfileSection({ title, id, heading, children }: ProfileSectionProps) {
  return (
    <Card as="section" className={common['stack']}>
      <h2 ref={heading} tabIndex={-1} id={id} className={common['heading']}>
        {title}
      </h2>
      {children}
    </Card>
  );
}
