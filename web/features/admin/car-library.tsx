import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { formatCount } from '#web/ui/format-count.ts';
import { showToast } from '#web/ui/toasts.ts';
import { AdminCard } from './admin-card.tsx';
import { importCars, previewCars, refreshCarLibrary } from './admin-queries.ts';
import styles from './car-library.module.css';
import { describeCarImport, describePreview, type CarImport, type CarPreview } from './car-preview.ts';
import { counted } from './counted.ts';
import { takeLibraryFile } from './library-file.ts';
import { LibraryUpload } from './library-upload.tsx';
import { NewCars } from './new-cars.tsx';
import { Warnings } from './warnings.tsx';

/** Brings the cars of a CSV file into the library: first a preview, then, once confirmed, those that are new. */
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
      <div aria-live="polite" className={styles['outcome']}>
        {outcome && (
          <>
            <p>{describeCarImport(outcome)}</p>
            <Warnings sentences={outcome.problems} noun="problem" />
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
      <Warnings sentences={problems} noun="problem" />
      {summary.new === 0 && (
        <p className={styles['nothing']}>
          No new cars found in this CSV. All cars already exist in the library.
        </p>
      )}
      <div className={styles['actions']}>
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
    const file = takeLibraryFile(files, '.csv');
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
      failReading(sentenceOf(error, 'The CSV file could not be read.'));
    }
  }

  async function confirm(preview: CarPreview): Promise<void> {
    setState({ ...EMPTY, preview, phase: 'importing' });
    try {
      const outcome = await importCars(preview.newCars);
      setState({ ...EMPTY, outcome });
      showToast({ title: 'Import Complete', description: `${counted(outcome.imported, 'car')} imported.` });
    } catch (error) {
      setState({ ...EMPTY, preview });
      const description = sentenceOf(error, 'The cars could not be imported. Please try again.');
      showToast({ title: 'Import Failed', description, destructive: true });
    }
    // Some may have been added even where the answer got lost.
    await refreshCarLibrary(queryClient);
  }

  return { ...state, read, confirm, cancel: () => setState(EMPTY) };
}
