import { useEffect, useRef, useState } from 'react';
import type { CarPreview, CarProblem, NewCar } from '#contract/library/schemas.ts';
import { Button } from '#web/ui/button.tsx';
import { formatCount, pluralize } from '#web/ui/format.ts';
import table from '#web/ui/table.module.css';
import { Headings, Table } from '#web/ui/table.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { useCall } from '#web/ui/use-call.ts';
import { AdminCard, Warnings } from '#web/ui/admin-card.tsx';
import { formWithFile, type CarImport } from './import-queries.ts';
import admin from '#web/ui/admin.module.css';
import common from '#web/ui/common.module.css';
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
        onFiles={read}
      />
      {preview && (
        <Preview
          preview={preview}
          isImporting={phase === 'importing'}
          onConfirm={() => confirm(preview)}
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
    // The user reads the preview of the import next.
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
        <p className={common['muted']}>
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

function useCarImport() {
  const [preview, setPreview] = useState<CarPreview | null>(null);
  const reading = useCall('POST /api/admin/car-library/upload-preview', {
    success: (read) => ({ title: 'CSV Parsed', description: describePreview(read) }),
    failure: 'Upload Failed',
    fallback: 'The CSV file could not be read.',
    onDone: setPreview,
  });
  const importing = useCall('POST /api/admin/car-library/import', {
    success: ({ imported }) => ({
      title: 'Import Complete',
      description: `${pluralize(imported, 'car')} imported.`,
    }),
    failure: 'Import Failed',
    fallback: 'The cars could not be imported. Please try again.',
    onDone: () => setPreview(null),
    // The server may have added some cars although the answer was lost.
    refreshesAfterFailure: true,
  });

  function read(files: readonly File[]): void {
    setPreview(null);
    importing.refuse(null);
    const file = validateLibraryFile(files, '.csv');
    if (typeof file !== 'string') {
      void reading.run({ form: formWithFile(file) });
      return;
    }
    reading.refuse(file);
    showToast({ title: 'Upload Failed', description: file, destructive: true });
  }

  return {
    preview,
    outcome: importing.result,
    phase: reading.isBusy
      ? ('reading' as const)
      : importing.isBusy
        ? ('importing' as const)
        : ('idle' as const),
    problem: reading.sentence,
    read,
    confirm: ({ newCars }: CarPreview) => void importing.run({ body: { cars: newCars } }),
    cancel: () => setPreview(null),
  };
}

const CAR_COLUMNS = {
  Car: '',
  Variant: 'wide',
  Generation: 'wide',
  Years: 'wide',
  Drivetrain: 'wide',
  'Race Class': 'wide',
} as const;

/** Shows the first of the cars that an import would add. */
function NewCars({ cars }: { cars: readonly NewCar[] }) {
  const shown = cars.slice(0, SHOWN_CARS_MAX);
  return (
    <div className={common['lines']}>
      <p className={common['note']}>
        {shown.length < cars.length
          ? `The first ${shown.length} of ${pluralize(cars.length, 'new car')}`
          : pluralize(cars.length, 'new car')}
      </p>
      <Table caption="New cars" head={<Headings columns={CAR_COLUMNS} />}>
        {shown.map((car) => (
          <CarRow key={car.modelKey} car={car} />
        ))}
      </Table>
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

const SHOWN_CARS_MAX = 50;

export function describePreview({ summary }: CarPreview): string {
  return `${pluralize(summary.total, 'car')}: ${pluralize(summary.new, 'new car')}, ${formatCount(summary.existing)} existing.`;
}

export function describeCarImport({ imported, existing, problems }: CarImport): string {
  const sentences = [`${pluralize(imported, 'car')} added to the library.`];
  if (existing > 0) sentences.push(`${pluralize(existing, 'car')} already there.`);
  if (problems.length > 0) sentences.push(`${pluralize(problems.length, 'problem')}.`);
  return sentences.join(' ');
}

/** Describes a row that cannot be imported, by its line in the file or its number in the import. */
export function describeCarProblem(unit: 'Line' | 'Car', { line, field, message }: CarProblem): string {
  return `${unit} ${formatCount(line)}${field ? `, ${field}` : ''}: ${message}`;
}
