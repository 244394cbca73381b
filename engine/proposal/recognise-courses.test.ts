import { describe, expect, test } from 'vitest';
import { simulateDrive } from '../simulation/drive.ts';
import { writeGenericCsv } from '../simulation/write-generic-csv.ts';
import { kartLayouts, movedTrack } from '../testing/kart-venue.ts';
import { openLapFile } from '../time-lap-file.ts';
import { isRanking } from '../timing/laps.ts';
import type { Track } from '../track.ts';
import { recogniseCourses } from './recognise-courses.ts';

const LAYOUTS = kartLayouts();

/** Returns layouts as sets draw them: without a line, every second one against the drive. */
const COURSES: Track[] = LAYOUTS.map((layout, index) => ({
  ...layout,
  startFinishLine: null,
  outline: (index % 2 === 0 ? layout.outline : layout.outline?.toReversed()) ?? null,
}));

function drive(layout: Track) {
  const drive = simulateDrive(layout, { seed: 7, laps: 4, leadInMeters: 80, leadOutMeters: 80 });
  return openLapFile(Buffer.from(writeGenericCsv(drive)));
}

describe.each(LAYOUTS.map((layout, index) => ({ name: layout.configuration, layout, index })))(
  'a drive on the layout $name',
  ({ layout, index }) => {
    const file = drive(layout);

    test('is recognised among all layouts of the venue, with its direction', () => {
      const [best] = recogniseCourses(file, COURSES, []);
      expect(best).toMatchObject({ track: { id: layout.id }, isReversed: index % 2 === 1 });
      expect(best?.confidencePct).toBeGreaterThanOrEqual(90);
      expect(best?.timed.laps.filter(isRanking).length).toBeGreaterThanOrEqual(2);
    });

    test('is on none of the other layouts', () => {
      const others = COURSES.filter(({ id }) => id !== layout.id);
      expect(recogniseCourses(file, others, []).map(({ track }) => track.id)).toEqual([]);
    });
  },
);

test('courses that are almost alike are both named', () => {
  const [layout] = LAYOUTS;
  const [course] = COURSES;
  if (!layout || !course) throw new Error('The venue has no layout.');
  const twin = movedTrack(course, { x: 1, y: 1 }, 'twin');
  const found = recogniseCourses(drive(layout), [course, twin], []);
  expect(found.map(({ track }) => track.id).toSorted()).toEqual([course.id, 'twin'].toSorted());
});

test('a course that the library has in the direction of the drive is left out', () => {
  const [layout] = LAYOUTS;
  if (!layout) throw new Error('The venue has no layout.');
  expect(recogniseCourses(drive(layout), COURSES.slice(0, 1), [layout])).toEqual([]);
});
