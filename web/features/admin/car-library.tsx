import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { CarProblem } from '#contract/admin.ts';
import { describeError } from '#web/api/api-error.ts';
import type { CarImport, CarPreview, NewCar } from '#web/api/specified-answers/admin.ts';
import { Button } from '#web/ui/button.tsx';
import { formatCount, pluralize } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard, Warnings } from './admin-card.tsx';
import { importCars, previewCars, refreshCarLibrary } from './admin-queries.ts';
import admin from './admin.module.css';
import styles from './car-library.module.css';
import { LibraryUpload, validateLibraryFile } from './library-upload.tsx';

/** Imports the new cars of a CSV file, after a preview. */
export function CarLibrary() {
  const { preview, outcome, phase, problem, read, confirm, cancel } = useCarImport();
  return (
    <AdminCard
      title="Car Library Management"
      lead="A CSV file with the columns make, modelFamily, variant, generation, modelKey, modelDisplay, years, drivetrain and raceClass. You see what is new before anything changes."
    >
      <LibraryUpload
        label="Car file"
        type=".csv"
        busyText={phase === 'reading' ? 'Reading the car file...' : null}
        disabled={phase !== 'idle'}
        isPrimary={preview === null}
        problem={problem}
        onFiles={(files) => void read(files)}
      />
      {preview && (
        <Preview
          preview={preview}
          isImporting={phase === 'importing'}
          onConfirm={() => void confirm(preview)}
          onCancel={cancel}
        />
      )}
      <div aria-live="polite" className={admin['outcome']}>
        {outcome && (
          <>
            <p>{describeCarImport(outcome)}</p>
            <Warnings
              sentences={outcome.problems.map((problem) => describeCarProblem('Car', problem))}
              noun="problem"
            />
          </>
        )}
      </div>
    </AdminCard>
  );
}

