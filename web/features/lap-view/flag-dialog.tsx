import { useId, type SyntheticEvent } from 'react';
import { FLAG_LABELS, FLAG_LIMITS, FLAG_REASONS } from '#contract/moderation/labels.ts';
import type { LapView } from '#contract/lap-view/schemas.ts';
import type { Send } from '#web/api/refresh.ts';
import common from '#web/ui/common.module.css';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormFooter } from '#web/ui/form-footer.tsx';
import { SelectField, TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { useCalls } from '#web/ui/use-call.ts';

const WORDS = {
  flag: {
    title: 'Flag this lap',
    lead: 'A moderator will look at it. The lap goes on ranking until then. Its driver sees what you write, but not who wrote it.',
    label: 'What makes you doubt it?',
    send: 'Flag Lap',
    done: 'Lap Flagged',
  },
  appeal: {
    title: 'Appeal',
    lead: 'A moderator who has not decided on this lap yet will look at it. You can appeal once.',
    label: 'Why should the lap count?',
    send: 'Send Appeal',
    done: 'Appeal Sent',
  },
  answer: {
    title: 'Answer',
    lead: 'The moderator who asked sees your answer, and so do the others who decide.',
    label: 'Your answer',
    send: 'Send Answer',
    done: 'Answer Sent',
  },
  official: {
    title: 'Confirm as official',
    lead: 'For a lap time that a timekeeper has published. Everybody sees what you write here, and the audit log keeps who confirmed it.',
    label: 'Where is the result published?',
    send: 'Confirm Lap',
    done: 'Lap Confirmed',
  },
} as const;

type FlagDialogProps = { lap: LapView; kind: keyof typeof WORDS; onClose: () => void };

/** Asks for the one sentence that a flag, an appeal, an answer or a confirmation needs. */
export function FlagDialog(props: FlagDialogProps) {
  const { kind, onClose } = props;
  const words = WORDS[kind];
  const formId = useId();
  const { run, isBusy, fields, sentence } = useCalls(
    (send, form: FormData) => sendSentence(send, props, form),
    { success: { title: words.done }, onDone: onClose },
  );
  // Each call has one field, under a name of its own.
  const problem = Object.values(fields)[0] ?? sentence ?? undefined;

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    void run(new FormData(event.currentTarget));
  }

  return (
    <Dialog
      onClose={onClose}
      title={words.title}
      footer={
        <FormFooter formId={formId} isBusy={isBusy} onCancel={onClose}>
          {words.send}
        </FormFooter>
      }
    >
      <Form id={formId} className={common['stack']} onSubmit={submit}>
        <p className={common['note']}>{words.lead}</p>
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
      </Form>
    </Dialog>
  );
}

async function sendSentence(
  send: Send,
  { lap: { trackId, lapId }, kind }: FlagDialogProps,
  form: FormData,
): Promise<void> {
  const params = { trackId, lapId };
  const sentence = readText(form, 'sentence');
  if (kind === 'appeal') {
    await send('POST /api/tracks/:trackId/laps/:lapId/appeal', { params, body: { sentence } });
    return;
  }
  if (kind === 'answer') {
    await send('POST /api/tracks/:trackId/laps/:lapId/answer', { params, body: { answer: sentence } });
    return;
  }
  if (kind === 'official') {
    const call = 'PUT /api/admin/tracks/:trackId/laps/:lapId/official';
    await send(call, { params, body: { source: sentence } });
    return;
  }
  const chosen = readText(form, 'reason');
  const reason = FLAG_REASONS.find((known) => known === chosen) ?? 'other';
  await send('POST /api/tracks/:trackId/laps/:lapId/flags', { params, body: { reason, sentence } });
}

function readText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
