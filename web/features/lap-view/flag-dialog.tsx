import { useQueryClient } from '@tanstack/react-query';
import { useId, useState, type SyntheticEvent } from 'react';
import { FLAG_LABELS, FLAG_LIMITS, FLAG_REASONS } from '#contract/flag-labels.ts';
import type { LapView } from '#contract/lap-view.ts';
import { ApiError, describeError } from '#web/api/api-error.ts';
import { callApi } from '#web/api/call-api.ts';
import { refresh } from '#web/api/refresh.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { showToast } from '#web/ui/toasts.ts';
import styles from './lap-flags.module.css';

type FlagDialogProps = { lap: LapView; kind: 'flag' | 'appeal'; onClose: () => void };

const WORDS = {
  flag: {
    title: 'Flag this lap',
    lead: 'An administrator will look at it. The lap goes on ranking until then. Its driver sees what you write, but not who wrote it.',
    label: 'What makes you doubt it?',
    send: 'Flag Lap',
    done: 'Lap Flagged',
  },
  appeal: {
    title: 'Appeal',
    lead: 'Another administrator will look at the lap again. You can appeal once.',
    label: 'Why should the lap count?',
    send: 'Send Appeal',
    done: 'Appeal Sent',
  },
} as const;

/** Asks why a lap is doubted, or why it should count after all. */
export function FlagDialog({ lap, kind, onClose }: FlagDialogProps) {
  const words = WORDS[kind];
  const formId = useId();
  const queryClient = useQueryClient();
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function send(event: SyntheticEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const sentence = String(form.get('sentence'));
    const params = { trackId: lap.trackId, lapId: lap.lapId };
    setIsSending(true);
    try {
      if (kind === 'appeal') {
        await callApi('POST /api/tracks/:trackId/laps/:lapId/appeal', { params, body: { sentence } });
      } else {
        const reason = FLAG_REASONS.find((known) => known === form.get('reason')) ?? 'other';
        await callApi('POST /api/tracks/:trackId/laps/:lapId/flags', { params, body: { reason, sentence } });
      }
    } catch (error) {
      setIsSending(false);
      const field = error instanceof ApiError ? error.fields['sentence'] : undefined;
      setProblem(field ?? describeError(error));
      return;
    }
    onClose();
    showToast({ title: words.done });
    await refresh(['tracks'], queryClient);
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary" pending={isSending}>
            {words.send}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className={styles['form']} onSubmit={(event) => void send(event)}>
        <p className={styles['lead']}>{words.lead}</p>
        {kind === 'flag' && (
          <SelectField label="Reason" name="reason">
            {FLAG_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {FLAG_LABELS[reason]}
              </option>
            ))}
          </SelectField>
        )}
        <TextField
          label={words.label}
          name="sentence"
          autoComplete="off"
          maxLength={FLAG_LIMITS.sentenceCharactersMax}
          error={problem}
        />
      </form>
    </Dialog>
  );
}
