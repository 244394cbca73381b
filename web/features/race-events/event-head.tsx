import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PageTitle } from '#web/ui/page.tsx';
import { trackHref } from '#web/ui/page-hrefs.ts';
import common from '#web/ui/common.module.css';
import { formatDays } from './describe-event.ts';
import { describeRule } from './describe-rule.ts';
import { EventState } from './event-cards.tsx';
import { EventOutline } from './event-outline.tsx';
import type { EventView } from './event-view.ts';
import styles from './event-head.module.css';

const PICTURE_BOX = { width: 340, height: 190, padding: 10 };

/** Shows the name, the days, the courses and the state of an event, and the rule of its results. */
export function EventHead({ view, actions }: { view: EventView; actions: ReactNode }) {
  const { name, description, courses, settings } = view;
  const [first] = courses;
  const paragraphs = description.split(/\n\s*\n/).filter(Boolean);
  return (
    <div className={styles['layout']}>
      <header className={styles['head']}>
        <ul className={styles['place']} aria-label="Days and courses">
          <li>{formatDays(view)}</li>
          {courses.map(({ number, trackId, name: course }) => (
            <li key={number}>
              <Link href={trackHref(trackId)}>{course}</Link>
            </li>
          ))}
        </ul>
        <PageTitle>{name}</PageTitle>
        <p className={styles['state']}>
          <EventState event={view} />
        </p>
        {actions}
      </header>
      <div className={styles['picture']}>
        {first && <EventOutline trackId={first.trackId} box={PICTURE_BOX} />}
      </div>
      <div className={styles['text']}>
        {paragraphs.map((paragraph, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two paragraphs may be alike, and they do not move
          <p key={index}>{paragraph}</p>
        ))}
        <p className={common['note']}>
          {describeRule(settings, {
            courseCount: courses.length,
            hasIndex: view.classes.some(({ indexFactor }) => indexFactor !== null),
          })}
        </p>
      </div>
    </div>
  );
}
