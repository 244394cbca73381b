import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type RefObject, type SyntheticEvent } from 'react';
import { describeError } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { pluralize } from '#web/ui/format.ts';
import { focusInDialog } from '#web/ui/modals.ts';
import { showToast } from '#web/ui/toasts.ts';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { mergeCar, similarCarsQuery, type AdministeredCar } from './administration-queries.ts';
import styles from './admin.module.css';

type MergeCarProps = {
  /** The proposal; null while none is being merged. */
  car: AdministeredCar | null;
  /** Takes the focus once the row of the proposal is gone. */
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
};

type Outcome = { isMerging: boolean; failure?: string };

/** Replaces a proposed car by another one of the library, which is searched by its names. */
export function MergeCar({ car, focusAfter, onClose }: MergeCarProps) {
  const formId = useId();
  const { isMerging, failure, merge, close } = useMerging({ car, focusAfter, onClose });
  return (
    <Dialog
      open={car !== null}
      title="Merge Car"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="destructive" pending={isMerging}>
            Merge
          </Button>
        </>
      }
    >
      {car && (
        <form id={formId} noValidate className={styles['upload']} onSubmit={(event) => void merge(event)}>
          <p>
            You cannot undo this. {car.modelDisplay} becomes the car that you choose, in garages and on
            boards.
          </p>
          <Candidates car={car} />
          {failure !== undefined && (
            <p role="alert" className={styles['problem']}>
              {failure}
            </p>
          )}
        </form>
      )}
    </Dialog>
  );
}

function useMerging({ car, focusAfter, onClose }: MergeCarProps) {
  const queryClient = useQueryClient();
  const [{ isMerging, failure }, setOutcome] = useState<Outcome>({ isMerging: false });

  const isOpen = useRef(false);
  useEffect(() => {
    // The dialog has returned the focus by now, unless the row that had it is gone.
    if (isOpen.current && car === null && document.activeElement === document.body)
      focusAfter.current?.focus();
    isOpen.current = car !== null;
  }, [car, focusAfter]);

  function close(): void {
    setOutcome({ isMerging: false });
    onClose();
  }

  async function merge(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const intoCarId = new FormData(event.currentTarget).get('intoCarId');
    if (!car || isMerging) return;
    if (typeof intoCarId !== 'string') {
      setOutcome({ isMerging, failure: 'Choose the car that stays.' });
      return;
    }
    setOutcome({ isMerging: true });
    try {
      const { car: into, movedCars } = await mergeCar(car.id, intoCarId, queryClient);
      const description = `${pluralize(movedCars, 'car')} in garages and their laps are ${into.modelDisplay} now.`;
      showToast({ title: 'Cars Merged', description });
      close();
    } catch (error) {
      setOutcome({ isMerging: false, failure: describeError(error) });
    }
  }

  return { isMerging, failure, merge, close };
}

const SEARCH_DELAY_MS = 150;
const SEARCH_CHARACTERS_MIN = 2;

function Candidates({ car }: { car: AdministeredCar }) {
  const [search, setSearch] = useState(`${car.make} ${car.modelFamily} ${car.variant}`);
  const [chosenId, setChosenId] = useState<string | null>(null);
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
          <label key={id} className={styles['choice']}>
            <input
              type="radio"
              name="intoCarId"
              value={id}
              checked={id === chosenId}
              onChange={() => setChosenId(id)}
            />
            <span>
              {modelDisplay}
              <span className={styles['facts']}>
                {[years, drivetrain, raceClass].filter(Boolean).join(' · ')}
              </span>
            </span>
          </label>
        ))}
        {candidates?.length === 0 && <p className={styles['facts']}>No cars found.</p>}
      </fieldset>
    </>
  );
}
