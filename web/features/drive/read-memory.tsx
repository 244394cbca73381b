import Database from 'lucide-react/icons/database';
import { useEffect, useRef, useState } from 'react';
import type { DownloadProgress } from '#engine/receivers/download-progress.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { formatCount, formatDuration, formatMegabytes } from '#web/ui/format.ts';
import { Progress } from '#web/ui/progress.tsx';
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts';
import type { ReceiverMemory, StoredItem } from './receivers/memory-types.ts';
import { ReceiverError } from './receivers/receiver.ts';
import styles from './before.module.css';

type ReadMemoryProps = {
  open: () => Promise<ReceiverMemory | null>;
  isSupported: boolean;
  onFiles: (files: readonly File[]) => Promise<void>;
};

const SUPPORTED =
  'Read what a RaceBox Mini S or Micro, or a DovesDataLogger has recorded by itself. Nothing is erased.';
const UNSUPPORTED = 'This browser has no Web Bluetooth. Chrome and Edge have it, on Android and on desktops.';

const NO_ANSWER = 'The receiver does not answer. Go closer, switch it on, and try again.';

// Neither RaceBox nor DovesDataLogger can be asked for a part of what they hold.
const KEEP_OPEN =
  'Keep this page open. A receiver can send its memory from the beginning only: a page that was closed downloads all of it again.';

/** Offers to read what a receiver has recorded by itself. */
export function ReadMemory({ open, isSupported, onFiles }: ReadMemoryProps) {
  const [memory, setMemory] = useState<ReceiverMemory | null>(null);
  const { isBusy, problem, attempt } = useAttempt();
  return (
    <section>
      <h2 className={styles['caption']}>Driven already?</h2>
      <Card className={styles['card']}>
        <div className={styles['top']}>
          <Database size={24} aria-hidden="true" />
          <div>
            <h3>Memory of a receiver</h3>
            <p className={styles['explained']}>{isSupported ? SUPPORTED : UNSUPPORTED}</p>
          </div>
          {isSupported && (
            <Button
              pending={isBusy}
              aria-label="Read the memory of a receiver"
              onClick={() => void attempt(async () => setMemory(await open()))}
            >
              Read
            </Button>
          )}
        </div>
        <Problem sentence={problem} />
      </Card>
      {memory !== null && (
        <MemoryDialog
          memory={memory}
          onFiles={onFiles}
          onClose={() => {
            memory.close();
            setMemory(null);
          }}
        />
      )}
    </section>
  );
}

function Problem({ sentence }: { sentence: string }) {
  return (
    <p role="alert" className={styles['problem']} hidden={sentence === ''}>
      {sentence}
    </p>
  );
}

/** Runs something with a receiver, and keeps the sentence where it fails. */
function useAttempt() {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState('');
  async function attempt(work: () => Promise<void>): Promise<void> {
    setIsBusy(true);
    setProblem('');
    try {
      await work();
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      setProblem(error instanceof ReceiverError ? error.message : NO_ANSWER);
      if (!(error instanceof ReceiverError)) throw error;
    } finally {
      setIsBusy(false);
    }
  }
  return { isBusy, problem, setProblem, attempt };
}

type MemoryDialogProps = Pick<ReadMemoryProps, 'onFiles'> & { memory: ReceiverMemory; onClose: () => void };

function MemoryDialog({ memory, onFiles, onClose }: MemoryDialogProps) {
  // Known once the memory was asked for its list.
  const [isLocked, setIsLocked] = useState(false);
  return (
    <Dialog title={memory.name} width="form" onClose={onClose}>
      {isLocked ? (
        <Unlock memory={memory} onUnlocked={() => setIsLocked(false)} />
      ) : (
        <Items memory={memory} onFiles={onFiles} onLocked={() => setIsLocked(true)} />
      )}
    </Dialog>
  );
}

