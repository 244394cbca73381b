import type { FastifyInstance } from 'fastify';
import type { RaceEventId } from '#contract/ids.ts';
import { mayModerate, type Viewer } from '#contract/people/labels.ts';
import { raceEventEndpoints as endpoints } from '#contract/race-events/endpoints.ts';
import type { RaceEventInput } from '#contract/race-events/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { WriteAudit } from '#server/kernel/http/endpoint-hooks.ts';
import { serve } from '#server/kernel/http/endpoints.ts';
import { found } from '#server/kernel/http/found.ts';
import { addEntry, changeEntry, withdrawEntry } from '#server/model/race-events/change-entries.ts';
import {
  lockRaceEvent,
  nameCourses,
  openToProtests,
  stepRaceEvent,
} from '#server/model/race-events/change-event.ts';
import {
  deleteRaceEvent,
  findRaceEvent,
  insertRaceEvent,
  listRaceEvents,
  type StoredRaceEvent,
  updateRaceEvent,
} from '#server/model/race-events/race-event-store.ts';
import { describeResults, parseOfficialResults } from '#server/model/race-events/official-results.ts';
import { changeRun, recordRun, removeRun } from '#server/model/race-events/record-runs.ts';
import { viewRaceEvent } from '#server/model/race-events/view-race-event.ts';
import type { Services } from '#server/model/services.ts';
import { writeResultsCsv } from './write-results-csv.ts';

const DONE = { done: true as const };

export function mountRaceEventRoutes(app: FastifyInstance, services: Services): void {
  serveEvents(app, services);
  serveEntries(app, services);
  serveRuns(app, services);
  serveResults(app, services);
}

function serveResults(app: FastifyInstance, { database: { db }, settings }: Services): void {
  serve(app, endpoints.resultsCsv, async ({ viewer, params: { eventId }, reply }) => {
    const event = found(await viewRaceEvent(db, eventId, viewer), endpoints.resultsCsv);
    reply.header('content-disposition', `attachment; filename="results-${event.firstDay}.csv"`);
    return await reply.type('text/csv; charset=utf-8').send(writeResultsCsv(event));
  });

  serve(app, endpoints.results, async ({ viewer, params: { eventId } }) => {
    const event = found(await viewRaceEvent(db, eventId, viewer), endpoints.results);
    const signed = event.state === 'official' && (await findRaceEvent(db, eventId))?.officialResults;
    return signed ? parseOfficialResults(signed) : describeResults(event, settings.publicUrl);
  });
}

function serveEvents(app: FastifyInstance, { database: { db } }: Services): void {
  serve(app, endpoints.list, async ({ viewer, query: { when, track, ...page } }) =>
    listRaceEvents(db, { seesDrafts: mayModerate(viewer), when, track }, page),
  );

  serve(app, endpoints.get, async ({ viewer, params: { eventId } }) =>
    found(await viewRaceEvent(db, eventId, viewer), endpoints.get),
  );

  serve(app, endpoints.create, async ({ viewer, body, audit }) =>
    db.transaction(async (tx) => {
      const courses = await nameCourses(tx, body.courses);
      const id = await insertRaceEvent(tx, { ...body, createdBy: viewer.id }, courses);
      await audit(tx, { subject: id, changes: { name: [null, body.name] } });
      return { id };
    }),
  );

  serve(app, endpoints.change, async ({ viewer, params: { eventId }, body, audit }) => {
    await changeLocked(db, eventId, viewer, async (tx, event) => {
      await updateRaceEvent(tx, event, body, await nameCourses(tx, body.courses));
      await openToProtests(tx, { ...event, protestMinutes: body.protestMinutes });
      await audit(tx, { subject: eventId, changes: listChanges(event, body) });
    });
    return DONE;
  });

  serve(app, endpoints.remove, async ({ viewer, params: { eventId }, audit }) => {
    await changeLocked(db, eventId, viewer, async (tx, { name }) => {
      await deleteRaceEvent(tx, eventId);
      await audit(tx, { subject: eventId, changes: { name: [name, null] } });
    });
    return DONE;
  });

  serve(app, endpoints.step, async ({ viewer, params: { eventId }, body, audit }) => {
    await changeLocked(db, eventId, viewer, async (tx, event) => {
      await stepRaceEvent(tx, event, body);
      await audit(tx, {
        subject: eventId,
        changes: {
          state: [event.state, body.state],
          ...(body.reason !== undefined && { reason: [null, body.reason] }),
        },
      });
    });
    return DONE;
  });
}

