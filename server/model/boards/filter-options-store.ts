import type { Pool } from 'pg';
import { z } from 'zod';
import type { TrackId } from '#contract/ids.ts';
import { TIME_PERIODS, TIRE_COMPOUNDS } from '#contract/laps/labels.ts';
import type { BoardFilter, FilterOptions } from '#contract/boards/filter.ts';
import { queryRows } from '#server/kernel/database/query-rows.ts';
import { EVIDENCE_CONDITIONS, PERIODS } from './board-store.ts';

type CarFilterName = Exclude<keyof BoardFilter, 'timePeriod' | 'tire' | 'evidence'>;

/** Maps filters to the columns of `car_models`. */
const CAR_COLUMNS: Record<CarFilterName, string> = {
  make: 'make',
  modelFamily: 'model_family',
  variant: 'variant',
  generation: 'generation',
  raceClass: 'race_class',
  drivetrain: 'drivetrain',
};

/** Lists the filters in order: the options of each depend on those before it, whose changes clear it. */
const CASCADE: readonly CarFilterName[] = ['make', 'modelFamily', 'variant', 'generation'];

const FILTER_NAMES = [
  'timePeriod',
  'make',
  'modelFamily',
  'variant',
  'generation',
  'raceClass',
  'drivetrain',
  'tire',
] as const satisfies readonly (keyof FilterOptions)[];

const optionRow = z.object({ name: z.enum(FILTER_NAMES), value: z.string(), drivers: z.int() });

/**
 * Lists the options of every filter of a board, with the number of drivers that would be left under all other filters.
 * Options without a driver come from the car library. A model family, variant or generation is offered once the names
 * before it are chosen.
 */
export async function listFilterOptions(
  pool: Pool,
  trackId: TrackId,
  filter: BoardFilter,
): Promise<FilterOptions> {
  const { text, values } = optionsQuery(trackId, filter);
  const rows = await queryRows(pool, optionRow, { text, values });
  const options = (name: keyof FilterOptions) =>
    rows.filter((row) => row.name === name).map(({ value, drivers }) => ({ value, drivers }));
  const inOrder = (name: 'timePeriod' | 'tire', order: readonly string[]) =>
    options(name).toSorted((a, b) => order.indexOf(a.value) - order.indexOf(b.value));
  return {
    timePeriod: inOrder('timePeriod', TIME_PERIODS),
    make: options('make'),
    modelFamily: options('modelFamily'),
    variant: options('variant'),
    generation: options('generation'),
    raceClass: options('raceClass'),
    drivetrain: options('drivetrain'),
    tire: inOrder('tire', TIRE_COMPOUNDS),
  };
}

/** Builds one query for all filters, which reads the sessions of the board once. */
function optionsQuery(trackId: TrackId, filter: BoardFilter): { text: string; values: unknown[] } {
  const values: unknown[] = [trackId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const equals = (column: string, value: string | undefined) => (value ? [`${column} = ${bind(value)}`] : []);
  const tire = equals('bests.tire_compound', filter.tire);
  const car = (names: readonly CarFilterName[]) =>
    names.flatMap((name) => equals(`cars.${CAR_COLUMNS[name]}`, filter[name]));
  const { timePeriod = '' } = filter;
  const period =
    timePeriod === '' || timePeriod === 'all-time'
      ? []
      : [`bests.started_at >= now() - ${bind(PERIODS[timePeriod])}::interval`];
  const names = Object.keys(CAR_COLUMNS).filter(isCarFilterName);
  const carSelects = names.flatMap((name) => {
    const before = CASCADE.slice(0, Math.max(0, CASCADE.indexOf(name)));
    if (before.some((parent) => !filter[parent])) return [];
    const after = CASCADE.includes(name) ? CASCADE.slice(CASCADE.indexOf(name)) : [name];
    const others = names.filter((other) => !after.includes(other));
    // A car that a driver has proposed may be without a class and a drivetrain.
    const offered = [`cars.${CAR_COLUMNS[name]} IS NOT NULL`, ...car(before)];
    return [
      `SELECT '${name}' AS name, cars.${CAR_COLUMNS[name]} AS value, ${countDrivers([...period, ...tire, ...car(others)])}
      FROM car_models AS cars LEFT JOIN bests ON bests.car_model_id = cars.id
      WHERE ${offered.join(' AND ')} GROUP BY value`,
    ];
  });
  const tireSelect = `SELECT 'tire', offered.value, ${countDrivers([...period, ...car(names)])}
    FROM unnest(${bind(TIRE_COMPOUNDS)}::text[]) AS offered (value)
      LEFT JOIN bests ON bests.tire_compound = offered.value LEFT JOIN car_models AS cars ON cars.id = bests.car_model_id
    GROUP BY offered.value`;
  const periodSelects = TIME_PERIODS.map((offered) => {
    const since =
      offered === 'all-time' ? [] : [`bests.started_at >= now() - ${bind(PERIODS[offered])}::interval`];
    return `SELECT 'timePeriod', '${offered}', ${countDrivers([...since, ...tire, ...car(names)])}
      FROM bests LEFT JOIN car_models AS cars ON cars.id = bests.car_model_id`;
  });
  const evidence = filter.evidence ? `AND ${EVIDENCE_CONDITIONS[filter.evidence]}` : '';
  const text = `
    WITH bests AS MATERIALIZED (
      SELECT user_id, car_model_id, tire_compound, max(started_at) AS started_at
      FROM session_bests WHERE track_id = $1 ${evidence} GROUP BY user_id, car_model_id, tire_compound
    )
    ${[...carSelects, tireSelect, ...periodSelects].join('\n    UNION ALL ')}
    ORDER BY name, value`;
  return { text, values };
}

/** Returns SQL that counts the drivers of the sessions that pass all conditions. */
function countDrivers(conditions: readonly string[]): string {
  const passing = conditions.length > 0 ? ` FILTER (WHERE ${conditions.join(' AND ')})` : '';
  return `(count(DISTINCT bests.user_id)${passing})::int AS drivers`;
}

function isCarFilterName(name: string): name is CarFilterName {
  return name in CAR_COLUMNS;
}
