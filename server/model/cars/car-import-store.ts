import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '#server/kernel/database/database.ts';
import { executeRows } from '#server/kernel/database/query-rows.ts';
import { carModels } from './schema.ts';

const linesRow = z.object({ lines: z.string() });

/** Returns the library as text: a line per car with its key and its four names, separated by tabs. Names contain no tabs or line breaks. */
export async function getKnownCarsText(db: Database): Promise<string> {
  const { modelKey, make, modelFamily, variant, generation } = carModels;
  const query = sql`
    SELECT coalesce(string_agg(concat_ws(E'\t', ${modelKey}, ${make}, ${modelFamily}, ${variant}, ${generation}), E'\n'), '')
      AS lines
    FROM ${carModels}`;
  const [row] = await executeRows(db, linesRow, query);
  return row?.lines ?? '';
}

/**
 * Inserts the cars of a JSON array of `LibraryCar`s and returns how many were new; a car with a known key stays as it is. The
 * database parses the JSON, because a hundred thousand cars as parameters took several times as long. The number is that of the
 * returned rows, because the number that the database reports can be wrong (docs/decisions/0023).
 */
export async function insertNewCars(db: Database, carsAsJson: string): Promise<number> {
  const { rows } = await db.execute(sql`
    INSERT INTO ${carModels} (make, model_family, variant, generation, model_key, model_display, years,
      drivetrain, race_class, search_text)
    SELECT make, "modelFamily", variant, generation, "modelKey", "modelDisplay", years, drivetrain, "raceClass", "searchText"
    FROM json_to_recordset(${carsAsJson}::json) AS car(make text, "modelFamily" text, variant text,
      generation text, "modelKey" text, "modelDisplay" text, years text, drivetrain text, "raceClass" text, "searchText" text)
    ON CONFLICT (model_key) DO NOTHING
    RETURNING 1`);
  return rows.length;
}
