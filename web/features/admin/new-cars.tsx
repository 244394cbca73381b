import table from '#web/ui/table.module.css';
import { SHOWN_CARS_MAX, type NewCar } from './car-preview.ts';
import { counted } from './counted.ts';
import styles from './new-cars.module.css';

/** The first of the cars that an import would add. */
export function NewCars({ cars }: { cars: readonly NewCar[] }) {
  const shown = cars.slice(0, SHOWN_CARS_MAX);
  return (
    <div className={styles['captioned']}>
      <p className={styles['caption']}>
        {shown.length < cars.length
          ? `The first ${shown.length} of ${counted(cars.length, 'new car')}`
          : counted(cars.length, 'new car')}
      </p>
      <div className={table['frame']}>
        <table className={table['table']}>
          <caption className="visually-hidden">New cars</caption>
          <thead>
            <tr>
              <th scope="col">Car</th>
              {['Variant', 'Generation', 'Years', 'Drivetrain', 'Race Class'].map((name) => (
                <th key={name} scope="col" className={table['wide']}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((car, index) => (
              <CarRow key={car.modelKey ?? index} car={car} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function CarRow({ car }: { car: NewCar }) {
  const facts = [car.variant, car.generation, car.years, car.drivetrain, car.raceClass];
  return (
    <tr>
      <th scope="row">
        {car.make} {car.modelFamily}
        <span className={table['under']}>{facts.filter(Boolean).join(' · ')}</span>
      </th>
      <td className={table['wide']}>{car.variant}</td>
      <td className={table['wide']}>{car.generation}</td>
      <td className={table['wide']}>{car.years ?? '—'}</td>
      <td className={table['wide']}>{car.drivetrain ?? '—'}</td>
      <td className={table['wide']}>{car.raceClass ?? '—'}</td>
    </tr>
  );
}
