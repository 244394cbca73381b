import { keepPreviousData, useQuery } from '@tanstack/react-query';
import X from 'lucide-react/icons/x';
import { useRef, useState, type RefObject } from 'react';
import type { TrackId } from '#contract/ids.ts';
import { EVENT_LIMITS } from '#contract/race-events/labels.ts';
import { nameTrack } from '#contract/tracks/labels.ts';
import { apiQuery } from '#web/api/api-query.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Combobox } from '#web/ui/combobox.tsx';
import common from '#web/ui/common.module.css';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import styles from './event-form.module.css';

export type DraftCourse = { trackId: TrackId; name: string };

const SUGGESTIONS_MAX = 6;

type CourseFieldsProps = {
  courses: readonly DraftCourse[];
  problem: string | undefined;
  onChange: (courses: readonly DraftCourse[]) => void;
};

/** Chooses the courses of an event among the tracks of the library. */
export function CourseFields({ courses, problem, onChange }: CourseFieldsProps) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  return (
    <fieldset ref={fieldset} tabIndex={-1} className={common['lines']}>
      <legend className={styles['legend']}>Courses</legend>
      <ul className={styles['rows']}>
        {courses.map(({ trackId, name }, index) => (
          <CourseRow
            key={`${index} ${trackId}`}
            name={name}
            focusAfter={fieldset}
            onRemove={() => onChange(courses.filter((_, other) => other !== index))}
          />
        ))}
      </ul>
      {courses.length < EVENT_LIMITS.coursesMax && (
        <TrackCombobox onChoose={(course) => onChange([...courses, course])} />
      )}
      {problem && (
        <p role="alert" className={common['failure']}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

type CourseRowProps = { name: string; focusAfter: RefObject<HTMLElement | null>; onRemove: () => void };

function CourseRow({ name, focusAfter, onRemove }: CourseRowProps) {
  useFocusAfter(focusAfter);
  return (
    <li>
      <span>{name}</span>
      <IconButton label={`Remove ${name}`} icon={<X size={18} aria-hidden="true" />} onClick={onRemove} />
    </li>
  );
}

function TrackCombobox({ onChoose }: { onChoose: (course: DraftCourse) => void }) {
  const [typed, setTyped] = useState('');
  const q = useDebounced(typed.trim());
  const { data = [] } = useQuery({
    ...apiQuery('GET /api/tracks', { query: { q, limit: SUGGESTIONS_MAX } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Combobox
      label="Add a course"
      placeholder="Search tracks..."
      inputValue={typed}
      onInputChange={setTyped}
      selectsFirstOnEnter
      items={q === '' ? [] : data}
      itemKey={({ id }) => id}
      itemText={nameTrack}
      renderItem={nameTrack}
      emptyMessage={q === '' ? undefined : 'No tracks found'}
      onSelect={(track) => {
        onChoose({ trackId: track.id, name: nameTrack(track) });
        setTyped('');
      }}
    />
  );
}
