import { useQuery } from '@tanstack/react-query';
import CarFront from 'lucide-react/icons/car-front';
import type { UserCarId } from '#contract/ids.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { useCall } from '#web/ui/use-call.ts';
import { describeCar, isCarNamed, type CarSelection } from './car-selection.ts';
import common from '#web/ui/common.module.css';
import styles from './confirm-selection.module.css';
import { exactMatchQuery } from './garage-queries.ts';

type ConfirmSelectionProps = {
  selection: CarSelection;
  onReset: () => void;
  onAdded: (userCarId: UserCarId) => void;
};

export function ConfirmSelection({ selection, onReset, onAdded }: ConfirmSelectionProps) {
  const exactMatch = useQuery(exactMatchQuery(selection));
  const { run, isBusy } = useCall('POST /api/user-cars', {
    success: { title: 'Car added!', description: 'Your car has been added to your garage.' },
    failure: 'Error',
    fallback: 'Failed to add car',
    onDone: ({ id }) => onAdded(id),
  });
  const isNamed = isCarNamed(selection);
  const modelKey = selection.modelKey ?? (isNamed ? (exactMatch.data?.modelKey ?? null) : null);

  function add(): void {
    if (modelKey === null) {
      showToast({ title: 'No car selected', description: 'Please select a car first', destructive: true });
      return;
    }
    void run({ body: { modelKey, nickname: null } });
  }

  return (
    <Card as="section" className={common['stack']}>
      <h2 className={common['heading']}>Confirm Selection</h2>
      <p className={isNamed ? styles['car'] : styles['none']} aria-live="polite">
        <CarFront size={22} aria-hidden="true" />
        {isNamed ? describeCar(selection) : 'Search for your car or choose it step by step.'}
      </p>
      {isNamed && exactMatch.isError && (
        <RetryLine onRetry={() => void exactMatch.refetch()}>
          This car could not be found in the library.
        </RetryLine>
      )}
      <div className={common['actions']}>
        <Button onClick={onReset}>Reset</Button>
        <Button variant="primary" pending={isBusy || exactMatch.isFetching} onClick={add}>
          Add to Garage
        </Button>
      </div>
    </Card>
  );
}
