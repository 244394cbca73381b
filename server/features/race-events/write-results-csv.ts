import { STATUS_LABELS } from '#contract/race-events/labels.ts';
import type { RaceEvent, RaceEventRun } from '#contract/race-events/schemas.ts';
import { writeCsvCell } from '#engine/export/csv-cell.ts';
import { formatLapTime } from '#engine/lap-time.ts';

/** Writes the results of an event as CSV (RFC 4180), a row for each entry, that no spreadsheet executes. */
export function writeResultsCsv(event: RaceEvent): string {
  const columns = listRunColumns(event);
  const header = [
    'Class',
    'Place',
    'Number',
    'Driver',
    'Car',
    ...columns.map(({ title }) => title),
    'Total',
    'Total (ms)',
    '± (ms)',
    'Gap (ms)',
  ];
  const rows = event.results.classes.flatMap(({ classId, rows }) => {
    const className = event.classes.find(({ id }) => id === classId)?.name ?? '';
    return rows.map(({ entryId, place, totalMs, uncertaintyMs, gapMs }) => {
      const entry = event.entries.find(({ id }) => id === entryId);
      const runs = event.runs.filter((run) => run.entryId === entryId);
      return [
        className,
        place,
        entry?.number,
        entry?.driverName,
        entry?.carName,
        ...columns.map((column) => describeRun(runs.find((run) => isIn(run, column)))),
        totalMs === null ? 'No time' : formatLapTime(totalMs),
        totalMs,
        uncertaintyMs,
        gapMs,
      ];
    });
  });
  return [header, ...rows]
    .map((row) => `${row.map((cell) => writeCsvCell(cell ?? '')).join(',')}\r\n`)
    .join('');
}

type RunColumn = { title: string; courseNumber: number; runNumber: number };

function listRunColumns({ courses, runs }: RaceEvent): RunColumn[] {
  return courses.flatMap(({ number: courseNumber }) => {
    const most = Math.max(
      0,
      ...runs.filter((run) => run.courseNumber === courseNumber).map((run) => run.runNumber),
    );
    return Array.from({ length: most }, (_, index) => {
      const course = courses.length > 1 ? `Course ${courseNumber}, run` : 'Run';
      return { title: `${course} ${index + 1}`, courseNumber, runNumber: index + 1 };
    });
  });
}

function isIn(run: RaceEventRun, { courseNumber, runNumber }: RunColumn): boolean {
  return run.courseNumber === courseNumber && run.runNumber === runNumber;
}

/** Describes a run as in '1:04.123 +2 cones', or 'DNF'. */
function describeRun(run: RaceEventRun | undefined): string {
  if (!run) return '';
  const { timeMs, cones, gates, status } = run;
  if (status !== 'timed' || timeMs === null) return STATUS_LABELS[status];
  return [formatLapTime(timeMs), cones > 0 && `+${cones} cones`, gates > 0 && `+${gates} gates`]
    .filter(Boolean)
    .join(' ');
}
