import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import {
  lapIdSchema,
  raceEventEntryIdSchema,
  raceEventIdSchema,
  raceEventRunIdSchema,
  trackIdSchema,
} from '#contract/ids.ts';
import { nonnegativeInt, positiveInt } from '#contract/values.ts';
import { EVENT_LIMITS, RUN_LIMITS } from './labels.ts';
import { officialResultsSchema } from './official-results.ts';
import {
  entryBody,
  eventBody,
  newEntryBody,
  listedSchema,
  raceEventSchema,
  runBody,
  shownText,
  stateSchema,
} from './schemas.ts';

const eventParams = z.object({ eventId: raceEventIdSchema });
const entryParams = eventParams.extend({ entryId: raceEventEntryIdSchema });
const runParams = eventParams.extend({ runId: raceEventRunIdSchema });
const done = z.object({ done: z.literal(true) });

const NO_EVENT = { not_found: 'There is no such event, or it is a draft.' };
const NO_ENTRY = { not_found: 'There is no such entry, or the event is a draft.' };
const OFFICIAL = { conflict: 'The state of the event does not allow it.' };

const WRITES_PER_MINUTE = 120;

export const raceEventEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/events',
    access: 'public',
    limit: 600,
    summary:
      'Lists events: those that run and are to come by their day, then those of before, the latest first.',
    query: z.object({
      when: z
        .enum(['current', 'past'])
        .optional()
        .meta({ description: '`current`: open, running or provisional, or to come; `past`: the others.' }),
      track: trackIdSchema.optional(),
      limit: z.coerce.number().int().min(1).max(EVENT_LIMITS.eventsPerPageMax).default(20),
      offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
    }),
    response: z.object({ events: z.array(listedSchema), total: nonnegativeInt }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/events/:eventId',
    access: 'public',
    limit: 600,
    summary: 'Returns an event with its entries, runs and results.',
    params: eventParams,
    response: raceEventSchema,
    errors: NO_EVENT,
  }),
  resultsCsv: endpoint({
    method: 'GET',
    path: '/api/events/:eventId/results.csv',
    access: 'public',
    limit: 120,
    summary: 'The results as a table for spreadsheets.',
    params: eventParams,
    response: 'text/csv',
    errors: NO_EVENT,
  }),
  results: endpoint({
    method: 'GET',
    path: '/api/events/:eventId/results.json',
    access: 'public',
    limit: 120,
    summary: 'The results with the runs that they follow from; signed once they are official.',
    params: eventParams,
    response: officialResultsSchema,
    errors: NO_EVENT,
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/events/:eventId/preview.png',
    access: 'public',
    limit: 120,
    summary:
      'The picture of a link to an event, 1200 by 630 pixels: its name, its days, the track, its state, and the three first of its results.',
    params: eventParams,
    response: 'image/png',
    isTagged: true,
    errors: NO_EVENT,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/events',
    access: 'moderator',
    limit: WRITES_PER_MINUTE,
    audit: 'create-event',
    summary: 'Makes an event as a draft, which only those who run the club see.',
    body: eventBody,
    response: z.object({ id: raceEventIdSchema }),
    errors: { not_found: 'There is no such track.' },
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/events/:eventId',
    access: 'moderator',
    limit: WRITES_PER_MINUTE,
    audit: 'change-event',
    summary: 'Changes an event that is not official. A class with entries, and a course with runs, stay.',
    params: eventParams,
    body: eventBody,
    response: done,
    errors: { ...NO_EVENT, ...OFFICIAL },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/events/:eventId',
    access: 'admin',
    limit: WRITES_PER_MINUTE,
    audit: 'delete-event',
    summary: 'Deletes an event that is not official, with its entries and runs.',
    params: eventParams,
    response: done,
    errors: { ...NO_EVENT, ...OFFICIAL },
  }),
  step: endpoint({
    method: 'POST',
    path: '/api/events/:eventId/state',
    access: 'moderator',
    limit: WRITES_PER_MINUTE,
    audit: 'step-event',
    summary:
      'Moves an event on: draft, open, running, provisional. It becomes official by itself when the time for protests is over. A step back needs a reason.',
    params: eventParams,
    body: z.object({
      state: stateSchema.exclude(['official']),
      reason: shownText(RUN_LIMITS.reasonCharactersMax).optional(),
    }),
    response: done,
    errors: { ...NO_EVENT, ...OFFICIAL },
  }),
  enter: endpoint({
    method: 'POST',
    path: '/api/events/:eventId/entries',
    access: 'signed_in',
    limit: WRITES_PER_MINUTE,
    audit: 'change-entry',
    summary:
      'Enters the caller into an open event. Those who run the club enter others as well, by account or by name, until the event is official.',
    params: eventParams,
    body: newEntryBody,
    response: z.object({ id: raceEventEntryIdSchema }),
    errors: { ...NO_EVENT, ...OFFICIAL, not_allowed: 'Only those who run the club enter others.' },
  }),
  changeEntry: endpoint({
    method: 'PATCH',
    path: '/api/events/:eventId/entries/:entryId',
    access: 'signed_in',
    limit: WRITES_PER_MINUTE,
    audit: 'change-entry',
    summary: 'Changes an own entry of an open event, or any entry for those who run the club.',
    params: entryParams,
    body: entryBody,
    response: done,
    errors: { ...NO_ENTRY, ...OFFICIAL, not_allowed: 'This entry is of somebody else.' },
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/events/:eventId/entries/:entryId',
    access: 'signed_in',
    limit: WRITES_PER_MINUTE,
    audit: 'change-entry',
    summary: 'Withdraws an entry, which stays in the list and is not ranked.',
    params: entryParams,
    response: done,
    errors: { ...NO_ENTRY, ...OFFICIAL, not_allowed: 'This entry is of somebody else.' },
  }),
  addRun: endpoint({
    method: 'POST',
    path: '/api/events/:eventId/runs',
    access: 'moderator',
    limit: 600,
    audit: 'record-run',
    summary:
      'Records a run with a typed time, or penalties or a status of a lap. The time for protests of provisional results begins again.',
    params: eventParams,
    body: runBody.extend({
      entryId: raceEventEntryIdSchema,
      courseNumber: positiveInt,
      lap: z.object({ trackId: trackIdSchema, lapId: lapIdSchema }).nullable().optional(),
    }),
    response: z.object({ id: raceEventRunIdSchema }),
    errors: { ...NO_ENTRY, ...OFFICIAL },
  }),
  changeRun: endpoint({
    method: 'PATCH',
    path: '/api/events/:eventId/runs/:runId',
    access: 'moderator',
    limit: 600,
    audit: 'change-run',
    summary: 'Changes a recorded run; needs a reason.',
    params: runParams,
    body: runBody,
    response: done,
    errors: { not_found: 'There is no such run.', ...OFFICIAL },
  }),
  removeRun: endpoint({
    method: 'DELETE',
    path: '/api/events/:eventId/runs/:runId',
    access: 'moderator',
    limit: 600,
    audit: 'delete-run',
    summary: 'Deletes a recorded run. A lap stays a run, without penalties.',
    params: runParams,
    response: done,
    errors: { not_found: 'There is no such run.', ...OFFICIAL },
  }),
};
