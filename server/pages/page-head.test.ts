import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SPECIFIED_FORMATS } from '#contract/formats/labels.ts';
import { projectFolder } from '#server/kernel/files/project-folder.ts';
import { pageModule } from './html-template.ts';
import { pageNames } from './web-app.ts';
import { describePage } from './page-head.ts';

const LAP = '2f8c1e57-90b4-4d3a-8a6e-51c7f0b2d934';
const OTHER = '7c1d0a44-3a0f-4f2b-9f53-0d6f5f1f9f11';
const PREFIX = '/api/tracks/brands';
const answer = (value: object) => ({ status: 200, body: JSON.stringify(value) });
const track = answer({ id: 'brands', name: 'Brands Hatch', configuration: 'Indy', location: 'Kent' });
const lap = {
  lapId: LAP,
  lapTimeMs: 52_345,
  number: 3,
  driverId: 'ana',
  userName: 'Ana Lima',
  sessionId: 'first',
  sessionDate: '2026-06-06T14:03:11+01:00',
  carMake: 'Mazda',
  carModel: 'MX-5',
  carVariant: '1.8',
  tireCompound: 'rcomp',
  place: { rank: 3, drivers: 24 },
};
const other = {
  ...lap,
  lapId: OTHER,
  lapTimeMs: 52_900,
  driverId: 'ben',
  userName: 'Ben Okafor',
  place: null,
};

function head(search: string, answers: Record<string, { status: number; body: string }>) {
  const all = new Map(Object.entries({ [PREFIX]: track, ...answers }));
  return describePage(
    'track',
    { path: '/track/brands', search: new URLSearchParams(search), formats: SPECIFIED_FORMATS },
    all,
  );
}

test('a link to a lap says its time, driver, car, tyres and place, with a picture of its own', () => {
  expect(head(`lap=${LAP}`, { [`${PREFIX}/laps/${LAP}`]: answer(lap) })).toEqual({
    title: '0:52.345 by Ana Lima · Brands Hatch · Pitboard',
    description:
      'A lap of Brands Hatch (Indy) in 0:52.345 by Ana Lima: Mazda MX-5 1.8, R-Comp DOT Slick, place 3 of 24. Timed from its GPS file.',
    path: `/track/brands?lap=${LAP}`,
    image: `${PREFIX}/laps/${LAP}/preview.png`,
    isMissing: false,
  });
});

test('a link to a comparison names the laps in their order', () => {
  const answers = {
    [`${PREFIX}/laps/${LAP}`]: answer(lap),
    [`${PREFIX}/laps/${OTHER}`]: answer(other),
  };
  expect(head(`lap=${LAP}&vs=${OTHER}`, answers)).toMatchObject({
    title: 'Ana Lima 0:52.345 vs Ben Okafor 0:52.900 · Brands Hatch · Pitboard',
    path: `/track/brands?lap=${LAP}&vs=${OTHER}`,
    image: `${PREFIX}/laps/${LAP}/preview.png?vs=${OTHER}`,
  });
});

test('a link to two laps of one driver names the driver once, and both laps by number', () => {
  const later = { ...lap, lapId: OTHER, lapTimeMs: 52_900, number: 4 };
  const answers = {
    [`${PREFIX}/laps/${LAP}`]: answer(lap),
    [`${PREFIX}/laps/${OTHER}`]: answer(later),
  };
  const { title, description } = head(`lap=${LAP}&vs=${OTHER}`, answers);
  expect(title).toBe('Ana Lima: Lap 3 0:52.345 vs Lap 4 0:52.900 · Brands Hatch · Pitboard');
  expect(description).toContain('Ana Lima: Lap 3 0:52.345 vs Lap 4 0:52.900');
});

test('the page of a lap that does not exist is about its track', () => {
  const missing = { status: 404, body: '{}' };
  for (const [search, answers] of [
    [`lap=${LAP}`, { [`${PREFIX}/laps/${LAP}`]: missing }],
    [`lap=${LAP}&vs=${OTHER}`, { [`${PREFIX}/laps/${LAP}`]: answer(lap) }],
    [`vs=${OTHER}`, { [`${PREFIX}/laps/${OTHER}`]: answer(other) }],
  ] as const)
    expect(head(search, answers)).toMatchObject({ title: 'Brands Hatch · Pitboard', path: '/track/brands' });
});

test('a link to a driver and one to a live session have pictures of their own', () => {
  const { image } = describePage(
    'driver',
    { path: '/profile/Zo%C3%AB%20Faber', search: new URLSearchParams(), formats: SPECIFIED_FORMATS },
    new Map(),
  );
  expect(image).toBe('/api/users/Zo%C3%AB%20Faber/preview.png');
  const session = { code: 'k7mq2fwd9xtb', title: null, track: { name: 'Brands Hatch' } };
  const live = describePage(
    'live',
    { path: '/live/k7mq2fwd9xtb', search: new URLSearchParams(), formats: SPECIFIED_FORMATS },
    new Map([['/api/live/k7mq2fwd9xtb', answer({ session })]]),
  );
  expect(live).toMatchObject({
    title: 'Brands Hatch, Live · Pitboard',
    image: '/api/live/k7mq2fwd9xtb/preview.png',
  });
});

test('every page has a module, from which its styles are found', () => {
  const missing = pageNames().filter((name) => !existsSync(join(projectFolder, 'web', pageModule(name))));
  expect(missing).toEqual([]);
});

test('a link to an event says its days, courses and state; a draft is missing for guests', () => {
  const id = '7c1d0a44-3a0f-4f2b-9f53-0d6f5f1f9f11';
  const event = {
    id,
    name: 'Autumn Sprint',
    firstDay: '2026-11-28',
    lastDay: '2026-11-29',
    state: 'open',
    courses: [{ name: 'Brands Hatch, GP' }, { name: 'Brands Hatch, Indy' }],
  };
  const describe = (event: { status: number; body: string }) =>
    describePage(
      'event',
      { path: `/event/${id}`, search: new URLSearchParams(), formats: SPECIFIED_FORMATS },
      new Map([[`/api/events/${id}`, event]]),
    );
  expect(describe(answer(event))).toEqual({
    title: 'Autumn Sprint · Pitboard',
    description:
      '11/28/26 to 11/29/26 at Brands Hatch, GP and Brands Hatch, Indy. Open for entries: entries, runs and results by class.',
    path: `/event/${id}`,
    image: `/api/events/${id}/preview.png`,
    isMissing: false,
  });
  expect(describe(answer({ ...event, lastDay: '2026-11-28' })).description).toMatch(/^11\/28\/26 at/);
  expect(describe({ status: 404, body: '' })).toMatchObject({
    title: 'Event not found · Pitboard',
    path: null,
    isMissing: true,
  });
});