function Unlock({ memory, onUnlocked }: { memory: ReceiverMemory; onUnlocked: () => void }) {
  const [code, setCode] = useState('');
  const { isBusy, problem, setProblem, attempt } = useAttempt();
  const unlock = () =>
    attempt(async () => {
      if (await memory.unlock(Number(code))) onUnlocked();
      else setProblem('This code is wrong.');
    });
  return (
    <div className={styles['download']}>
      <TextField
        label="Code of the memory"
        hint="Its owner has set it in the receiver’s own app."
        inputMode="numeric"
        value={code}
        error={problem === '' ? undefined : problem}
        onChange={({ target }) => setCode(target.value.replaceAll(/\D/g, ''))}
      />
      <Button variant="primary" pending={isBusy} disabled={code === ''} onClick={() => void unlock()}>
        Unlock
      </Button>
    </div>
  );
}

type ItemsProps = Pick<MemoryDialogProps, 'memory' | 'onFiles'> & { onLocked: () => void };

function Items(props: ItemsProps) {
  const { items, running, problem, download } = useStoredItems(props);
  return (
    <>
      {items === null && problem === '' && <p className={styles['explained']}>Reading the list…</p>}
      {items?.length === 0 && <p className={styles['explained']}>Its memory is empty.</p>}
      <ul className={styles['rows']}>
        {items?.map((item) => (
          <li key={item.name} className={styles['row']}>
            <span>
              <b>{item.name}</b>
              <span className={styles['second']}>{describeItem(item)}</span>
            </span>
            <Button
              size="small"
              disabled={running !== null}
              aria-label={`Download ${item.name}`}
              onClick={() => void download(item)}
            >
              Download
            </Button>
          </li>
        ))}
      </ul>
      {running !== null && <Running {...running} />}
      <Problem sentence={problem} />
    </>
  );
}

/** Reads the list of a memory, and downloads what is asked for, until the dialog closes. */
function useStoredItems({ memory, onFiles, onLocked }: ItemsProps) {
  const [items, setItems] = useState<readonly StoredItem[] | null>(null);
  const [running, setRunning] = useState<RunningDownload | null>(null);
  const { problem, attempt } = useAttempt();
  useUnsavedChangesGuard(running !== null);
  const stop = useRef(new AbortController());
  useEffect(() => {
    void attempt(async () => {
      const found = await memory.list();
      if (memory.isLocked()) onLocked();
      else setItems(found);
    });
    const { current } = stop;
    return () => current.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- The list is read once for each memory.
  }, [memory]);

  const download = (item: StoredItem) =>
    attempt(async () => {
      setRunning({ name: item.name, progress: null, isLost: false });
      try {
        const files = await memory.download(item, {
          signal: stop.current.signal,
          onProgress: (progress) => setRunning({ name: item.name, progress, isLost: false }),
          onBreak: () => setRunning((before) => before && { ...before, isLost: true }),
        });
        await onFiles(files.map(({ name, bytes }) => new File([bytes], name)));
      } finally {
        setRunning(null);
      }
    });

  return { items, running, problem, download };
}

type RunningDownload = {
  name: string;
  progress: DownloadProgress | null;
  /** True while the connection is being made again. */
  isLost: boolean;
};

function Running({ name, progress, isLost }: RunningDownload) {
  const total = progress?.total ?? null;
  return (
    <div className={styles['download']}>
      <Progress
        label={`Downloading ${name}`}
        share={total === null ? null : Math.min(1, (progress?.received ?? 0) / Math.max(1, total))}
      />
      <output className={styles['explained']}>
        {isLost && 'Connection lost, reconnecting…'}
        {!isLost && (progress === null ? 'Waiting for the receiver…' : describeRest(progress))}
      </output>
      <p className={styles['explained']}>{KEEP_OPEN}</p>
    </div>
  );
}

/** Describes a download: '12,300 of 90,000, 45 KB a second, 2 min 29 s left'. */
function describeRest({ received, total, bytesPerSecond, remainingSeconds }: DownloadProgress): string {
  return [
    total === null ? formatCount(received) : `${formatCount(received)} of ${formatCount(total)}`,
    bytesPerSecond === null ? null : `${formatCount(Math.round(bytesPerSecond / 1000))} KB a second`,
    remainingSeconds === null ? null : `${formatDuration(1000 * remainingSeconds)} left`,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

function describeItem({ records, bytes }: StoredItem): string {
  return [
    records === null ? null : `${formatCount(records)} positions`,
    bytes === null ? null : formatMegabytes(bytes),
  ]
    .filter((fact) => fact !== null)
    .join(', ');
}
