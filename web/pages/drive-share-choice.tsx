import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { UserCarId } from '#contract/ids.ts';
import type { LiveVisibility } from '#contract/live/labels.ts';
import { formatCarTitle } from '#web/features/garage/car-title.ts';
import { ownCarsQuery } from '#web/features/garage/garage-queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/field.tsx';
import styles from './drive-share.module.css';

export type SharingChoice = { visibility: LiveVisibility; userCarId?: UserCarId };

type ShareChoiceProps = {
  isBusy: boolean;
  onChosen: (choice: SharingChoice) => void;
  onClose: () => void;
};

/** Asks who may watch a drive, and which car they see, before anything of it is shared. */
export function ShareChoice({ isBusy, onChosen, onClose }: ShareChoiceProps) {
  const { data: cars = [] } = useQuery(ownCarsQuery);
  const [visibility, setVisibility] = useState<LiveVisibility>('link');
  const [chosenCar, setChosenCar] = useState<string | null>(null);
  const onlyCar = cars.length === 1 ? cars[0] : undefined;
  const car = chosenCar === null ? onlyCar : cars.find(({ id }) => id === chosenCar);
  return (
    <Dialog title="Share live" width="form" onClose={onClose}>
      <div className={styles['choice']}>
        <SelectField
          label="Who may watch"
          value={visibility}
          onChange={({ target }) => setVisibility(target.value === 'everybody' ? 'everybody' : 'link')}
        >
          <option value="link">Who has the link</option>
          <option value="everybody">Everybody on this Pitboard</option>
        </SelectField>
        {cars.length > 0 && (
          <SelectField
            label="Car beside your name"
            value={car?.id ?? ''}
            onChange={({ target }) => setChosenCar(target.value)}
          >
            <option value="">None</option>
            {cars.map((one) => (
              <option key={one.id} value={one.id}>
                {formatCarTitle(one)}
              </option>
            ))}
          </SelectField>
        )}
        <p>
          They see your laps and sectors while you drive, and your place on the track only if you show your
          lines. It ends with the drive.
        </p>
        <Button
          variant="primary"
          pending={isBusy}
          onClick={() => onChosen({ visibility, ...(car && { userCarId: car.id }) })}
        >
          Share This Drive
        </Button>
      </div>
    </Dialog>
  );
}
