import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import type { CarModel } from '#contract/cars/schemas.ts';
import { Combobox } from '#web/ui/combobox.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { CarOption } from './car-option.tsx';
import { carSearchQuery } from './garage-queries.ts';

export function CarSearch({ onChoose }: { onChoose: (model: CarModel) => void }) {
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const searched = useDebounced(text);
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
