import { expect, test } from 'vitest';
import { planeAround, toPosition } from '../geo.ts';
import type { OutlinePoint } from '../track.ts';
import { buildCourseShape, isSameCourse, type Course } from './same-course.ts';

const CENTER = { lat: 50, lon: 6 };
const STRAIGHT_METERS = 1500;
const RADIUS_METERS = 150;

type Place = { x: number; y: number };

/** Two straights joined by half circles, with a point every `stepMeters`; `aside` moves points of the first straight. */
function course(stepMeters: number, aside: (alongMeters: number) => number = () => 0): Course {
  const bend = Math.PI * RADIUS_METERS;
  const placeAt = (meters: number): Place => {
    if (meters < STRAIGHT_METERS) return { x: meters, y: aside(meters) };
    if (meters < STRAIGHT_METERS + bend)
      return onCircle(STRAIGHT_METERS, (meters - STRAIGHT_METERS) / RADIUS_METERS);
    if (meters < 2 * STRAIGHT_METERS + bend)
      return { x: 2 * STRAIGHT_METERS + bend - meters, y: 2 * RADIUS_METERS };
    return onCircle(0, Math.PI + (meters - 2 * STRAIGHT_METERS - bend) / RADIUS_METERS);
  };
  const plane = planeAround(CENTER);
  const count = Math.floor((2 * STRAIGHT_METERS + 2 * bend) / stepMeters);
  const outline = Array.from({ length: count }, (_, index): OutlinePoint => {
    const { lat, lon } = toPosition(plane, placeAt(index * stepMeters));
    return [lat, lon];
  });
  return { outline, centerLat: CENTER.lat, centerLon: CENTER.lon };
}

function onCircle(x: number, radians: number): Place {
  return {
    x: x + RADIUS_METERS * Math.sin(radians),
    y: RADIUS_METERS * (1 - Math.cos(radians)),
  };
}

/** Moves the middle of the first straight aside by so much, over 80 m. */
function chicane(asideMeters: number) {
  return (alongMeters: number) => (Math.abs(alongMeters - 700) < 40 ? asideMeters : 0);
}

function areSame(one: Course, other: Course): boolean {
  const [shape, otherShape] = [buildCourseShape(one), buildCourseShape(other)];
  if (shape === null || otherShape === null) throw new Error('Both courses have an outline.');
  return isSameCourse(shape, otherShape);
}

test('outlines of two sources are one course, some metres apart and with points far apart in bends', () => {
  expect(
    areSame(
      course(7),
      course(7, () => 12),
    ),
  ).toBe(true);
  expect(areSame(course(7), course(90))).toBe(true);
});

test('a layout with a chicane is another course, although all the rest of the lap is the same', () => {
  expect(areSame(course(7), course(7, chicane(28)))).toBe(false);
  expect(areSame(course(7), course(7, chicane(-28)))).toBe(false);
  expect(areSame(course(7, chicane(28)), course(7, chicane(28)))).toBe(true);
});

test('the same course in the other direction is another one', () => {
  const { outline, ...place } = course(7);
  expect(areSame(course(7), { ...place, outline: outline?.toReversed() ?? null })).toBe(false);
});
