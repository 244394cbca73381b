import { and, asc, eq, isNotNull, like } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { CarModel } from '#contract/cars.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { carModels } from '#server/kernel/database/schema.ts';

export type CarNames = Pick<CarModel, 'make' | 'modelFamily' | 'variant' | 'generation'>;

// Above what any choice on a page can hold.
const NAMES_MAX = 1_000;

const ALPHABET = new Intl.Collator('en', { numeric: true });

/** The different values of one column of the library among the cars with the given names, in alphabetical order. */
export async function listCarNames(
  db: Database,
  column: 'make' | 'modelFamily' | 'variant' | 'generation' | 'raceClass' | 'drivetrain',
  chosen: Partial<CarNames> = {},
): Promise<string[]> {
  const asked: PgColumn = carModels[column];
  const rows = await db
    .selectDistinct({ name: carModels[column] })
    .from(carModels)
    .where(and(isNotNull(asked), ...matching(chosen)))
    .orderBy(asc(asked))
    .limit(NAMES_MAX);
  // Sorted here: databases differ in what they take for alphabetical.
  return rows.flatMap(({ name }) => (name === null ? [] : [name])).toSorted(ALPHABET.compare);
}

export async function findCarModelByNames(db: Database, names: CarNames): Promise<CarModel | undefined> {
  const [row] = await db
    .select()
    .from(carModels)
    .where(and(...matching(names)))
    .orderBy(asc(carModels.modelKey))
    .limit(1);
  return row;
}

export async function findCarModelByKey(db: Database, modelKey: string): Promise<CarModel | undefined> {
  const [row] = await db.select().from(carModels).where(eq(carModels.modelKey, modelKey));
  return row;
}

/** The car models whose search text has every one of `words`. */
export async function searchCarModels(
  db: Database,
  words: readonly string[],
  limit: number,
): Promise<CarModel[]> {
  return await db
    .select()
    .from(carModels)
    .where(and(...words.map((word) => like(carModels.searchText, `%${escapePattern(word)}%`))))
    .orderBy(asc(carModels.modelDisplay), asc(carModels.years), asc(carModels.modelKey))
    .limit(limit);
}

function matching(names: Partial<CarNames>) {
  const { make, modelFamily, variant, generation } = names;
  return [
    make === undefined ? undefined : eq(carModels.make, make),
    modelFamily === undefined ? undefined : eq(carModels.modelFamily, modelFamily),
    variant === undefined ? undefined : eq(carModels.variant, variant),
    generation === undefined ? undefined : eq(carModels.generation, generation),
  ];
}

/** Takes the signs that mean something to LIKE as they are. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
