import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type RefObject } from 'react';
import { TextField } from '#web/ui/field.tsx';
import { pluralize } from '#web/ui/format.ts';
import { focusInDialog } from '#web/ui/modals.ts';
import { showToast } from '#web/ui/toasts.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { mergeCar, similarCarsQuery, type AdministeredCar } from './administration-queries.ts';
import styles from './admin.module.css';
import { MergeChoice, MergeDialog } from './merge-dialog.tsx';

type MergeCarProps = {
  /** The proposal; null while none is being merged. */
  car: AdministeredCar | null;
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

/** Replaces a proposed car by another one of the library, which is searched by its names. */
export function MergeCar({ car, ...dialog }: MergeCarProps) {
  const queryClient = useQueryClient();

  async function merge(intoCarId: string): Promise<void> {
    if (!car) return;
    const { car: into, movedCars } = await mergeCar(car.id, intoCarId, queryClient);
    const description = `${pluralize(movedCars, 'car')} in garages and their laps are ${into.modelDisplay} now.`;
    showToast({ title: 'Cars Merged', description });
  }

  return (
    <MergeDialog
      open={car !== null}
      title="Merge Car"
      chooseFirst="Choose the car that stays."
      onMerge={merge}
      {...dialog}
    >
      {car && (
        <>
          <p>
            You cannot undo this. {car.modelDisplay} becomes the car that you choose, in garages and on
            boards.
          </p>
          <Candidates car={car} />
        </>
      )}
    </MergeDialog>
  );
}

const SEARCH_DELAY_MS = 150;
const SEARCH_CHARACTERS_MIN = 2;

function Candidates({ car }: { car: AdministeredCar }) {
  const [search, setSearch] = useState(`${car.make} ${car.modelFamily} ${car.variant}`);
  const text = useDebounced(search.trim(), SEARCH_DELAY_MS);
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
