import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { FLAG_LIMITS } from '#contract/moderation/labels.ts';
import type { FlaggedLap } from '#contract/moderation/schemas.ts';
import { formatLapTime } from '#engine/lap-time.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { pluralize } from '#web/ui/format.ts';
import { Switch } from '#web/ui/switch.tsx';
import type { Deciding } from './decide-flagged-laps.ts';
import { suggestReasons } from './suggest-reasons.ts';
import styles from './moderation.module.css';

type VerdictsProps = { lap: FlaggedLap; others: readonly FlaggedLap[]; deciding: Deciding };

/** Keeps or rejects a lap, or asks its driver: three equal buttons, of which two ask for a sentence first. */
export function Verdicts({ lap, others, deciding }: VerdictsProps) {
  const [isWholeSession, setIsWholeSession] = useState(false);
  const [writing, setWriting] = useState<'reject' | 'ask' | null>(null);
  const buttons = useRef<HTMLElement>(null);
  const decidedLaps: [FlaggedLap, ...FlaggedLap[]] = isWholeSession ? [lap, ...others] : [lap];
  const isAsked = lap.questions.some(({ answer }) => answer === null);

  function stop(): void {
    setWriting(null);
    buttons.current?.focus();
  }

  async function send(sentence: string): Promise<void> {
    if (writing === 'reject') await deciding.decide(decidedLaps, 'reject', sentence);
    else if (await deciding.ask(lap, sentence)) stop();
  }

  return (
    <section ref={buttons} tabIndex={-1} aria-label="Decision" className={styles['verdicts']}>
      {others.length > 0 && (
        <Switch
          label={`Decide ${pluralize(others.length, 'other flagged lap')} of this session too`}
          hint={others.map(({ lapTimeMs }) => formatLapTime(lapTimeMs)).join(', ')}
          checked={isWholeSession}
          onChange={(event) => setIsWholeSession(event.currentTarget.checked)}
        />
      )}
      {writing === null ? (
        <VerdictButtons
          isAsked={isAsked}
          isBusy={deciding.isBusy}
          onKeep={() => void deciding.decide(decidedLaps, 'keep', null)}
          onWrite={setWriting}
        />
      ) : (
        <SentenceForm
          key={writing}
          lap={lap}
          kind={writing}
          isBusy={deciding.isBusy}
          onSend={(sentence) => void send(sentence)}
          onCancel={stop}
        />
      )}
      <p className={styles['hint']}>
        <span>Reject asks for the reason that the driver reads. Every decision can be undone.</span>
        <span>Own laps are for others to decide.</span>
      </p>
    </section>
  );
}

type VerdictButtonsProps = {
  isAsked: boolean;
  isBusy: boolean;
  onKeep: () => void;
  onWrite: (kind: keyof typeof WORDS) => void;
};

function VerdictButtons({ isAsked, isBusy, onKeep, onWrite }: VerdictButtonsProps) {
  return (
    <div className={styles['buttons']} data-count={isAsked ? 2 : 3}>
      <Button size="large" pending={isBusy} onClick={onKeep}>
        Keep
      </Button>
      {!isAsked && (
        <Button size="large" onClick={() => onWrite('ask')}>
          Ask the driver
        </Button>
      )}
      <Button size="large" onClick={() => onWrite('reject')}>
        Reject
      </Button>
    </div>
  );
}

const WORDS = {
  reject: {
    label: 'Reason, for the driver',
    demand: 'Its driver gets the reason: please write',
    send: 'Reject',
  },
  ask: { label: 'Question, for the driver', demand: 'Write the question:', send: 'Ask the driver' },
};

type SentenceFormProps = {
  lap: FlaggedLap;
  kind: keyof typeof WORDS;
  isBusy: boolean;
  onSend: (sentence: string) => void;
  onCancel: () => void;
};

function SentenceForm({ lap, kind, isBusy, onSend, onCancel }: SentenceFormProps) {
  const [sentence, setSentence] = useState('');
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { label, demand, send } = WORDS[kind];

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const isLongEnough = sentence.trim().length >= FLAG_LIMITS.sentenceCharactersMin;
    setProblem(
      isLongEnough ? undefined : `${demand} at least ${FLAG_LIMITS.sentenceCharactersMin} characters.`,
    );
    if (isLongEnough) onSend(sentence.trim());
  }

  function suggest(reason: string): void {
    setSentence(reason);
    field.current?.focus();
  }

  return (
    <Form className={styles['sentence']} onSubmit={submit}>
      {kind === 'reject' && <UsualReasons lap={lap} onChoose={suggest} />}
      <TextField
        ref={field}
        label={label}
        name="sentence"
        autoComplete="off"
        maxLength={FLAG_LIMITS.sentenceCharactersMax}
        value={sentence}
        onChange={(event) => setSentence(event.currentTarget.value)}
        error={problem}
      />
      <div className={styles['buttons']} data-count={2}>
        <Button size="large" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size="large" pending={isBusy}>
          {send}
        </Button>
      </div>
    </Form>
  );
}

function UsualReasons({ lap, onChoose }: { lap: FlaggedLap; onChoose: (reason: string) => void }) {
  return (
    <fieldset className={styles['suggestions']}>
      <legend className="visually-hidden">Usual reasons</legend>
      {suggestReasons(lap).map((reason) => (
        <Button key={reason} size="small" onClick={() => onChoose(reason)}>
          {reason}
        </Button>
      ))}
    </fieldset>
  );
}
