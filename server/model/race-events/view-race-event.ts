import type { RaceEventId } from '#contract/ids.ts';
import { mayModerate, type Viewer } from '#contract/people/labels.ts';
import type { RaceEvent } from '#contract/race-events/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { listEntries, listRecordedRuns } from './entry-store.ts';
import { listRuns } from './list-runs.ts';
import { parseOfficialResults } from './official-results.ts';
import { findRaceEvent, type StoredRaceEvent } from './race-event-store.ts';
import { rankRuns } from './results.ts';

/** Finds an event with all that its page shows; undefined where there is none, or where the viewer may not see the draft. */
export async function viewRaceEvent(
  db: Database,
  id: RaceEventId,
  viewer: Viewer | null,
): Promise<RaceEvent | undefined> {
  const event = await findRaceEvent(db, id);
  const mayOrganise = mayModerate(viewer);
  if (!event || (event.state === 'draft' && !mayOrganise)) return undefined;
  const entries = await listEntries(db, id);
  const outcome = event.officialResults
    ? await readOfficial(db, event.id, event.officialResults)
    : rankRuns(event, entries, await listRuns(db, event, entries));
  const { name, description, firstDay, lastDay, state, courses, classes } = event;
  return {
    id,
    name,
    description,
    firstDay,
    lastDay,
    state,
    provisionalUntil: event.provisionalUntil?.toISOString() ?? null,
    officialAt: event.officialAt?.toISOString() ?? null,
    courses,
    classes,
    settings: readSettings(event),
    entries: entries.map(({ withdrawnAt, ...entry }) => ({
      ...entry,
      withdrawnAt: withdrawnAt?.toISOString() ?? null,
    })),
    ...outcome,
    mayOrganise,
    ownEntryId:
      entries.find(({ userId, withdrawnAt }) => userId === viewer?.id && withdrawnAt === null)?.id ?? null,
  };
}

/** Reads the runs of official results, with the names of those who recorded them, which are not part of the document. */
async function readOfficial(db: Database, id: RaceEventId, text: string) {
  const { runs, results } = parseOfficialResults(text);
  const names = new Map((await listRecordedRuns(db, id)).map((run) => [run.id, run.changedBy]));
  const named = runs.map((run) => ({ ...run, recordedBy: run.id && (names.get(run.id) ?? null) }));
  return { runs: named, results };
}

/** Reads the settings that decide the results of an event. */
export function readSettings(event: StoredRaceEvent): RaceEvent['settings'] {
  const { firstRuns, countedRuns, conePenaltyMs, gatePenaltyMs, tieRule, takesLaps, protestMinutes } = event;
  return { firstRuns, countedRuns, conePenaltyMs, gatePenaltyMs, tieRule, takesLaps, protestMinutes };
}
