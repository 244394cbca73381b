import {
  useEffect,
  useId,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import { describeError } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import styles from './admin.module.css';

type MergeDialogProps = {
  open: boolean;
  title: string;
  /** Shown where nothing was chosen. */
  chooseFirst: string;
  /** Takes the focus once the element that opened the dialog is gone. */
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** Merges into what was chosen; throws on failure. */
  onMerge: (intoId: string) => Promise<void>;
  /** What will happen, and a `MergeChoice` for each candidate. */
  children: ReactNode;
};

/** Asks which entry of the library replaces a proposed one. After a failure the dialog stays open and says why. */
export function MergeDialog(props: MergeDialogProps) {
  const { open, title, children } = props;
  const formId = useId();
  const { isMerging, failure, merge, close } = useMerging(props);
  return (
    <Dialog
      open={open}
      title={title}
      onClose={close}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" form={formId} variant="destructive" pending={isMerging}>
            Merge
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className={styles['upload']} onSubmit={(event) => void merge(event)}>
        {children}
        {failure !== undefined && (
          <p role="alert" className={styles['problem']}>
            {failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** One of the entries that can stay. */
export function MergeChoice({ id, name, facts }: { id: string; name: string; facts: string }) {
  return (
    <label className={styles['choice']}>
      <input type="radio" name={CHOICE} value={id} />
      <span>
        {name}
        <span className={styles['facts']}>{facts}</span>
      </span>
    </label>
  );
}

const CHOICE = 'intoId';

type Outcome = { isMerging: boolean; failure?: string };

function useMerging({ open, chooseFirst, focusAfter, onClose, onMerge }: MergeDialogProps) {
  const [{ isMerging, failure }, setOutcome] = useState<Outcome>({ isMerging: false });

  const wasOpen = useRef(false);
  useEffect(() => {
    // The dialog has returned the focus by now, unless the element that had it is gone.
    if (wasOpen.current && !open && document.activeElement === document.body) focusAfter.current?.focus();
    wasOpen.current = open;
  }, [open, focusAfter]);

  function close(): void {
    setOutcome({ isMerging: false });
    onClose();
  }

  async function merge(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const intoId = new FormData(event.currentTarget).get(CHOICE);
    if (isMerging) return;
    if (typeof intoId !== 'string') {
      setOutcome({ isMerging, failure: chooseFirst });
      return;
    }
    setOutcome({ isMerging: true });
    try {
      await onMerge(intoId);
      close();
    } catch (error) {
      setOutcome({ isMerging: false, failure: describeError(error) });
    }
  }

  return { isMerging, failure, merge, close };
}