function serveEntries(app: FastifyInstance, { database: { db } }: Services): void {
  serve(app, endpoints.enter, async ({ viewer, params: { eventId }, body, audit }) => {
    const id = await changeLocked(db, eventId, viewer, async (tx, event) => {
      await audit(tx, { subject: eventId, changes: { number: [null, body.number] } });
      return await addEntry(tx, event, viewer, body);
    });
    return { id };
  });

  serve(app, endpoints.changeEntry, async ({ viewer, params: { eventId, entryId }, body, audit }) => {
    await changeLocked(db, eventId, viewer, async (tx, event) => {
      const before = await changeEntry(tx, event, viewer, { entryId, input: body });
      await audit(tx, { subject: eventId, changes: { number: [before.number, body.number] } });
    });
    return DONE;
  });

  serve(app, endpoints.withdraw, async ({ viewer, params: { eventId, entryId }, audit }) => {
    await changeLocked(db, eventId, viewer, async (tx, event) => {
      const { number } = await withdrawEntry(tx, event, viewer, entryId);
      await audit(tx, { subject: eventId, changes: { number: [number, null] } });
    });
    return DONE;
  });
}

function serveRuns(app: FastifyInstance, { database: { db } }: Services): void {
  serve(app, endpoints.addRun, async ({ viewer, params: { eventId }, body, audit }) => {
    const id = await changeLocked(db, eventId, viewer, async (tx, event) => {
      await auditRun(tx, audit, eventId, [null, body]);
      return await recordRun(tx, event, viewer.id, body);
    });
    return { id };
  });

  serve(app, endpoints.changeRun, async ({ viewer, params: { eventId, runId }, body, audit }) => {
    await changeLocked(db, eventId, viewer, async (tx, event) => {
      const before = await changeRun(tx, event, viewer.id, { runId, input: body });
      await auditRun(tx, audit, eventId, [before, body]);
    });
    return DONE;
  });

  serve(app, endpoints.removeRun, async ({ viewer, params: { eventId, runId }, audit }) => {
    await changeLocked(db, eventId, viewer, async (tx, event) => {
      const before = await removeRun(tx, event, runId);
      await auditRun(tx, audit, eventId, [before, null]);
    });
    return DONE;
  });
}

/** Changes an event while all other changes of it wait. */
async function changeLocked<Result>(
  db: Database,
  eventId: RaceEventId,
  viewer: Viewer,
  work: (tx: Database, event: StoredRaceEvent) => Promise<Result>,
): Promise<Result> {
  return await db.transaction(async (tx) => work(tx, await lockRaceEvent(tx, eventId, viewer)));
}

/** Lists the plain fields of an event that a change sets to another value. */
function listChanges(
  before: StoredRaceEvent,
  after: RaceEventInput,
): Record<string, [string | null, string | null]> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const isPlain = typeof value !== 'object' || value === null;
      const change = [old.get(name), value].map(describeValue);
      return isPlain && change[0] !== change[1] ? [[name, [change[0] ?? null, change[1] ?? null]]] : [];
    }),
  );
}

function describeValue(value: unknown): string | null {
  return typeof value === 'string' ? value : value === null ? null : JSON.stringify(value);
}

type AuditedRun = {
  timeMs: number | null;
  cones: number;
  gates: number;
  status: string;
  reason: string | null;
};

async function auditRun(
  tx: Database,
  audit: WriteAudit,
  subject: RaceEventId,
  [before, after]: [AuditedRun | null, AuditedRun | null],
): Promise<void> {
  const reason = after?.reason ?? null;
  await audit(tx, {
    subject,
    changes: {
      run: [before && describeRun(before), after && describeRun(after)],
      ...(reason !== null && { reason: [before?.reason ?? null, reason] }),
    },
  });
}

/** Describes a run as in '1:04.123, timed, 2 cones'. */
function describeRun({ timeMs, cones, gates, status }: AuditedRun): string {
  const parts = [
    timeMs !== null && formatLapTime(timeMs),
    status,
    cones > 0 && `${cones} cones`,
    gates > 0 && `${gates} gates`,
  ];
  return parts.filter(Boolean).join(', ');
}
