import { useQuery } from '@tanstack/react-query';
import { useId, type SyntheticEvent } from 'react';
import type { SessionId } from '#contract/ids.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormFooter } from '#web/ui/form-footer.tsx';
import { Failure, QueryState } from '#web/ui/state-message.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { readSessionForm } from './read-session-form.ts';
import { SessionFields } from './session-fields.tsx';
import common from '#web/ui/common.module.css';
import { Form } from '#web/ui/form.tsx';
import { ownSessionQuery } from './session-queries.ts';

/** Corrects an own session: car, tyres, video, who may see its lines, and which laps count. */
export function EditSession({ sessionId, onClose }: { sessionId: SessionId; onClose: () => void }) {
  const formId = useId();
  const stored = useQuery(ownSessionQuery(sessionId));
  const session = stored.data;
  const { run, isBusy, fields, sentence } = useCall('PATCH /api/sessions/:id', {
    success: { title: 'Session Updated', description: 'The board shows your changes.' },
    onDone: onClose,
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!session) return;
    const body = readSessionForm(new FormData(event.currentTarget), session);
    if (Object.keys(body).length > 0) void run({ params: { id: session.id }, body });
    else onClose();
  }

  // If only the video has a problem, its field shows it.
  const isSaid = Object.keys(fields).join() === 'videoUrl';
  return (
    <Dialog
      title="Edit Session"
      onClose={onClose}
      footer={
        <FormFooter formId={formId} isBusy={isBusy} onCancel={onClose}>
          Save Changes
        </FormFooter>
      }
    >
      <QueryState noun="session" query={stored} />
      {session && (
        <Form id={formId} className={common['stack']} onSubmit={submit}>
          <SessionFields session={session} problems={fields} />
          <Failure>{isSaid ? null : sentence}</Failure>
        </Form>
      )}
    </Dialog>
  );
}
