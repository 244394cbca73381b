import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Database } from '#server/db/database.ts';
import { carModels } from '#server/db/schema.ts';
import type { LibraryCar } from './car-library.ts';

const oneText = z.array(z.object({ lines: z.string() }));

/** The library as text: a line per car with its model key and its four names, separated by tabs. No name has either sign. */
export async function getKnownCarsText(db: Database): Promise<string> {
  const { modelKey, make, modelFamily, variant, generation } = carModels;
  const { rows } = await db.execute(sql`
    SELECT coalesce(string_agg(concat_ws(E'\t', ${modelKey}, ${make}, ${modelFamily}, ${variant}, ${generation}), E'\n'), '')
      AS lines
    FROM ${carModels}`);
  return oneText.parse(rows)[0]?.lines ?? '';
}

/** Adds cars and gives how many were new; a car whose key is there is left as it is. At most some thousand at a time. */
export async function insertNewCars(db: Database, cars: readonly LibraryCar[]): Promise<number> {
  if (cars.length === 0) return 0;
  const inserted = await db
    .insert(carModels)
    .values([...cars])
    .onConflictDoNothing({ target: carModels.modelKey })
    .returning({ id: carModels.id });
  return inserted.length;
}
