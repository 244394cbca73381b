import { useId, type SyntheticEvent } from 'react';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { FormFooter } from '#web/ui/form-footer.tsx';
import { focusInDialog } from '#web/ui/modals.ts';
import { readField } from '#web/ui/read-field.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { RUN_LIMITS } from '#contract/race-events/labels.ts';
import common from '#web/ui/common.module.css';
import type { EventView } from './event-view.ts';
import type { Step } from './step-event.ts';

type StepDialogProps = { view: EventView; step: Step; onClose: () => void };

/** Says what a step of an event does, and makes it. A step back needs a reason. */
export function StepDialog({ view: { eventId }, step, onClose }: StepDialogProps) {
  const { state, action, title, effect, needsReason } = step;
  const formId = useId();
  const { run, refuse, isBusy, fields, problem } = useCall('POST /api/events/:eventId/state', {
    onDone: onClose,
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const reason = readField(event.currentTarget, 'reason').trim();
    if (needsReason && reason === '') refuse(null, { reason: 'Say why.' });
    else void run({ params: { eventId }, body: { state, ...(needsReason && { reason }) } });
  }

  return (
    <Dialog
      width="form"
      title={title}
      onClose={onClose}
      footer={
        <FormFooter formId={formId} isBusy={isBusy} onCancel={onClose}>
          {action}
        </FormFooter>
      }
    >
      <Form id={formId} className={common['list']} onSubmit={submit}>
        <p className={common['lead']}>{effect}</p>
        {needsReason && (
          <TextField
            ref={focusInDialog}
            label="Reason"
            name="reason"
            autoComplete="off"
            maxLength={RUN_LIMITS.reasonCharactersMax}
            hint="The audit log keeps it."
            error={fields['reason']}
          />
        )}
        <Failure>{problem}</Failure>
      </Form>
    </Dialog>
  );
}
