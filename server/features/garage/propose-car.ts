import type { UserCarId, UserId } from '#contract/ids.ts';
import type { CarProposal } from '#contract/cars/schemas.ts';
import { LIMITS } from '#contract/limits.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { toLibraryCar } from '#server/model/cars/car-library.ts';
import {
  countProposedToday,
  insertProposedCar,
  listCarNames,
  searchCarModels,
} from '#server/model/cars/car-store.ts';
import { completeCar, makeModelKey } from '#server/model/cars/complete-car.ts';
import { splitSearchWords } from '#server/model/cars/search-text.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError, type FieldProblems } from '#server/kernel/errors.ts';
import { insertUserCar, lockGarage } from '#server/model/cars/garage-store.ts';

/**
 * Adds a car model that the library lacks, marked as proposed by `userId`, and a user car of it; returns the id of the user
 * car.
 * @throws AppError where the library has the car, the proposal names an unknown class or drivetrain, or the limit of a day or
 * of the garage is reached
 */
export async function proposeCar(db: Database, userId: UserId, proposal: CarProposal): Promise<UserCarId> {
  return await db.transaction(async (tx) => {
    // The lock makes concurrent proposals count one after the other.
    await lockGarage(tx, userId);
    if ((await countProposedToday(tx, userId)) >= LIMITS.carProposalsPerDayMax) {
      const sentence = `You can propose ${LIMITS.carProposalsPerDayMax} cars a day. Please try again tomorrow.`;
      throw new AppError('too_many_requests', sentence);
    }
    await checkChoices(tx, proposal);
    const car = completeCar({ ...proposal, modelKey: null, modelDisplay: null });
    if (!car) throw new Error('A proposal without names was let through.');
    await checkIsNew(tx, car);
    const carModelId = await insertProposedCar(tx, userId, toLibraryCar(car));
    if (carModelId === undefined) throw knownCar(car.modelDisplay);
    const changes = { car: [null, car.modelDisplay] satisfies [null, string] };
    await insertAuditEntry(tx, { userId, action: 'propose-car', subject: carModelId, counts: {}, changes });
    return await insertUserCar(tx, { userId, carModelId, nickname: null });
  });
}

/** Checks the fields by which boards are filtered: their values must exist in the library. */
async function checkChoices(tx: Database, proposal: CarProposal): Promise<void> {
  const fields: FieldProblems = {};
  for (const name of ['drivetrain', 'raceClass'] as const) {
    const choices = await listCarNames(tx, name);
    if (proposal[name] !== null && !choices.includes(proposal[name]))
      fields[name] = `It must be one of ${choices.join(', ')}.`;
  }
  const [[field, sentence] = []] = Object.entries(fields);
  if (field === undefined) return;
  throw new AppError('invalid_input', `There is a problem with ${field}: ${sentence}`, { fields });
}

type FourNames = { make: string; modelFamily: string; variant: string; generation: string };

// One car has far fewer spellings than this.
const CANDIDATES_MAX = 200;

/** Checks that the library lacks the car: capitals, accents and punctuation make no difference. */
async function checkIsNew(tx: Database, car: FourNames): Promise<void> {
  const words = splitSearchWords(`${car.make} ${car.modelFamily} ${car.variant}`);
  const plainWords = words.map((word) => word.replaceAll(/[^a-z0-9]/g, ''));
  const candidates = await searchCarModels(tx, plainWords, CANDIDATES_MAX);
  const known = candidates.find((candidate) => formatLook(candidate) === formatLook(car));
  if (known) throw knownCar(known.modelDisplay);
}

function formatLook({ make, modelFamily, variant, generation }: FourNames): string {
  const names = [make, modelFamily, generation, variant];
  return names.map((name) => makeModelKey([name]).replaceAll('-', '')).join(' ');
}

function knownCar(modelDisplay: string): AppError {
  const sentence = `The library has this car already: ${modelDisplay}.`;
  return new AppError('conflict', sentence, { fields: { variant: sentence } });
}
