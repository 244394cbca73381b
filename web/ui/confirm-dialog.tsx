import {
  useEffect,
  useId,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react';
import type { Send } from '#web/api/refresh.ts';
import { Button } from './button.tsx';
import { Failure } from './state-message.tsx';
import common from './common.module.css';
import { Dialog } from './dialog.tsx';
import { TextField } from './field.tsx';
import { Form } from './form.tsx';
import { focusInDialog } from './modals.ts';
import { showToast, type Toast } from './toasts.ts';
import { useCalls } from './use-call.ts';
import { useFocusAfter } from './use-focus-after.ts';

type ConfirmDialogProps<Result> = {
  title: string;
  confirmText: string;
  /** The word to type before the action, for actions that need more than a button. */
  word?: string;
  /** Sentences about the effects of the action. */
  children: ReactNode;
  /** Takes the focus where the button that opened the dialog is gone afterwards. */
  focusAfter?: RefObject<HTMLElement | null>;
  onConfirm: (send: Send) => Promise<Result>;
  success?: Toast | ((result: Result) => Toast);
  /** Does what follows a success, once the dialog is closed. */
  onDone?: (result: Result) => void;
  /** Closes the dialog, after it was done or cancelled. */
  onClose: () => void;
};

/** Asks before something that cannot be undone. After a failure the dialog stays open and says why. */
export function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>) {
  const { title, confirmText, word, children, focusAfter, onClose } = props;
  const formId = useId();
  useFocusAfter(focusAfter);
  const { typed, setTyped, typedProblem, submit, isBusy, sentence } = useConfirming(props);
  return (
    <Dialog
      closesOutside={word === undefined}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button ref={word === undefined ? focusInDialog : null} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} variant="destructive" pending={isBusy}>
            {confirmText}
          </Button>
        </>
      }
    >
      <Form id={formId} className={common['stack']} onSubmit={submit}>
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
        <Failure>{sentence}</Failure>
      </Form>
    </Dialog>
  );
}

function useConfirming<Result>(props: ConfirmDialogProps<Result>) {
  const { title, word, onConfirm, success, onDone, onClose } = props;
  const [typed, setTyped] = useState('');
  const [typedProblem, setTypedProblem] = useState<string>();
  const isShown = useIsShown();
  const { run, ...state } = useCalls(onConfirm, {
    ...(success && { success }),
    onDone: (result) => {
      if (isShown.current) onClose();
      onDone?.(result);
    },
    onFailed: ({ sentence: description }) => {
      if (!isShown.current) showToast({ title, description, destructive: true });
    },
  });

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    const isWrong = word !== undefined && typed.trim() !== word;
    setTypedProblem(isWrong ? `Please type ${word}.` : undefined);
    if (!isWrong) void run();
  }

  return { ...state, typed, setTyped, typedProblem, submit };
}

/** Keeps true while the component is on the page: a dialog may be closed before its call is answered. */
function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