type PreviewProps = {
  preview: CarPreview;
  isImporting: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

function Preview({ preview, isImporting, onConfirm, onCancel }: PreviewProps) {
  const { summary, newCars, problems } = preview;
  const top = useRef<HTMLDListElement>(null);
  useEffect(() => {
    // What the file would change is the next thing to look at.
    top.current?.focus({ preventScroll: true });
    top.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <>
      <dl ref={top} tabIndex={-1} className={styles['summary']} aria-label="Preview">
        <Fact name="Total" value={summary.total} />
        <Fact name="New" value={summary.new} />
        <Fact name="Existing" value={summary.existing} />
        {summary.withProblems > 0 && <Fact name="With problems" value={summary.withProblems} />}
      </dl>
      <Warnings sentences={problems.map((problem) => describeCarProblem('Line', problem))} noun="problem" />
      {summary.new === 0 && (
        <p className={styles['nothing']}>
          No new cars found in this CSV. All cars already exist in the library.
        </p>
      )}
      <div className={admin['actions']}>
        {summary.new > 0 && (
          <Button variant="primary" pending={isImporting} onClick={onConfirm}>
            {isImporting ? 'Importing...' : 'Confirm Import'}
          </Button>
        )}
        <Button disabled={isImporting} onClick={onCancel}>
          {summary.new === 0 ? 'Close' : 'Cancel'}
        </Button>
      </div>
      {summary.new > 0 && <NewCars cars={newCars} />}
    </>
  );
}

function Fact({ name, value }: { name: string; value: number }) {
  return (
    <div className={styles['fact']}>
      <dt>{name}</dt>
      <dd>{formatCount(value)}</dd>
    </div>
  );
}

type CarImportState = {
  phase: 'idle' | 'reading' | 'importing';
  preview: CarPreview | null;
  outcome: CarImport | null;
  problem: string | null;
};

const EMPTY: CarImportState = { phase: 'idle', preview: null, outcome: null, problem: null };

function useCarImport() {
  const queryClient = useQueryClient();
  const [state, setState] = useState(EMPTY);

  function failReading(message: string): void {
    setState({ ...EMPTY, problem: message });
    showToast({ title: 'Upload Failed', description: message, destructive: true });
  }

  async function read(files: readonly File[]): Promise<void> {
    const file = validateLibraryFile(files, '.csv');
    if (typeof file === 'string') {
      failReading(file);
      return;
    }
    setState({ ...EMPTY, phase: 'reading' });
    try {
      const preview = await previewCars(file);
      setState({ ...EMPTY, preview });
      showToast({ title: 'CSV Parsed', description: describePreview(preview) });
    } catch (error) {
      failReading(describeError(error, 'The CSV file could not be read.'));
    }
  }

  async function confirm(preview: CarPreview): Promise<void> {
    setState({ ...EMPTY, preview, phase: 'importing' });
    try {
      const outcome = await importCars(preview.newCars);
      setState({ ...EMPTY, outcome });
      showToast({ title: 'Import Complete', description: `${pluralize(outcome.imported, 'car')} imported.` });
    } catch (error) {
      setState({ ...EMPTY, preview });
      const description = describeError(error, 'The cars could not be imported. Please try again.');
      showToast({ title: 'Import Failed', description, destructive: true });
    }
    // Some may have been added although the answer was lost.
    await refreshCarLibrary(queryClient);
  }

  return { ...state, read, confirm, cancel: () => setState(EMPTY) };
}

/** The first of the cars that an import would add. */
function NewCars({ cars }: { cars: readonly NewCar[] }) {
  const shown = cars.slice(0, SHOWN_CARS_MAX);
  return (
    <div className={admin['captioned']}>
      <p className={admin['caption']}>
        {shown.length < cars.length
          ? `The first ${shown.length} of ${pluralize(cars.length, 'new car')}`
          : pluralize(cars.length, 'new car')}
      </p>
      <div className={table['frame']}>
        <table className={table['table']}>
          <caption className="visually-hidden">New cars</caption>
          <thead>
            <tr>
              <th scope="col">Car</th>
              {['Variant', 'Generation', 'Years', 'Drivetrain', 'Race Class'].map((name) => (
                <th key={name} scope="col" className={table['wide']}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((car, index) => (
              <CarRow key={car.modelKey ?? index} car={car} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function CarRow({ car }: { car: NewCar }) {
  const facts = [car.variant, car.generation, car.years, car.drivetrain, car.raceClass];
  return (
    <tr>
      <th scope="row">
        {car.make} {car.modelFamily}
        <span className={table['under']}>{facts.filter(Boolean).join(' · ')}</span>
      </th>
      <td className={table['wide']}>{car.variant}</td>
      <td className={table['wide']}>{car.generation}</td>
      <td className={table['wide']}>{car.years ?? '—'}</td>
      <td className={table['wide']}>{car.drivetrain ?? '—'}</td>
      <td className={table['wide']}>{car.raceClass ?? '—'}</td>
    </tr>
  );
}

/** How many new cars the preview shows. */
const SHOWN_CARS_MAX = 50;

/** A file of cars in one sentence. */
export function describePreview({ summary }: CarPreview): string {
  return `${pluralize(summary.total, 'car')}: ${pluralize(summary.new, 'new car')}, ${formatCount(summary.existing)} existing.`;
}

/** An import of cars in a sentence or two. */
export function describeCarImport({ imported, existing, problems }: CarImport): string {
  const sentences = [`${pluralize(imported, 'car')} added to the library.`];
  if (existing > 0) sentences.push(`${pluralize(existing, 'car')} already there.`);
  if (problems.length > 0) sentences.push(`${pluralize(problems.length, 'problem')}.`);
  return sentences.join(' ');
}

/** A row that cannot be imported, by its line in the file or its number in the import. */
export function describeCarProblem(unit: 'Line' | 'Car', { line, field, message }: CarProblem): string {
  return `${unit} ${formatCount(line)}${field ? `, ${field}` : ''}: ${message}`;
}
