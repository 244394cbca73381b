import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SyntheticEvent } from 'react';
import { ApiError, describeError } from '#web/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FailedState, LoadingState } from '#web/ui/state-message.tsx';
import { showToast } from '#web/ui/toasts.ts';
import { readSessionForm } from './read-session-form.ts';
import { SessionFields } from './session-fields.tsx';
import styles from './edit-session.module.css';
import { changeSession, ownSessionQuery, type OwnSession } from './session-queries.ts';

type EditSessionProps = {
  /** Null while no session is being edited. */
  sessionId: string | null;
  onClose: () => void;
};

/** Corrects an own session: car, tyres, video, who may see its lines, and which laps count. */
export function EditSession({ sessionId, onClose }: EditSessionProps) {
  const formId = useId();
  const saving = useSaving(onClose);
  return (
    <Dialog
      open={sessionId !== null}
      title="Edit Session"
      onClose={saving.close}
      footer={
        <>
          <Button onClick={saving.close}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={saving.isSaving}>
            Save Changes
          </Button>
        </>
      }
    >
      {sessionId !== null && <SessionForm formId={formId} sessionId={sessionId} saving={saving} />}
    </Dialog>
  );
}

type SessionFormProps = { formId: string; sessionId: string; saving: ReturnType<typeof useSaving> };

function SessionForm({ formId, sessionId, saving }: SessionFormProps) {
  const { data: session, isError, refetch } = useQuery(ownSessionQuery(sessionId));
  if (isError) return <FailedState title="The session could not be loaded." onRetry={() => void refetch()} />;
  if (!session) return <LoadingState>Loading session...</LoadingState>;

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (session) void saving.save(new FormData(event.currentTarget), session);
  }

  return (
    <form id={formId} noValidate className={styles['form']} onSubmit={submit}>
      <SessionFields session={session} problems={saving.problems} />
      {saving.failure !== undefined && (
        <p role="alert" className={styles['failure']}>
          {saving.failure}
        </p>
      )}
    </form>
  );
}

type Outcome = { isSaving: boolean; failure?: string; problems?: Record<string, string> };

function useSaving(onClose: () => void) {
  const queryClient = useQueryClient();
  const [{ isSaving, failure, problems = {} }, setOutcome] = useState<Outcome>({ isSaving: false });

  function close(): void {
    setOutcome({ isSaving: false });
    onClose();
  }

  async function save(form: FormData, session: OwnSession): Promise<void> {
    if (isSaving) return;
    const change = readSessionForm(form, session);
    setOutcome({ isSaving: true });
    try {
      if (Object.keys(change).length > 0) {
        await changeSession(session.id, change, queryClient);
        showToast({ title: 'Session Updated', description: 'The board shows your changes.' });
      }
      close();
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      // What belongs to a field is said there.
      const { videoUrl, ...others } = fields;
      const isSaid = videoUrl !== undefined && Object.keys(others).length === 0;
      setOutcome({ isSaving: false, problems: fields, ...(!isSaid && { failure: describeError(error) }) });
    }
  }

  return { isSaving, failure, problems, save, close };
}
