import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { useRef, useState, type RefObject } from 'react';
import type { UserCar } from '#contract/garage/schemas.ts';
import type { LapId, TrackId, UserId } from '#contract/ids.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { CarPicture } from '#web/ui/picture.tsx';
import { EmptyState, QueryState } from '#web/ui/state-message.tsx';
import { CarCard, type VisitedTrack } from './car-card.tsx';
import { formatCarTitle } from './car-title.ts';
import { bestsByCarQuery, userCarsQuery, ownCarsQuery } from './garage-queries.ts';
import common from '#web/ui/common.module.css';
import styles from './garage-tab.module.css';

type GarageTabProps = {
  userId: UserId;
  isOwn: boolean;
  /** The tracks of the driver, once they are loaded. */
  visits: readonly VisitedTrack[] | undefined;
  /** Returns the id of the driver's best lap with this time on a track; null if the lap cannot be opened. */
  findLapId: (trackId: TrackId, lapTimeMs: number) => LapId | null;
};

/** Shows the cars of a driver; their owner may add and remove cars. */
export function GarageTab({ userId, isOwn, visits, findLapId }: GarageTabProps) {
  const garage = useRef<HTMLElement>(null);
  const [leaving, setLeaving] = useState<UserCar | null>(null);
  return (
    <section ref={garage} tabIndex={-1} aria-label="Garage" className={common['stack']}>
      {isOwn && (
        <ButtonLink href="/garage/add" className={styles['add']}>
          <Plus size={18} aria-hidden="true" />
          Add Car
        </ButtonLink>
      )}
      <Cars {...{ userId, visits, findLapId }} onRemove={isOwn ? setLeaving : undefined} />
      {leaving && <RemoveCar car={leaving} onClose={() => setLeaving(null)} focusAfter={garage} />}
    </section>
  );
}

type CarsProps = Omit<GarageTabProps, 'isOwn'> & { onRemove: ((car: UserCar) => void) | undefined };

function Cars({ userId, visits = [], findLapId, onRemove }: CarsProps) {
  const isOwn = onRemove !== undefined;
  const cars = useQuery(isOwn ? ownCarsQuery : userCarsQuery(userId));
  const bests = useQuery(bestsByCarQuery(userId));
  const failed = [cars, bests].filter((query) => query.isError);
  const garage = {
    data: cars.data && bests.data,
    isError: failed.length > 0,
    refetch: () => Promise.all(failed.map(refetch)),
  };
  const state = <QueryState noun="garage" query={garage} />;
  if (!cars.data || !bests.data) return state;
  const bestsByCar = bests.data;
  if (cars.data.length === 0) {
    return (
      <EmptyState title="No cars in garage yet" picture={<CarPicture />}>
        {isOwn && 'Add your first car to start tracking lap times!'}
      </EmptyState>
    );
  }
  return (
    <>
      {state}
      <ul className={styles['cars']}>
        {cars.data.map((car) => (
          <li key={car.id}>
            <CarCard
              {...{ car, visits, findLapId }}
              bests={bestsByCar[car.id] ?? []}
              onRemove={onRemove && (() => onRemove(car))}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

type RemoveCarProps = {
  car: UserCar;
  onClose: () => void;
  focusAfter: RefObject<HTMLElement | null>;
};

function RemoveCar({ car, onClose, focusAfter }: RemoveCarProps) {
  const name = car.nickname ?? formatCarTitle(car);
  return (
    <ConfirmDialog
      title="Remove Car"
      confirmText="Remove Car"
      focusAfter={focusAfter}
      onConfirm={(send) => send('DELETE /api/user-cars/:id', { params: { id: car.id } })}
      success={{
        title: 'Car Removed',
        description: `${name} was removed from your garage. Its laps stay.`,
      }}
      onClose={onClose}
    >
      <p>
        {name} and its photo are removed from your garage. Its laps stay on the boards and in your history.
      </p>
    </ConfirmDialog>
  );
}

function refetch(query: { refetch: () => Promise<unknown> }): Promise<unknown> {
  return query.refetch();
}
