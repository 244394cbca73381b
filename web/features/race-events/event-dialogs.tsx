import { useLocation } from 'wouter';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { useCall } from '#web/ui/use-call.ts';
import { AddRuns } from './add-runs.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { EventForm } from './event-form.tsx';
import type { EventView, ShownEntry } from './event-view.ts';
import { StepDialog } from './step-dialog.tsx';
import type { Step } from './step-event.ts';

/** Names the dialog that is open. */
export type Asked =
  | { kind: 'enter' | 'add-entry' | 'runs' | 'edit' | 'delete' }
  | { kind: 'step'; step: Step }
  | { kind: 'entry' | 'withdraw'; entry: ShownEntry };

type EventDialogProps = { view: EventView; asked: Asked; onAsk: (asked: Asked | null) => void };

/** Shows the dialog that was asked for. */
export function EventDialog({ view, asked, onAsk }: EventDialogProps) {
  const onClose = () => onAsk(null);
  switch (asked.kind) {
    case 'enter':
      return <EntryDialog view={view} onClose={onClose} />;
    case 'add-entry':
      return <EntryDialog view={view} isForOther onClose={onClose} />;
    case 'entry':
      return (
        <EntryDialog
          view={view}
          entry={asked.entry}
          onWithdraw={
            view.mayOrganise && !asked.entry.isWithdrawn
              ? () => onAsk({ kind: 'withdraw', entry: asked.entry })
              : undefined
          }
          onClose={onClose}
        />
      );
    case 'withdraw':
      return <Withdraw view={view} entry={asked.entry} onClose={onClose} />;
    case 'runs':
      return <AddRuns view={view} onClose={onClose} />;
    case 'step':
      return <StepDialog view={view} step={asked.step} onClose={onClose} />;
    case 'edit':
      return <EditEvent view={view} onClose={onClose} />;
    case 'delete':
      return <DeleteEvent view={view} onClose={onClose} />;
    default:
      return null;
  }
}

type WithdrawProps = { view: EventView; entry: ShownEntry; onClose: () => void };

function Withdraw({ view: { eventId }, entry: { id, name, number, isOwn }, onClose }: WithdrawProps) {
  return (
    <ConfirmDialog
      title={isOwn ? 'Withdraw from the event?' : `Withdraw ${name}?`}
      confirmText="Withdraw"
      onConfirm={(send) =>
        send('DELETE /api/events/:eventId/entries/:entryId', { params: { eventId, entryId: id } })
      }
      success={{ title: 'Withdrawn' }}
      onClose={onClose}
    >
      <p>
        {isOwn ? 'Your entry' : 'The entry'} with number {number} stays in the list as withdrawn, and is in no
        results.
      </p>
    </ConfirmDialog>
  );
}

type DialogProps = { view: EventView; onClose: () => void };

function EditEvent({ view, onClose }: DialogProps) {
  const { run, refuse, isBusy, fields, problem } = useCall('PATCH /api/events/:eventId', {
    success: { title: 'Event Changed' },
    onDone: onClose,
  });
  return (
    <EventForm
      title="Edit Event"
      action="Save Changes"
      settings={{ ...view, ...view.settings }}
      {...{ isBusy, fields, problem, onClose }}
      onRefuse={(problems) => refuse(null, problems)}
      onSend={(body) => void run({ params: { eventId: view.eventId }, body })}
    />
  );
}

function DeleteEvent({ view: { eventId, name }, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  return (
    <ConfirmDialog
      title="Delete this event?"
      confirmText="Delete Event"
      word="DELETE"
      onConfirm={(send) => send('DELETE /api/events/:eventId', { params: { eventId } })}
      success={{ title: 'Event Deleted' }}
      onDone={() => navigate('/club/events')}
      onClose={onClose}
    >
      <p>You cannot undo this. {name} is gone, with its entries and runs. Laps of lap files stay.</p>
    </ConfirmDialog>
  );
}
