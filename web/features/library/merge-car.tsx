import { useQuery } from '@tanstack/react-query';
import { useState, type RefObject } from 'react';
import { TextField } from '#web/ui/field.tsx';
import { pluralize } from '#web/ui/format.ts';
import { focusInDialog } from '#web/ui/modals.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { similarCarsQuery, type AdministeredCar } from './library-queries.ts';
import styles from '#web/ui/admin.module.css';
import { MergeChoice, MergeDialog } from './merge-dialog.tsx';

type MergeCarProps = {
  car: AdministeredCar;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

/** Replaces a proposed car by another one of the library, which is searched by its names. */
export function MergeCar({ car, ...dialog }: MergeCarProps) {
  return (
    <MergeDialog
      title="Merge Car"
      chooseFirst="Choose the car that stays."
      onMerge={(send, intoCarId) =>
        send('POST /api/admin/cars/:carId/merge', { params: { carId: car.id }, body: { intoCarId } })
      }
      success={({ car: into, movedCars }) => ({
        title: 'Cars Merged',
        description: `${pluralize(movedCars, 'car')} in garages and their laps are ${into.modelDisplay} now.`,
      })}
      {...dialog}
    >
      <p>
        You cannot undo this. {car.modelDisplay} becomes the car that you choose, in garages and on boards.
      </p>
      <Candidates car={car} />
    </MergeDialog>
  );
}

const SEARCH_CHARACTERS_MIN = 2;

function Candidates({ car }: { car: AdministeredCar }) {
  const [search, setSearch] = useState(`${car.make} ${car.modelFamily} ${car.variant}`);
  const text = useDebounced(search.trim());
  const { data } = useQuery({ ...similarCarsQuery(text), enabled: text.length >= SEARCH_CHARACTERS_MIN });
  const candidates = data?.filter(({ id }) => id !== car.id);
  return (
    <>
      <TextField
        ref={focusInDialog}
        type="search"
        label="Merge into"
        autoComplete="off"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <fieldset className={styles['choices']}>
        <legend className="visually-hidden">The car that stays</legend>
        {candidates?.map(({ id, modelDisplay, years, drivetrain, raceClass }) => (
          <MergeChoice
            key={id}
            id={id}
            name={modelDisplay}
            facts={[years, drivetrain, raceClass].filter(Boolean).join(' · ')}
          />
        ))}
        {candidates?.length === 0 && <p className={styles['facts']}>No cars found.</p>}
      </fieldset>
    </>
  );
}
