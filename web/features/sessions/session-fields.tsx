import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LAP_REASON_MESSAGES, TIRE_LABELS } from '#contract/laps/labels.ts';
import { classNames } from '#web/ui/class-names.ts';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { focusInDialog } from '#web/ui/modals.ts';
import { LapTime } from '#web/ui/lap-time.tsx';
import { RetryLine } from '#web/ui/state-message.tsx';
import styles from './edit-session.module.css';
import { findLinesChoice, LINES_CHOICES, listChoosableLaps } from './read-session-form.ts';
import { garageQuery, tireCompoundsQuery, type OwnSession } from './session-queries.ts';

type SessionFieldsProps = { session: OwnSession; problems: Readonly<Record<string, string>> };

export function SessionFields({ session, problems }: SessionFieldsProps) {
  return (
    <>
      <CarChoice session={session} />
      <TireChoice session={session} />
      <TextField
        type="url"
        label="Video Link"
        name="videoUrl"
        placeholder="https://"
        autoComplete="off"
        defaultValue={session.videoUrl ?? ''}
        error={problems['videoUrl']}
      />
      <SelectField
        label="Who sees my lines"
        name="lines"
        hint="The way and the speed of each lap, for comparisons."
        defaultValue={findLinesChoice(session)}
      >
        {Object.entries(LINES_CHOICES).map(([choice, { label }]) => (
          <option key={choice} value={choice}>
            {label}
          </option>
        ))}
      </SelectField>
      <LapChoice session={session} />
    </>
  );
}

function CarChoice({ session: { userCarId, carName } }: { session: OwnSession }) {
  const cars = useQuery(garageQuery);
  const [chosen, setChosen] = useState<string>(userCarId ?? '');
  const isInGarage = cars.data?.some(({ id }) => id === userCarId) ?? false;
  return (
    <div>
      <SelectField
        ref={focusInDialog}
        label="Car"
        name="userCarId"
        // The list that comes later has the car in another place.
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {!isInGarage && <option value={userCarId ?? ''}>{carName ?? 'Unknown'}</option>}
        {cars.data?.map((car) => (
          <option key={car.id} value={car.id}>
            {car.nickname || car.modelDisplay}
          </option>
        ))}
      </SelectField>
      {cars.isError && (
        <RetryLine onRetry={() => void cars.refetch()}>Your garage could not be loaded.</RetryLine>
      )}
    </div>
  );
}

function TireChoice({ session: { tireCompound } }: { session: OwnSession }) {
  const { data = [], isError, refetch } = useQuery(tireCompoundsQuery);
  const [chosen, setChosen] = useState<string>(tireCompound ?? '');
  return (
    <div>
      <SelectField
        label="Tire Category"
        name="tireCompound"
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      >
        {!data.some((compound) => compound === tireCompound) && (
          <option value={tireCompound ?? ''}>{tireCompound ?? 'Unknown'}</option>
        )}
        {data.map((compound) => (
          <option key={compound} value={compound}>
            {TIRE_LABELS[compound]}
          </option>
        ))}
      </SelectField>
      {isError && (
        <RetryLine onRetry={() => void refetch()}>The tire categories could not be loaded.</RetryLine>
      )}
    </div>
  );
}

function LapChoice({ session }: { session: OwnSession }) {
  const laps = listChoosableLaps(session);
  if (laps.length === 0) return null;
  const bestMs = Math.min(...laps.map(({ lapTimeMs }) => lapTimeMs));
  return (
    <fieldset className={styles['laps']}>
      <legend>Laps that count</legend>
      <ul>
        {laps.map(({ lapId, number, lapTimeMs, reasons, isLeftOut }) => (
          <li key={lapId}>
            <label className={styles['lap']}>
              <input type="checkbox" name="laps" value={lapId} defaultChecked={!isLeftOut} />
              <span>Lap {number}</span>
              <LapTime
                lapTimeMs={lapTimeMs}
                className={classNames(styles['time'], lapTimeMs === bestMs && styles['best'])}
              />
              {reasons
                .filter((reason) => reason !== 'left_out')
                .map((reason) => (
                  <span key={reason} className={styles['reason']}>
                    {LAP_REASON_MESSAGES[reason]}
                  </span>
                ))}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
