import type { UserCarId } from '#contract/ids.ts';
import { readField } from '#web/ui/read-field.ts';
import type { EventView, ShownEntry } from './event-view.ts';

type Offered = {
  classes: EventView['classes'];
  /** The garage of the viewer. */
  cars: readonly { id: UserCarId }[];
  /** The entry that is changed; absent for a new one. */
  entry: ShownEntry | undefined;
  needsDriver: boolean;
};

export type TypedEntry = NonNullable<ReturnType<typeof readEntryForm>['typed']>;

/** Reads the form of an entry, or returns its problems by field. */
export function readEntryForm(form: HTMLFormElement, { classes, cars, entry, needsDriver }: Offered) {
  const text = (name: string) => readField(form, name).trim();
  const [driver, number] = [text('driver'), text('number')];
  const chosen = classes.find(({ id }) => id === text('classId'));
  const userCarId = cars.find(({ id }) => id === text('userCarId'))?.id;
  const car = readCar({ userCarId, carName: text('carName') }, entry);
  const problems: Record<string, string> = {
    ...(needsDriver && driver === '' && { driver: 'Type who drives.' }),
    ...(number === '' && { number: 'Type the number of the car.' }),
    ...(car.carName === '' && { carName: 'Type the car.' }),
  };
  const typed = chosen ? { driver, classId: chosen.id, number, group: text('group') || null, ...car } : null;
  return { typed, problems };
}

type ReadCar = { userCarId: UserCarId | undefined; carName: string };

/** Returns the car of the garage that is chosen, or else the car that is typed. A car of a garage stays one while its name does. */
function readCar({ userCarId, carName }: ReadCar, entry: ShownEntry | undefined) {
  if (userCarId !== undefined) return { userCarId, carName: null };
  if (entry && !entry.isOwn && entry.userCarId !== null && entry.car === carName)
    return { userCarId: entry.userCarId, carName: null };
  return { userCarId: null, carName };
}
