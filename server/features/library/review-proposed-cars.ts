import type { CarModelId, UserId } from '#contract/ids.ts';
import type { CarModel } from '#contract/cars/schemas.ts';
import { insertAuditEntry } from '#server/model/audit/audit-store.ts';
import { changeDrivers } from '#server/model/boards/change-laps.ts';
import type { Database } from '#server/kernel/database/database.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { NewNotice } from '#server/model/notices/notice-kinds.ts';
import { insertNotices } from '#server/model/notices/notice-store.ts';
import {
  listOwners,
  findCarModelForUpdate,
  markOfficial,
  replaceCarModel,
} from '#server/model/cars/car-administration-store.ts';

/** Makes a proposed car official. @throws AppError where it does not exist or is official */
export async function approveCar(db: Database, userId: UserId, carModelId: CarModelId): Promise<CarModel> {
  return await db.transaction(async (tx) => {
    const car = await lockProposal(tx, carModelId);
    await markOfficial(tx, carModelId);
    await insertAuditEntry(tx, {
      userId,
      action: 'approve-car',
      subject: carModelId,
      counts: {},
      changes: { car: [`${car.modelDisplay} (Community)`, car.modelDisplay] },
    });
    if (car.proposedBy !== null) await insertNotices(tx, [toApproval(car.proposedBy, car.modelDisplay)]);
    return { ...car, status: 'official' };
  });
}

function toApproval(userId: UserId, carName: string): NewNotice {
  const nowhere = { trackId: null, eventId: null, otherUserId: null, lapId: null, comparedLapId: null };
  return { ...nowhere, kind: 'proposal_approved', userId, payload: { carName } };
}

/**
 * Replaces a car that a driver proposed with another one, in all garages and on all boards, and deletes it.
 * @throws AppError where one of them does not exist, both are the same, the car is official, or a driver adds it to a garage
 * meanwhile
 */
export async function mergeCar(
  db: Database,
  userId: UserId,
  { carId, intoCarId }: { carId: CarModelId; intoCarId: CarModelId },
): Promise<{ car: CarModel; movedCars: number }> {
  if (carId === intoCarId) {
    const fields = { intoCarId: 'Choose another car than the one that is merged.' };
    throw new AppError('invalid_input', `There is a problem with intoCarId: ${fields.intoCarId}`, { fields });
  }
  return await db.transaction(async (tx) => {
    const owners = await listOwners(tx, carId);
    return await changeDrivers(tx, owners, async () => {
      const proposal = await lockProposal(tx, carId);
      const car = await findCarModelForUpdate(tx, intoCarId);
      if (!car) throw new AppError('not_found', 'The car to merge into is not in the library.');
      // The locked car can no longer be added to a garage, but a driver may have added it just before.
      if ((await listOwners(tx, carId)).some((owner) => !owners.includes(owner))) {
        throw new AppError('conflict', 'A driver has just added this car to a garage. Please try again.');
      }
      const movedCars = await replaceCarModel(tx, { from: carId, into: intoCarId });
      await insertAuditEntry(tx, {
        userId,
        action: 'merge-cars',
        subject: intoCarId,
        counts: { movedCars },
        changes: { car: [proposal.modelDisplay, car.modelDisplay] },
      });
      return { car, movedCars };
    });
  });
}

async function lockProposal(tx: Database, carModelId: CarModelId) {
  const car = await findCarModelForUpdate(tx, carModelId);
  if (!car) throw new AppError('not_found', 'There is no such car.');
  if (car.status === 'community_submitted') return car;
  throw new AppError('conflict', 'This car is official already.');
}
