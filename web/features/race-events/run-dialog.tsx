import { useId, useState, type ReactNode, type SyntheticEvent } from 'react';
import { Link } from 'wouter';
import { formatLapTime } from '#engine/lap-time.ts';
import { STATUS_LABELS } from '#contract/race-events/labels.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Form } from '#web/ui/form.tsx';
import { formatMoment, pluralize } from '#web/ui/format.ts';
import { lapHref } from '#web/ui/lap-url.ts';
import { formatUncertainty } from '#web/ui/lap-time.tsx';
import { Failure } from '#web/ui/state-message.tsx';
import { useCalls } from '#web/ui/use-call.ts';
import common from '#web/ui/common.module.css';
import { formatPenalty } from './describe-rule.ts';
import type { EventView, ShownEntry, ShownRun } from './event-view.ts';
import { readRunForm, type TypedRun } from './read-run-form.ts';
import { RunFields } from './run-fields.tsx';
import styles from './run-dialog.module.css';

type RunDialogProps = { view: EventView; run: ShownRun; entry: ShownEntry; onClose: () => void };

/** Shows a run with who recorded it, when and why. Those who run the event change or delete it here. */
export function RunDialog({ view, run, entry, onClose }: RunDialogProps) {
  const formId = useId();
  const [isDeleting, setIsDeleting] = useState(false);
  const { save, isBusy, fields, problem } = useSaving({ view, run, entry, onClose });
  if (isDeleting) return <DeleteRun {...{ view, run, entry, onClose }} />;
  return (
    <Dialog
      width="form"
      title={`Run ${run.number} of ${entry.name}`}
      onClose={onClose}
      footer={
        view.mayChangeRuns ? (
          <>
            {run.id !== null && <Button onClick={() => setIsDeleting(true)}>Delete</Button>}
            <Button type="submit" form={formId} variant="primary" pending={isBusy}>
              Save Changes
            </Button>
          </>
        ) : undefined
      }
    >
      <div className={common['stack']}>
        <RunFacts view={view} run={run} />
        {view.mayChangeRuns && (
          <Form id={formId} className={common['list']} onSubmit={save}>
            <RunFields run={run} problems={fields} />
            <Failure>{problem}</Failure>
          </Form>
        )}
      </div>
    </Dialog>
  );
}

function useSaving({ view, run, entry, onClose }: RunDialogProps) {
  const { eventId } = view;
  const {
    run: send,
    refuse,
    isBusy,
    fields,
    problem,
  } = useCalls(
    async (send, { timeMs, ...typed }: TypedRun) => {
      if (run.id !== null) {
        const params = { eventId, runId: run.id };
        await send('PATCH /api/events/:eventId/runs/:runId', {
          params,
          body: { ...typed, timeMs: run.lap === null ? timeMs : null },
        });
        return;
      }
      await send('POST /api/events/:eventId/runs', {
        params: { eventId },
        body: { ...typed, entryId: entry.id, courseNumber: run.courseNumber, timeMs: null, lap: run.lap },
      });
    },
    { success: { title: 'Run Changed' }, onDone: onClose },
  );
  function save(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault();
    const read = readRunForm(event.currentTarget, {
      hasTime: run.lap === null,
      isChange: run.id !== null,
    });
    if (read.problems) refuse(null, read.problems);
    else void send(read.run);
  }
  return { save, isBusy, fields, problem };
}

function DeleteRun({ view: { eventId }, run, entry, onClose }: RunDialogProps) {
  const { id } = run;
  const isLap = run.lap !== null;
  return (
    <ConfirmDialog
      title={isLap ? 'Delete what was recorded?' : 'Delete this run?'}
      confirmText={isLap ? 'Delete Record' : 'Delete Run'}
      onConfirm={async (send) => {
        if (id !== null)
          await send('DELETE /api/events/:eventId/runs/:runId', { params: { eventId, runId: id } });
      }}
      success={{ title: isLap ? 'Record Deleted' : 'Run Deleted' }}
      onClose={onClose}
    >
      <p>
        {isLap
          ? `Run ${run.number} of ${entry.name} is a lap: it counts again as it was driven, without what was recorded about it.`
          : `Run ${run.number} of ${entry.name} is gone from the results.`}{' '}
        The audit log keeps that you deleted it.
      </p>
    </ConfirmDialog>
  );
}

function RunFacts({ view, run }: { view: EventView; run: ShownRun }) {
  const { timeMs, uncertaintyMs, penaltyMs, status, reason, counts, recordedAt, recordedBy } = run;
  const course = view.courses.find(({ number }) => number === run.courseNumber);
  return (
    <dl className={styles['facts']}>
      {view.courses.length > 1 && <Fact name="Course">{course?.name}</Fact>}
      {timeMs !== null && (
        <Fact name="Time">
          {formatLapTime(timeMs)} {uncertaintyMs !== null && `${formatUncertainty(uncertaintyMs)} s`}
        </Fact>
      )}
      <Source run={run} />
      {penaltyMs > 0 && <Fact name="Penalty">{describePenalty(run)}</Fact>}
      {status !== 'timed' && <Fact name="Status">{STATUS_LABELS[status]}</Fact>}
      <Fact name="Counts">{counts ? 'Yes' : 'No'}</Fact>
      {reason !== null && <Fact name="Reason">{reason}</Fact>}
      {recordedAt !== null && (
        <Fact name="Recorded">{[recordedBy, formatMoment(recordedAt)].filter(Boolean).join(', ')}</Fact>
      )}
    </dl>
  );
}

function Source({ run: { lap, timeMs } }: { run: ShownRun }) {
  if (lap)
    return (
      <Fact name="From">
        <Link href={lapHref(lap.trackId, { lapId: lap.lapId, otherIds: [] })}>A lap of a lap file</Link>
      </Fact>
    );
  return timeMs === null ? null : <Fact name="From">Typed, without a ±</Fact>;
}

function describePenalty({ cones, gates, penaltyMs }: ShownRun): string {
  const hits = [cones > 0 && pluralize(cones, 'cone'), gates > 0 && pluralize(gates, 'gate')];
  return `+${formatPenalty(penaltyMs)}: ${hits.filter(Boolean).join(', ')}`;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
