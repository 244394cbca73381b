import { useId, type ReactNode, type RefObject, type SyntheticEvent } from 'react';
import type { Send } from '#web/api/refresh.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormFooter } from '#web/ui/form-footer.tsx';
import type { Toast } from '#web/ui/toasts.ts';
import { useCalls } from '#web/ui/use-call.ts';
import { useFocusAfter } from '#web/ui/use-focus-after.ts';
import { Failure } from '#web/ui/state-message.tsx';
import styles from '#web/ui/admin.module.css';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';

type MergeDialogProps<Result> = {
  title: string;
  /** The message if no candidate was chosen. */
  chooseFirst: string;
  /** Takes the focus once the element that opened the dialog is gone. */
  focusAfter: RefObject<HTMLElement | null>;
  onClose: () => void;
  /** Merges into what was chosen. */
  onMerge: (send: Send, intoId: string) => Promise<Result>;
  success: (result: Result) => Toast;
  /** The explanation of the effects, and a `MergeChoice` for each candidate. */
  children: ReactNode;
};

/** Asks which entry of the library replaces a proposed one. After a failure the dialog stays open and says why. */
export function MergeDialog<Result>({ title, children, onClose, ...props }: MergeDialogProps<Result>) {
  const { chooseFirst, focusAfter, onMerge, success } = props;
  const formId = useId();
  useFocusAfter(focusAfter);
  const { run, refuse, isBusy, sentence } = useCalls(onMerge, { success, onDone: onClose });

  function merge(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const intoId = new FormData(event.currentTarget).get(CHOICE);
    if (typeof intoId === 'string') void run(intoId);
    else refuse(chooseFirst);
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <FormFooter formId={formId} isBusy={isBusy} onCancel={onClose} variant="destructive">
          Merge
        </FormFooter>
      }
    >
      <Form id={formId} className={common['list']} onSubmit={merge}>
        {children}
        <Failure>{sentence}</Failure>
      </Form>
    </Dialog>
  );
}

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
