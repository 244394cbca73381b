import { insertNewCars } from '#server/model/cars/car-import-store.ts';
import type { Database } from '#server/kernel/database/database.ts';
import type { CheckedCars } from './import-tasks.ts';
import type { WriteAudit } from '#server/kernel/http/endpoint-hooks.ts';
import { lockImports } from '#server/model/tracks/track-library-store.ts';

export async function importCars(db: Database, checked: CheckedCars, audit: WriteAudit) {
  const { pieces, newCount, existing, problems } = checked;
  return await db.transaction(async (tx) => {
    await lockImports(tx);
    let imported = 0;
    for (const piece of pieces) imported += await insertNewCars(tx, piece);
    // Another administrator may have imported a car after the check, so the insert returns the real count.
    const counts = { imported, existing: existing + newCount - imported, withProblems: problems.length };
    await audit(tx, { counts });
    return { imported, existing: counts.existing, problems };
  });
}
