import Plus from 'lucide-react/icons/plus';
import { mayAdminister } from '#contract/people/labels.ts';
import { useCurrentUser } from '#web/api/current-user.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { RowAction, RowMenu } from '#web/ui/row-menu.tsx';
import common from '#web/ui/common.module.css';
import type { Asked } from './event-dialogs.tsx';
import type { EventView } from './event-view.ts';
import { findNextStep, findStepBack } from './step-event.ts';
import styles from './event-actions.module.css';

type EventActionsProps = {
  view: EventView;
  /** Leads a guest to the sign-in and back. */
  signInHref: string;
  onAsk: (asked: Asked) => void;
};

/** Shows what the viewer can do: drivers enter themselves, organisers run the event. */
export function EventActions({ view, signInHref, onAsk }: EventActionsProps) {
  const { ownEntry } = view;
  return (
    <>
      {ownEntry && (
        <p className={common['note']}>
          You are entered with number {ownEntry.number} in {ownEntry.className}.
        </p>
      )}
      <div className={styles['actions']}>
        {view.mayOrganise && <Organise view={view} onAsk={onAsk} />}
        <Drive {...{ view, signInHref, onAsk }} />
      </div>
    </>
  );
}

function Drive({ view, signInHref, onAsk }: EventActionsProps) {
  const { user } = useCurrentUser();
  if (view.state !== 'open') return null;
  const variant = view.mayOrganise ? 'secondary' : 'primary';
  if (!user)
    return (
      <ButtonLink href={signInHref} variant="primary">
        Sign in to enter
      </ButtonLink>
    );
  const { ownEntry } = view;
  if (!ownEntry)
    return (
      <Button variant={variant} onClick={() => onAsk({ kind: 'enter' })}>
        Enter
      </Button>
    );
  return (
    <>
      <Button onClick={() => onAsk({ kind: 'entry', entry: ownEntry })}>Change Entry</Button>
      <Button onClick={() => onAsk({ kind: 'withdraw', entry: ownEntry })}>Withdraw</Button>
    </>
  );
}

function Organise({ view, onAsk }: Omit<EventActionsProps, 'signInHref'>) {
  const { user } = useCurrentUser();
  const { state, settings, entries, name } = view;
  const next = findNextStep(state, settings.protestMinutes);
  const back = findStepBack(state, entries.length);
  const takesRuns = state === 'running';
  if (state === 'official') return null;
  return (
    <>
      {view.mayChangeRuns && (
        <Button variant={takesRuns ? 'primary' : 'secondary'} onClick={() => onAsk({ kind: 'runs' })}>
          <Plus size={18} aria-hidden="true" />
          Add runs
        </Button>
      )}
      {next && (
        <Button
          variant={takesRuns ? 'secondary' : 'primary'}
          onClick={() => onAsk({ kind: 'step', step: next })}
        >
          {next.action}
        </Button>
      )}
      {state !== 'provisional' && <Button onClick={() => onAsk({ kind: 'add-entry' })}>Add entry</Button>}
      <Button onClick={() => onAsk({ kind: 'edit' })}>Edit</Button>
      {(back !== null || mayAdminister(user)) && (
        <RowMenu label={`More actions for ${name}`}>
          {back && <RowAction onClick={() => onAsk({ kind: 'step', step: back })}>{back.action}</RowAction>}
          {mayAdminister(user) && (
            <RowAction isDestructive onClick={() => onAsk({ kind: 'delete' })}>
              Delete event
            </RowAction>
          )}
        </RowMenu>
      )}
    </>
  );
}
