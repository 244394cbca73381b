import { useQuery } from '@tanstack/react-query';
import { CarFront, Plus } from 'lucide-react';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState, FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { CarCard } from './car-card.tsx';
import styles from './garage-tab.module.css';
import { bestsByCarQuery, carsOfUserQuery, ownCarsQuery } from './garage-queries.ts';

/** The cars of a driver; their owner may add more. */
export function GarageTab({ userId, isOwn }: { userId: string; isOwn: boolean }) {
  return (
    <div className={styles['garage']}>
      {isOwn && (
        <ButtonLink href="/garage/add" className={styles['add'] ?? ''}>
          <Plus size={18} aria-hidden="true" />
          Add Car
        </ButtonLink>
      )}
      <Cars userId={userId} isOwn={isOwn} />
    </div>
  );
}

function Cars({ userId, isOwn }: { userId: string; isOwn: boolean }) {
  const cars = useQuery(isOwn ? ownCarsQuery : carsOfUserQuery(userId));
  const bests = useQuery(bestsByCarQuery(userId));
  if (cars.isError || bests.isError) {
    const retry = () => void Promise.all([cars, bests].filter((query) => query.isError).map(refetch));
    return <FailedState title="The garage could not be loaded." onRetry={retry} />;
  }
  if (cars.data === undefined || bests.data === undefined) {
    return <LoadingState>Loading garage...</LoadingState>;
  }
  if (cars.data.length === 0) {
    return (
      <EmptyState title="No cars in garage yet" icon={<CarFront size={22} />}>
        {isOwn && 'Add your first car to start tracking lap times!'}
      </EmptyState>
    );
  }
  return (
    <ul className={styles['cars']}>
      {cars.data.map((car) => (
        <li key={car.id}>
          <CarCard car={car} bests={bests.data[car.id] ?? []} isOwn={isOwn} />
        </li>
      ))}
    </ul>
  );
}

function refetch(query: { refetch: () => Promise<unknown> }): Promise<unknown> {
  return query.refetch();
}
