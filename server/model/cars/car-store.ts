import { and, asc, count, desc, eq, getTableColumns, gt, isNotNull, like, sql, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { CarModelId, UserId } from '#contract/ids.ts';
import type { CarModel } from '#contract/cars/schemas.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { splitIntoStatements, takeInserted } from '#server/kernel/database/upsert.ts';
import { carModels } from './schema.ts';
import type { LibraryCar } from './car-library.ts';

export type CarNames = Pick<CarModel, 'make' | 'modelFamily' | 'variant' | 'generation'>;

// No list on a page is longer.
const NAMES_MAX = 1_000;

const ALPHABET = new Intl.Collator('en', { numeric: true });

/** Lists the distinct values of one column among the cars with the given names, in alphabetical order. */
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
  // The server sorts, because databases differ in their alphabetical order.
  return rows.flatMap(({ name }) => (name === null ? [] : [name])).toSorted(ALPHABET.compare);
}

export async function findCarModelByNames(db: Database, names: CarNames): Promise<CarModel | undefined> {
  const [row] = await db
    .select()
    .from(carModels)
    .where(and(...matching(names)))
    // An official car comes before one that a driver proposed.
    .orderBy(desc(carModels.status), asc(carModels.modelKey))
    .limit(1);
  return row;
}

export async function findCarModelByKey(db: Database, modelKey: string): Promise<CarModel | undefined> {
  const [row] = await db.select().from(carModels).where(eq(carModels.modelKey, modelKey));
  return row;
}

/** Lists the car models with all of `words` in their names; none without words. */
export async function searchCarModels(
  db: Database,
  words: readonly string[],
  limit: number,
): Promise<CarModel[]> {
  if (words.length === 0) return [];
  return await db
    .select()
    .from(carModels)
    .where(and(...words.map((word) => like(carModels.searchText, `%${escapePattern(word)}%`))))
    .orderBy(
      desc(countWholeWords(words)),
      asc(carModels.modelDisplay),
      asc(carModels.years),
      asc(carModels.modelKey),
    )
    .limit(limit);
}

/** Counts the words that are not only a part of a longer one: `r6` is a word of YZF-R6 and a part of GSX-R600. */
function countWholeWords(words: readonly string[]): SQL {
  const spaced = sql`' ' || regexp_replace(${carModels.searchText}, '[^a-z0-9]+', ' ', 'g') || ' '`;
  const counts = words.map(
    (word) => sql`(${spaced} LIKE ${`% ${word.replaceAll(/[^a-z0-9]+/g, ' ').trim()} %`})::int`,
  );
  return sql.join(counts, sql` + `);
}

// The beginning of a word matches too, so a typing error later in the word hides no car.
const WORD_BEGINNING_CHARACTERS = 3;

/** Lists the car models with at least half of `words` in their names, those with most of them first; none without words. */
export async function listSimilarCarModels(
  db: Database,
  words: readonly string[],
  limit: number,
): Promise<CarModel[]> {
  if (words.length === 0) return [];
  const text = carModels.searchText;
  const points = words.map(
    (word) => sql`CASE WHEN ${like(text, `%${escapePattern(word)}%`)} THEN 2
      WHEN ${like(text, `%${escapePattern(word.slice(0, WORD_BEGINNING_CHARACTERS))}%`)} THEN 1 ELSE 0 END`,
  );
  const score = sql`(${sql.join(points, sql` + `)})`;
  return await db
    .select()
    .from(carModels)
    .where(sql`${score} >= ${words.length}`)
    .orderBy(desc(score), asc(carModels.modelDisplay), asc(carModels.modelKey))
    .limit(limit);
}

export async function countProposedToday(db: Database, userId: UserId): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(carModels)
    .where(and(eq(carModels.proposedBy, userId), gt(carModels.proposedAt, sql`now() - interval '1 day'`)));
  return row?.count ?? 0;
}

/** Inserts a driver's proposal and returns its id; undefined where its key is taken. */
export async function insertProposedCar(
  db: Database,
  userId: UserId,
  car: LibraryCar,
): Promise<CarModelId | undefined> {
  const [row] = await db
    .insert(carModels)
    .values({ ...car, status: 'community_submitted', proposedBy: userId, proposedAt: sql`clock_timestamp()` })
    .onConflictDoNothing({ target: carModels.modelKey })
    .returning({ id: carModels.id });
  return row?.id;
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

export function escapePattern(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

export async function upsertCarModels(
  tx: Database,
  rows: readonly (typeof carModels.$inferInsert)[],
): Promise<void> {
  const { id: _id, modelKey: _modelKey, ...columns } = getTableColumns(carModels);
  for (const some of splitIntoStatements(rows)) {
    await tx
      .insert(carModels)
      .values(some)
      .onConflictDoUpdate({ target: carModels.modelKey, set: takeInserted(columns) });
  }
}
