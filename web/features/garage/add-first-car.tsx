import type { UserCarId } from '#contract/ids.ts';
import { Failure, LoadingState } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { CarSearch } from './car-search.tsx';

/** Searches the library; the car that is chosen goes into the garage at once. */
export function AddFirstCar({ onAdded }: { onAdded: (userCarId: UserCarId) => void }) {
  const { run, isBusy, sentence } = useCall('POST /api/user-cars', {
    success: { title: 'Car added!', description: 'Your car has been added to your garage.' },
    fallback: 'Failed to add car',
    onDone: ({ id }) => onAdded(id),
  });
  return (
    <div>
      <CarSearch onChoose={({ modelKey }) => void run({ body: { modelKey, nickname: null } })} />
      {isBusy && <LoadingState>Adding the car...</LoadingState>}
      <Failure>{sentence}</Failure>
    </div>
  );
}
