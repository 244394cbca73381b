import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CarModel } from '#contract/cars.ts';
import { LIMITS } from '#contract/limits.ts';
import { Combobox } from '#web/ui/combobox.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import styles from './car-search.module.css';
import { carSearchQuery } from './garage-queries.ts';

/** Long enough that a word typed fluently is one search. */
const SEARCH_DELAY_MS = 150;

/** Finds a car model by any words of its name. */
export function CarSearch({ onChoose }: { onChoose: (model: CarModel) => void }) {
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const searched = useDebounced(text, SEARCH_DELAY_MS);
  const { data, isError, isPlaceholderData, refetch } = useQuery(carSearchQuery(searched));
  const isLongEnough = text.length >= LIMITS.carSearchCharactersMin;
  const isEmpty = data?.length === 0 && !isPlaceholderData && searched === text;
  return (
    <>
      <Combobox
        label="Quick Search"
        placeholder="Search cars..."
        inputValue={typed}
        onInputChange={setTyped}
        items={isLongEnough ? (data ?? []) : []}
        itemKey={(model) => model.modelKey}
        itemText={(model) => model.modelDisplay}
        renderItem={(model) => <CarOption model={model} />}
        onSelect={onChoose}
        emptyMessage={isLongEnough && isEmpty ? `No cars found matching "${text}"` : undefined}
      />
      {isError && isLongEnough && (
        <RetryLine onRetry={() => void refetch()}>The search failed. Please try again.</RetryLine>
      )}
    </>
  );
}

function CarOption({ model }: { model: CarModel }) {
  const facts = [model.years, model.drivetrain, model.raceClass].filter(Boolean).join(' · ');
  return (
    <span className={styles['option']}>
      <span className={styles['name']}>{model.modelDisplay}</span>
      {facts !== '' && <span className={styles['facts']}>{facts}</span>}
    </span>
  );
}

/** The value once it has not changed for `delayMs`. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), delayMs);
    return () => window.clearTimeout(timer);
  }, [value, delayMs]);
  return settled;
}
