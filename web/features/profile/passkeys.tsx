import { useRef, useState, type SyntheticEvent } from 'react';
import type { Answer } from '#web/api/call-api.ts';
import { createPasskey } from '#web/api/passkey.ts';
import { Button } from '#web/ui/button.tsx';
import common from '#web/ui/common.module.css';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Form } from '#web/ui/form.tsx';
import { formatLapDate } from '#web/ui/format.ts';
import { readField } from '#web/ui/read-field.ts';
import { Failure } from '#web/ui/state-message.tsx';
import { useCall, useCalls } from '#web/ui/use-call.ts';
import styles from './account-data.module.css';

type Passkey = Answer<'GET /api/account/credentials'>['passkeys'][number];

type PasskeysProps = {
  passkeys: readonly Passkey[];
  isRecent: boolean;
};

/** Shows the passkeys of the user with buttons to add, rename and remove them. */
export function Passkeys({ passkeys, isRecent }: PasskeysProps) {
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const add = useRef<HTMLButtonElement>(null);
  const { run, isBusy } = useCalls((send) => createPasskey(send, `Passkey ${passkeys.length + 1}`), {
    failure: 'Not Changed',
  });

  return (
    <>
      <div className={styles['line']}>
        <p className={common['note']}>
          A passkey signs you in with the fingerprint, face or PIN of your device, without a password.
        </p>
        <Button ref={add} pending={isBusy} aria-disabled={!isRecent} onClick={() => void run()}>
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
      {renamed && (
        <Dialog onClose={() => setRenamed(null)} title="Rename passkey">
          <RenameForm passkey={renamed} onDone={() => setRenamed(null)} />
        </Dialog>
      )}
      {removed && (
        <ConfirmDialog
          title="Remove passkey"
          confirmText="Remove"
          focusAfter={add}
          onConfirm={(send) =>
            send('DELETE /api/account/passkeys/:passkeyId', { params: { passkeyId: removed.id } })
          }
          onClose={() => setRemoved(null)}
        >
          <p>
            {removed.name} will not sign you in any more. The passkey stays on your device until you delete it
            there.
          </p>
        </ConfirmDialog>
      )}
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
  const { run, isBusy, fields, problem } = useCall('PUT /api/account/passkeys/:passkeyId', { onDone });

  function submit(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const body = { name: readField(event.currentTarget, 'name') };
    void run({ params: { passkeyId: id }, body });
  }

  return (
    <Form className={common['stack']} onSubmit={submit}>
      <Failure boxed>{problem}</Failure>
      <TextField
        label="Name"
        name="name"
        hint="The device that holds it, for example."
        maxLength={60}
        autoComplete="off"
        defaultValue={name}
        error={fields['name']}
      />
      <Button type="submit" variant="primary" wide pending={isBusy}>
        Rename
      </Button>
    </Form>
  );
}
