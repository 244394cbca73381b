import { useId, useState, type SyntheticEvent } from 'react';
import type { AskedAbout } from '#contract/sign-in/labels.ts';
import type { Answer } from '#web/api/call-api.ts';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { formatLapDate, pluralize } from '#web/ui/format.ts';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { readField } from '#web/ui/read-field.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { useCall } from '#web/ui/use-call.ts';
import styles from './account-data.module.css';

type Credentials = Answer<'GET /api/account/credentials'>;
type Ended = Answer<'PUT /api/account/password'>['ended'];
type ChangePasswordProps = { credentials: Credentials };

/** Something that still opens the account with the new password, unless the person ends it. */
type Question = { thing: AskedAbout; label: string; hint: string };

function listQuestions({ passkeys, linkableProvider }: Credentials): Question[] {
  const questions: Question[] = [];
  if (passkeys.length > 0) {
    const names = passkeys.map(({ name, createdAt }) => `${name} (added ${formatLapDate(createdAt)})`);
    const isOne = passkeys.length === 1;
    questions.push({
      thing: 'passkeys',
      label: isOne ? 'Remove my passkey' : 'Remove all my passkeys',
      hint: `${isOne ? 'It signs' : 'They sign'} you in without the password: ${names.join(', ')}.`,
    });
  }
  if (linkableProvider?.isLinked) {
    const { name } = linkableProvider;
    const hint = 'It signs you in without the password.';
    questions.push({ thing: 'linkedIdentities', label: `Unlink ${name}`, hint });
  }
  return questions;
}

function describePassword({ signInEmail, hasPassword }: Credentials): string {
  if (signInEmail === null) return 'You have no password here yet.';
  if (!hasPassword) return `The password of ${signInEmail} has ended. Set a new one.`;
  return `You sign in with ${signInEmail} and your password.`;
}

/** Says what has ended with the change of the password; null where there was nothing. */
function describeEnded({ apiTokens, recoveryCodes, linksMade }: Ended, hadPassword: boolean): string | null {
  const ended = [
    apiTokens > 0 && pluralize(apiTokens, 'API token'),
    recoveryCodes > 0 && pluralize(recoveryCodes, 'recovery code'),
    linksMade > 0 && `${pluralize(linksMade, 'link')} that you made for others`,
  ].filter((one) => one !== false);
  if (ended.length === 0) return null;
  return `Ended with ${hadPassword ? 'your old password' : 'the change'}: ${ended.join(', ')}. Make new ones where you need them.`;
}

/** Changes the password, or sets the first one. */
export function ChangePassword({ credentials }: ChangePasswordProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [ended, setEnded] = useState<string | null>(null);
  const close = () => setIsOpen(false);
  const title = credentials.hasPassword ? 'Change password' : 'Set a password';
  const finish = (answer: { ended: Ended }) => {
    setEnded(describeEnded(answer.ended, credentials.hasPassword));
    close();
  };

  return (
    <>
      <div className={styles['line']}>
        <p className={common['note']}>{describePassword(credentials)}</p>
        <Button onClick={() => setIsOpen(true)}>{title}</Button>
        {isOpen && (
          <Dialog onClose={close} title={title}>
            <PasswordForm credentials={credentials} title={title} onDone={finish} />
          </Dialog>
        )}
      </div>
      <output className={common['note']}>{ended}</output>
    </>
  );
}

type PasswordFormProps = ChangePasswordProps & {
  title: string;
  onDone: (answer: Answer<'PUT /api/account/password'>) => void;
};

function PasswordForm({ credentials, title, onDone }: PasswordFormProps) {
  const { signInEmail, hasPassword } = credentials;
  const formId = useId();
  const [alsoEnd, setAlsoEnd] = useState<readonly AskedAbout[]>([]);
  const { run, isBusy, fields, problem } = useCall('PUT /api/account/password', {
    success: { title: 'Password Changed', description: 'Your other devices are signed out.' },
    onDone,
  });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = event.currentTarget;
    const currentPassword = readField(form, 'currentPassword');
    const body = {
      newPassword: readField(form, 'newPassword'),
      alsoEnd: [...alsoEnd],
      ...(hasPassword && { currentPassword }),
    };
    void run({ body });
  }

  return (
    <Form id={formId} className={common['stack']} onSubmit={submit}>
      <Failure boxed>{problem}</Failure>
      {hasPassword && signInEmail !== null && (
        <>
          {/* Password managers need the account of the password. */}
          <input type="hidden" name="username" autoComplete="username" value={signInEmail} />
          <TextField
            label="Current password"
            type="password"
            name="currentPassword"
            autoComplete="current-password"
            required
            error={fields['currentPassword']}
          />
        </>
      )}
      <NewPasswordField label="New password" name="newPassword" error={fields['newPassword']} />
      <EndedHint />
      <Questions credentials={credentials} alsoEnd={alsoEnd} onChange={setAlsoEnd} />
      <Button type="submit" variant="primary" wide pending={isBusy}>
        {title}
      </Button>
    </Form>
  );
}

function EndedHint() {
  return (
    <p className={common['note']}>
      Your other devices are signed out, and your API tokens, recovery codes and the links that you made for
      others end.
    </p>
  );
}

type QuestionsProps = ChangePasswordProps & {
  alsoEnd: readonly AskedAbout[];
  onChange: (alsoEnd: readonly AskedAbout[]) => void;
};

/** Asks about what still opens the account with the new password. */
function Questions({ credentials, alsoEnd, onChange }: QuestionsProps) {
  const questions = listQuestions(credentials);
  if (questions.length === 0) return null;
  return (
    <>
      <p className={common['note']}>Are these all yours? If not, end them too.</p>
      {questions.map(({ thing, ...text }) => (
        <Switch
          key={thing}
          {...text}
          checked={alsoEnd.includes(thing)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...alsoEnd, thing] : alsoEnd.filter((one) => one !== thing))
          }
        />
      ))}
    </>
  );
}
