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
import { Button } from './button.tsx';
import styles from './confirm-dialog.module.css';
import { focusInDialog } from './modals.ts';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { showToast } from './toasts.ts';

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  /** The label of the button that does it. */
  confirmText: string;
  /** Has to be typed first, where pressing a button is not enough. */
  word?: string;
  /** What will happen, in sentences. */
  children: ReactNode;
  /** Takes the focus where the button that opened the dialog is gone afterwards. */
  focusAfter?: RefObject<HTMLElement | null>;
  /** Does it; throws on failure. */
  onConfirm: () => Promise<void>;
  /** After it was done or cancelled. */
  onClose: () => void;
};

/** Asks before something that cannot be undone. After a failure the dialog stays open and says why. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, confirmText, word, children } = props;
  const formId = useId();
  const { typed, setTyped, typedProblem, isRunning, failure, submit, close } = useConfirming(props);
  return (
    <Dialog
      open={open}
      onClose={close}
      title={title}
      footer={
        <>
          <Button ref={word === undefined ? focusInDialog : null} onClick={close}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="destructive" pending={isRunning}>
            {confirmText}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className={styles['form']} onSubmit={submit}>
        {children}
        {word !== undefined && (
          <TextField
            ref={focusInDialog}
            label={`Type ${word} to confirm`}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            value={typed}
            error={typedProblem}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {failure !== undefined && (
          <p role="alert" className={styles['failure']}>
            {failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}

type Outcome = { isRunning?: boolean; failure?: string; typedProblem?: string };

function useConfirming({ open, word, title, focusAfter, onConfirm, onClose }: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const [outcome, setOutcome] = useState<Outcome>({});
  const isOpen = useRef(open);
  useEffect(() => {
    // The dialog has returned the focus by now, unless the element that had it is gone.
    if (isOpen.current && !open && document.activeElement === document.body) focusAfter?.current?.focus();
    isOpen.current = open;
  }, [open, focusAfter]);

  function close(): void {
    setTyped('');
    setOutcome(({ isRunning = false }) => ({ isRunning }));
    onClose();
  }

  async function confirm(): Promise<void> {
    setOutcome({ isRunning: true });
    try {
      await onConfirm();
      setOutcome({});
      close();
    } catch (error) {
      const failure = describeError(error);
      setOutcome(isOpen.current ? { failure } : {});
      // The dialog was closed meanwhile and would not show it.
      if (!isOpen.current) showToast({ title, description: failure, destructive: true });
    }
  }

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (outcome.isRunning) return;
    if (word !== undefined && typed.trim() !== word) setOutcome({ typedProblem: `Please type ${word}.` });
    else void confirm();
  }

  const { isRunning = false, failure, typedProblem } = outcome;
  return { typed, setTyped, submit, close, isRunning, failure, typedProblem };
}
