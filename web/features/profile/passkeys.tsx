import { useState, type SyntheticEvent } from 'react';
import { callApi, type Answer } from '#web/api/call-api.ts';
import { createPasskey } from '#web/api/passkey.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { readField, useSubmit } from '#web/ui/use-submit.ts';
import styles from './account-data.module.css';

type Passkey = Answer<'GET /api/account/credentials'>['passkeys'][number];

type PasskeysProps = {
  passkeys: readonly Passkey[];
  isRecent: boolean;
  isBusy: boolean;
  run: (work: () => Promise<unknown>) => void;
  onChanged: () => Promise<void>;
};

/** The passkeys of the user: add, rename, remove. */
export function Passkeys({ passkeys, isRecent, isBusy, run, onChanged }: PasskeysProps) {
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);

  async function remove(): Promise<void> {
    if (!removed) return;
    await callApi('DELETE /api/account/passkeys/:passkeyId', { params: { passkeyId: removed.id } });
    await onChanged();
  }

  function finishRenaming(): void {
    setRenamed(null);
    void onChanged();
  }

  return (
    <>
      <div className={styles['line']}>
        <p className={styles['hint']}>
          A passkey signs you in with the fingerprint, face or PIN of your device, without a password.
        </p>
        <Button
          pending={isBusy}
          aria-disabled={!isRecent}
          onClick={() => run(() => createPasskey(`Passkey ${passkeys.length + 1}`))}
        >
          Add a passkey
        </Button>
      </div>
      {passkeys.map((passkey) => (
        <PasskeyRow
          key={passkey.id}
          passkey={passkey}
          onRename={() => setRenamed(passkey)}
          onRemove={() => setRemoved(passkey)}
        />
      ))}
      <Dialog open={renamed !== null} onClose={() => setRenamed(null)} title="Rename passkey">
        {renamed && <RenameForm passkey={renamed} onDone={finishRenaming} />}
      </Dialog>
      <ConfirmDialog
        open={removed !== null}
        title="Remove passkey"
        confirmText="Remove"
        onConfirm={remove}
        onClose={() => setRemoved(null)}
      >
        <p>
          {removed?.name} will not sign you in any more. The passkey stays on your device until you delete it
          there.
        </p>
      </ConfirmDialog>
    </>
  );
}

type PasskeyRowProps = { passkey: Passkey; onRename: () => void; onRemove: () => void };

function PasskeyRow({ passkey: { name, createdAt }, onRename, onRemove }: PasskeyRowProps) {
  return (
    <div className={styles['line']}>
      <p>
        {name}, added {formatLapDate(createdAt)}
      </p>
      <div className={styles['buttons']}>
        <Button aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </Button>
        <Button variant="destructive" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </div>
  );
}

function RenameForm({ passkey: { id, name }, onDone }: { passkey: Passkey; onDone: () => void }) {
  const { submit, isSending, fields, problem } = useSubmit(onDone);

  function send(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const body = { name: readField(event.currentTarget, 'name') };
    void submit(() => callApi('PUT /api/account/passkeys/:passkeyId', { params: { passkeyId: id }, body }));
  }

  return (
    <form noValidate className={styles['form']} onSubmit={send}>
      {problem && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      <TextField
        label="Name"
        name="name"
        hint="The device that holds it, for example."
        maxLength={60}
        autoComplete="off"
        defaultValue={name}
        error={fields['name']}
      />
      <Button type="submit" variant="primary" wide pending={isSending}>
        Rename
      </Button>
    </form>
  );
}
